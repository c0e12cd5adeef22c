"""Parses regular expressions as Go's ``regexp/syntax`` does, with Go's error messages.

Mirrors ``syntax.Parse`` with the flags of ``regexp.Compile``. The result is a small tree without groups and flags, in
which every set of characters is ranges of code points.
"""

import re
from typing import Final, TypeAlias

from kubectl_applylint.core.patterns.go_chars import LAST, PERL, POSIX, Ranges, complement, union, with_all_cases
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex

MOST_REPEATS: Final = 1000
DEEPEST: Final = 1000


class GoSyntaxError(ValueError):
    """A pattern that ``regexp.Compile`` rejects; the text is Go's error message."""

    def __init__(self, words: str, part: str) -> None:
        super().__init__(f"error parsing regexp: {words}: `{part}`")


@dataclass(frozen=True, slots=True)
class Chars:
    """One character of a set; ``exact`` is false if the set is not known here (Unicode classes)."""

    ranges: Ranges
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Assertion:
    """A zero-width assertion, in Python's spelling."""

    spelling: str


@dataclass(frozen=True, slots=True)
class Series:
    """Parts that follow one another."""

    parts: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Alternation:
    """Alternatives; the first that matches counts."""

    parts: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A part that is repeated; ``most`` is ``None`` without an upper bound."""

    part: "Tree"
    least: int
    most: int | None
    greedy: bool = True


Tree: TypeAlias = Chars | Assertion | Series | Alternation | Repeat

START: Final = Assertion(r"\A")
END: Final = Assertion(r"\Z")
_BOUNDARIES: Final = {"A": START, "z": END, "b": Assertion(r"(?a:\b)"), "B": Assertion(r"(?!(?a:\b))")}
_CONTROLS: Final = {"a": 7, "f": 12, "n": 10, "r": 13, "t": 9, "v": 11}
_COUNTS: Final = regex(r"\{(0|[1-9][0-9]*)(?:(,)(0|[1-9][0-9]*)?)?\}")
_NAMED: Final = regex(r"\(\?P?<([^>]*)>")
_FLAGS: Final = regex(r"\(\?([imsU]*)(-[imsU]+)?([:)])")
_FLAG_ERROR: Final = regex(r"\(\?[imsU]*(?:-[imsU]*)?.?", re.DOTALL)
_OCTAL: Final = regex(r"\\(0[0-7]{0,2}|[1-7][0-7]{1,2})")
_HEX: Final = regex(r"\\x(?:\{([0-9a-fA-F]+)\}|([0-9a-fA-F]{2}))")
_BAD_HEX: Final = regex(r"\\x(?:\{[0-9a-fA-F]*.?|.{0,2})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Flags:
    """The flags of a group: ``i``, ``m``, ``s`` and ``U``."""

    fold: bool = False
    lines: bool = False
    dot_all: bool = False
    swap_greed: bool = False

    def with_letters(self, letters: str, value: bool) -> "_Flags":
        """Return the flags with those of some letters set or cleared."""
        names = {"i": "fold", "m": "lines", "s": "dot_all", "U": "swap_greed"}
        return replace(self, **{names[letter]: value for letter in letters})


@dataclass(slots=True)
class _Group:
    """An open group: its finished branches, the parts of the last one, and the flags before it."""

    before: _Flags
    branches: list[Tree] = field(default_factory=list)
    parts: list[Tree] = field(default_factory=list)

    def close(self) -> Tree:
        """Return the tree of the group."""
        last = _sequence(self.parts)
        return Alternation((*self.branches, last)) if self.branches else last


def _sequence(parts: list[Tree]) -> Tree:
    return parts[0] if len(parts) == 1 else Series(tuple(parts))


def parse(pattern: str) -> Tree:
    """Return the tree of a pattern; raise ``GoSyntaxError`` if Go rejects it."""
    return _PatternParser(pattern).parse()


class _PatternParser:
    """A position in a pattern, with the groups around it."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0
        self.flags = _Flags()
        self.groups = [_Group(self.flags)]
        self.last_repeat = -1

    def parse(self) -> Tree:
        """Parse the whole pattern."""
        while self.at < len(self.pattern):
            start = self.at
            repeated = self._step()
            self.last_repeat = start if repeated else -1
        if len(self.groups) > 1:
            raise GoSyntaxError("missing closing )", self.pattern)
        return self.groups[0].close()

    def _step(self) -> bool:
        """Read one token; return whether it was a repetition."""
        match self.pattern[self.at]:
            case "(":
                self._open()
            case "|":
                group = self.groups[-1]
                group.branches.append(_sequence(group.parts))
                group.parts = []
                self.at += 1
            case ")":
                self._close()
            case "[":
                self._add(self._class())
            case "*" | "+" | "?" | "{":
                return self._repetition()
            case "\\":
                self._escape()
            case sign:
                self._add(self._symbol(sign))
                self.at += 1
        return False

    def _add(self, tree: Tree) -> None:
        self.groups[-1].parts.append(tree)

    def _symbol(self, sign: str) -> Tree:
        """Return the tree of ``^``, ``$``, ``.`` or another character."""
        lines = self.flags.lines
        match sign:
            case "^":
                return Assertion("(?m:^)") if lines else START
            case "$":
                return Assertion("(?m:$)") if lines else END
            case ".":
                return Chars(((0, LAST),) if self.flags.dot_all else complement(((10, 10),)))
            case _:
                return self._literal(ord(sign))

    def _literal(self, code: int) -> Chars:
        """Return the set of one character, with its other cases if the flags fold."""
        return self._chars(((code, code),))

    def _chars(self, ranges: Ranges) -> Chars:
        """Return a set with the current flags applied; a set that is too large to fold is inexact."""
        both = with_all_cases(ranges) if self.flags.fold else ranges
        return Chars(ranges, exact=False) if both is None else Chars(both)

    def _open(self) -> None:
        """Open a group, or set flags."""
        rest = self.pattern[self.at : self.at + 4]
        if not rest.startswith("(?"):
            self._push(1)
        elif (rest[2:3] == "<" and len(rest) > 3) or (rest[2:] == "P<" and len(self.pattern) > self.at + 4):
            self._open_named_group()
        else:
            self._read_flags()

    def _push(self, width: int) -> None:
        """Open a group whose opening has ``width`` characters."""
        self.at += width
        self.groups.append(_Group(self.flags))
        if len(self.groups) > DEEPEST:
            raise GoSyntaxError("expression nests too deeply", self.pattern)

    def _open_named_group(self) -> None:
        """Open a group with a name."""
        found = _NAMED.match(self.pattern, self.at)
        if not found:
            raise GoSyntaxError("invalid named capture", self.pattern[self.at :])
        if not re.fullmatch("[A-Za-z0-9_]+", found[1]):
            raise GoSyntaxError("invalid named capture", found[0])
        self._push(len(found[0]))

    def _read_flags(self) -> None:
        """Read flags, for the rest of this group or for a group of their own."""
        found = _FLAGS.match(self.pattern, self.at)
        if not found:
            wrong = _FLAG_ERROR.match(self.pattern, self.at)
            raise GoSyntaxError("invalid or unsupported Perl syntax", wrong[0] if wrong else "(?")
        before = self.flags
        after = before.with_letters(found[1], True).with_letters((found[2] or "-")[1:], False)
        if found[3] == ":":
            self._push(len(found[0]))
        else:
            self.at += len(found[0])
        self.flags = after

    def _close(self) -> None:
        if len(self.groups) == 1:
            raise GoSyntaxError("unexpected )", self.pattern)
        group = self.groups.pop()
        self.flags = group.before
        self._add(group.close())
        self.at += 1

    def _repetition(self) -> bool:
        """Apply a repetition operator to the last part."""
        start = self.at
        found = _COUNTS.match(self.pattern, start)
        if self.pattern[start] == "{" and not found:
            self._add(self._literal(ord("{")))
            self.at += 1
            return False
        end = found.end() if found else start + 1
        least, most = _counts(found) if found else {"*": (0, None), "+": (1, None), "?": (0, 1)}[self.pattern[start]]
        if least > MOST_REPEATS or (most is not None and (most > MOST_REPEATS or least > most)):
            raise GoSyntaxError("invalid repeat count", self.pattern[start:end])
        lazy = self.pattern.startswith("?", end)
        end += lazy
        if self.last_repeat >= 0:
            raise GoSyntaxError("invalid nested repetition operator", self.pattern[self.last_repeat : end])
        parts = self.groups[-1].parts
        if not parts:
            raise GoSyntaxError("missing argument to repetition operator", self.pattern[start:end])
        tree = Repeat(parts.pop(), least, most, greedy=lazy == self.flags.swap_greed)
        if found and not _is_bounded(tree):
            raise GoSyntaxError("invalid repeat count", self.pattern[start:end])
        parts.append(tree)
        self.at = end
        return True

    def _escape(self) -> None:
        """Read an escape sequence outside of a character class."""
        sign = self.pattern[self.at + 1 : self.at + 2]
        if sign in _BOUNDARIES and sign:
            self._add(_BOUNDARIES[sign])
            self.at += 2
        elif sign == "C":
            raise GoSyntaxError("invalid escape sequence", r"\C")
        elif sign == "Q":
            quoted, end, _ = self.pattern[self.at + 2 :].partition(r"\E")
            self.groups[-1].parts.extend(self._literal(ord(each)) for each in quoted)
            self.at += 2 + len(quoted) + len(end)
        else:
            self._add(self._set_escape() or self._literal(self._code()))

    def _set_escape(self) -> Chars | None:
        r"""Return the set that an escape such as ``\d`` or ``\pL`` denotes."""
        sign = self.pattern[self.at + 1 : self.at + 2]
        if sign.lower() in PERL and sign:
            self.at += 2
            ranges = self._chars(PERL[sign.lower()]).ranges
            return Chars(ranges if sign.islower() else complement(ranges))
        return self._unicode_class() if sign in ("p", "P") else None

    def _unicode_class(self) -> Chars:
        """Read ``\\p{...}``, whose set is not known here."""
        if self.at + 2 >= len(self.pattern):
            raise GoSyntaxError("invalid character class range", self.pattern[self.at :])
        end = self.at + 3
        if self.pattern[self.at + 2] == "{":
            end = self.pattern.find("}", self.at) + 1
        if not end or (end == self.at + 4 and self.pattern[self.at + 2] == "{"):
            raise GoSyntaxError("invalid character class range", self.pattern[self.at : end or None])
        self.at = end
        return Chars(((0, LAST),), exact=False)

    def _code(self) -> int:
        """Read an escaped character."""
        text, start = self.pattern, self.at
        sign = text[start + 1 : start + 2]
        if not sign:
            raise GoSyntaxError("trailing backslash at end of expression", "")
        octal, code = _OCTAL.match(text, start), _HEX.match(text, start)
        if octal:
            self.at = octal.end()
            return int(octal[1], 8)
        if code and int(code[1] or code[2], 16) <= LAST:
            self.at = code.end()
            return int(code[1] or code[2], 16)
        if sign in _CONTROLS or (sign.isascii() and not sign.isalnum()):
            self.at += 2
            return _CONTROLS.get(sign, ord(sign))
        raise GoSyntaxError("invalid escape sequence", _wrong_escape(text[start:]))

    def _class(self) -> Chars:
        """Read a character class in brackets."""
        start = self.at
        self.at += 1
        away = self.pattern.startswith("^", self.at)
        self.at += away
        sets: list[Chars] = []
        first = True
        while first or not self.pattern.startswith("]", self.at):
            first = False
            sets.append(self._posix() or self._set_in_class() or self._range(start))
        self.at += 1
        ranges = union(pair for each in sets for pair in each.ranges)
        return Chars(complement(ranges) if away else ranges, all(each.exact for each in sets))

    def _set_in_class(self) -> Chars | None:
        """Read a set inside a character class, such as ``\\d`` or ``[:alpha:]``."""
        return self._set_escape() if self.pattern.startswith("\\", self.at) else None

    def _posix(self) -> Chars | None:
        end = self.pattern.find(":]", self.at + 2) if self.pattern.startswith("[:", self.at) else -1
        if end < 0:
            return None
        name = self.pattern[self.at + 2 : end]
        if name.removeprefix("^") not in POSIX:
            raise GoSyntaxError("invalid character class range", self.pattern[self.at : end + 2])
        self.at = end + 2
        ranges = self._chars(POSIX[name.removeprefix("^")]).ranges
        return Chars(complement(ranges) if name.startswith("^") else ranges)

    def _range(self, start: int) -> Chars:
        """Read a character or a range of characters in a class."""
        begin = self.at
        low = high = self._class_code(start)
        if self.pattern.startswith("-", self.at) and self.pattern[self.at + 1 : self.at + 2] not in ("]", ""):
            self.at += 1
            high = self._class_code(start)
        if high < low:
            raise GoSyntaxError("invalid character class range", self.pattern[begin : self.at])
        return self._chars(((low, high),))

    def _class_code(self, start: int) -> int:
        """Read one character of a class."""
        if self.at >= len(self.pattern):
            raise GoSyntaxError("missing closing ]", self.pattern[start:])
        if self.pattern[self.at] == "\\":
            return self._code()
        self.at += 1
        return ord(self.pattern[self.at - 1])


