"""Matches regular expressions from users as Go does, in linear time.

With the extra ``re2``, the library of that name matches them as Go's ``regexp`` does. Without it, Python's backtracking
matcher runs only patterns that are proven to be linear; the others are ``Unproven``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from typing import Any, Final, TypeAlias

from kubectl_applylint.core.patterns import ambiguity, go_regexp
from kubectl_applylint.core.patterns.go_chars import Ranges
from kubectl_applylint.core.patterns.go_regexp import (
    START,
    Alternation,
    Assertion,
    Chars,
    GoSyntaxError,
    Repeat,
    Series,
    Tree,
)
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex

LONGEST_UNANCHORED: Final = 4096
"""The longest text, in characters, that Python may search for a match at every position, in quadratic time."""
_LONGEST_PATTERN: Final = 100_000
_MOST_MEMORY: Final = 1 << 26
_INSTALL: Final = "install kubectl-applylint[re2] to evaluate it"
_LONE_SURROGATES: Final = regex("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Invalid:
    """The error message for a pattern that Go, and so the server, cannot parse."""

    words: str


@dataclass(frozen=True, slots=True)
class Unproven:
    """The advice for a pattern that is not run, because it might take too long."""

    why: str


@dataclass(frozen=True, slots=True)
class Matcher:
    """A pattern that is safe to run on texts of up to ``longest`` characters, or on all if that is ``None``."""

    matches: Callable[[str], Iterator[str]]
    """Yields all matches in a text, from left to right, as Go's ``FindAllString`` returns them."""
    longest: int | None = None

    def takes(self, text: str) -> bool:
        """Return whether a text is short enough for the pattern."""
        return self.longest is None or len(text) <= self.longest

    def is_match(self, text: str) -> bool | Unproven:
        """Return whether the pattern matches anywhere in a text."""
        return next(self.matches(text), None) is not None if self.takes(text) else _TOO_LONG


Compiled: TypeAlias = Matcher | Invalid | Unproven
_TOO_LONG: Final = Unproven(f"the text is too long for the pattern; {_INSTALL}")


@lru_cache(maxsize=1024)
def compile_linear(pattern: str) -> Compiled:
    """Return a matcher that matches a pattern as Go does, or why there is none."""
    if len(pattern) > _LONGEST_PATTERN:
        return Unproven("the pattern is too long")
    try:
        tree = go_regexp.parse(pattern)
    except GoSyntaxError as error:
        return Invalid(str(error))
    library = _library()
    return _with_python(tree) if library is None else _with_library(pattern, library)


@cache
def _library() -> Any:
    """Return the library ``re2``, ``None`` if it is not installed."""
    try:
        # The library takes 0.03 s to import, and few runs have patterns to match.
        import re2  # noqa: PLC0415
    except ImportError:
        return None
    return re2


def _with_library(pattern: str, library: Any) -> Compiled:
    """Return a matcher that uses the library."""
    options = library.Options()
    options.log_errors = False
    options.max_mem = _MOST_MEMORY
    try:
        read = library.compile(_utf8(pattern), options)
    except library.error:
        return Unproven("RE2 rejects the pattern, or it needs too much memory")

    def matches(text: str) -> Iterator[str]:
        data = _utf8(text)
        # RE2 also finds empty matches between the bytes of one character.
        return (data[start:end].decode() for start, end in _spans(read.search, data) if not _is_within(data, start))

    return Matcher(matches)


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8, with lone surrogates replaced."""
    return _LONE_SURROGATES.sub("\ufffd", text).encode()


def _spans(search: Callable[[Any, int], Any], text: Sequence[Any]) -> Iterator[tuple[int, int]]:
    """Yield the spans of matches; an empty match counts only if no other match ends there."""
    at, last = 0, -1
    while at <= len(text):
        match = search(text, at)
        if match is None:
            return
        start, end = match.span()
        if not start == end == last:
            yield start, end
        at, last = (end if end > at else _next(text, at)), end


def _next(text: Sequence[Any], at: int) -> int:
    """Return the start of the next character; in UTF-8 a character may have several bytes."""
    at += 1
    while isinstance(text, bytes) and _is_within(text, at):
        at += 1
    return at


def _is_within(data: bytes, at: int) -> bool:
    """Return whether a position is between the bytes of one character."""
    return at < len(data) and 0x80 <= data[at] < 0xC0


def _with_python(tree: Tree) -> Compiled:
    """Return a matcher that uses Python's engine, or the reason why there is none."""
    if not (ambiguity.is_shallow(tree) and ambiguity.is_exact(tree) and ambiguity.is_linear(tree)):
        return Unproven(f"the pattern may take too long; {_INSTALL}")
    read = re.compile(_python_pattern(tree))
    anywhere = ambiguity.has_loop(tree) and not _starts(tree)

    def matches(text: str) -> Iterator[str]:
        return (text[start:end] for start, end in _spans(read.search, text))

    return Matcher(matches, LONGEST_UNANCHORED if anywhere else None)


def _starts(tree: Tree) -> bool:
    """Return whether a pattern matches only at the beginning of a text."""
    match tree:
        case Assertion():
            return tree == START
        case Series(parts):
            return bool(parts) and _starts(parts[0])
        case Alternation(parts):
            return all(map(_starts, parts))
        case Repeat(part, least):
            return least > 0 and _starts(part)
        case Chars():
            return False


def _python_pattern(tree: Tree) -> str:
    """Return a pattern in Python's syntax; it has no groups."""
    match tree:
        case Chars(ranges):
            return _set(ranges)
        case Assertion(spelling):
            return spelling
        case Series(parts):
            return "".join(map(_python_pattern, parts))
        case Alternation(parts):
            return f"(?:{'|'.join(map(_python_pattern, parts))})"
        case Repeat(part, least, most, greedy):
            bounds = f"{{{least},{'' if most is None else most}}}"
            return f"(?:{_python_pattern(part)}){bounds}{'' if greedy else '?'}"


def _set(ranges: Ranges) -> str:
    """Return a set of characters in Python's syntax."""
    if not ranges:
        return "(?!)"
    return "[" + "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in ranges) + "]"