def _wrong_escape(text: str) -> str:
    """Return the part of an escape that Go has read when it reports an error."""
    wrong = _BAD_HEX.match(text)
    if not wrong:
        return text[:2]
    digits = wrong[0].removesuffix("}")[3:]
    too_many = next((end for end in range(1, len(digits) + 1) if int(digits[:end], 16) > LAST), None)
    return wrong[0] if too_many is None else wrong[0][: 3 + too_many]


def _counts(found: re.Match[str]) -> tuple[int, int | None]:
    """Return the bounds of ``{n}``, ``{n,}`` or ``{n,m}``; very large numbers are truncated."""
    least = int(found[1][:9])
    if not found[2]:
        return least, least
    return least, int(found[3][:9]) if found[3] else None


def _is_bounded(tree: Tree) -> bool:
    """Return whether nested repetitions multiply to at most a thousand."""
    waiting: list[tuple[Tree, int]] = [(tree, MOST_REPEATS)]
    while waiting:
        node, left = waiting.pop()
        match node:
            case Repeat(part, least, most):
                times = least if most is None else most
                if times > left:
                    return False
                if times or most is None:
                    waiting.append((part, left // (times or 1)))
            case Series(parts) | Alternation(parts):
                waiting.extend((part, left) for part in parts)
            case _:
                pass
    return True
