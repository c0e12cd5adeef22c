"""Functions of sprig with regular expressions, in templates of an ``ApplicationSet``.

Mirrors sprig 3.3 and Go's ``regexp``. Only patterns that match in linear time, and that Python reads as Go does, are
supported; others raise ``ValueError``.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.patterns import ambiguity, go_regexp
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.tools.argocd.sprig_functions import whole
from kubectl_applylint.tools.flux.set_functions import text_argument

_LONGEST: Final = 4096
"""The longest text that is searched, and the longest result, in characters."""
_DIFFERENT: Final = regex(
    r"\[\[|\[\^?\]|\\[^dDwWsSbtnrfv.+*?()|\[\]{}^$/-]|(?<!^)\(\?(?!:|P<)|^\(\?(?!:|P<|i\))|\{,|&&|\|\||~~|[^\x00-\x7f]"
)
"""Parts of patterns that Python does not read as Go does, or may not."""
_PART: Final = regex(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", re.DOTALL)
_REFERENCE: Final = regex(r"\$(?:\$|(\w+)|\{(\w+)\})", re.ASCII)
_META: Final = regex(r"[\\.+*?()|\[\]{}^$]")


@lru_cache(maxsize=256)
def _compile(pattern: str) -> re.Pattern[str]:
    tree = go_regexp.parse(pattern)
    is_safe = ambiguity.is_shallow(tree) and ambiguity.is_exact(tree) and ambiguity.is_linear(tree)
    if not is_safe or _DIFFERENT.search(pattern):
        raise ValueError
    # In Go, a dollar matches only at the end of the text.
    return re.compile(_PART.sub(lambda part: r"\Z" if part[0] == "$" else part[0], pattern), re.ASCII)


def _matches(pattern: Json, text: Json) -> Iterator[re.Match[str]]:
    """Yield the matches in a text; an empty match counts only if no other match ends there."""
    read, word = _compile(text_argument(pattern)), text_argument(text)
    is_folded = bool(read.flags & re.IGNORECASE)
    if len(word) > _LONGEST or (is_folded and not word.isascii()):
        raise ValueError
    at, last = 0, -1
    while at <= len(word) and (match := read.search(word, at)):
        start, end = match.span()
        if not start == end == last:
            yield match
        at, last = (end if end > at else at + 1), end


def _is_match(pattern: Json, text: Json) -> bool:
    return next(_matches(pattern, text), None) is not None


def _find(pattern: Json, text: Json) -> str:
    found = next(_matches(pattern, text), None)
    return found[0] if found else ""


def _find_all(pattern: Json, text: Json, count: Json) -> list[Json]:
    most = whole(count)
    found: list[Json] = [one[0] for one in _matches(pattern, text)]
    if not found or not most:
        # Go makes null of no matches.
        raise ValueError
    return found if most < 0 else found[:most]


def _replace_matches(pattern: Json, text: Json, value_of: Callable[[re.Match[str]], str]) -> str:
    word, at = text_argument(text), 0
    parts: list[str] = []
    for match in _matches(pattern, text):
        parts += [word[at : match.start()], value_of(match)]
        at = match.end()
    found = "".join((*parts, word[at:]))
    if len(found) > _LONGEST:
        raise ValueError
    return found


def _replace(pattern: Json, text: Json, replacement: Json) -> str:
    form = text_argument(replacement)
    return _replace_matches(pattern, text, lambda match: _REFERENCE.sub(lambda name: _group(match, name), form))


def _group(match: re.Match[str], name: re.Match[str]) -> str:
    """Return what a reference stands for: a group by its number or name, empty if there is none."""
    if name[0] == "$$":
        return "$"
    word = name[1] or name[2]
    if word.isdecimal():
        return match[int(word)] or "" if int(word) <= match.re.groups else ""
    return match.groupdict().get(word) or ""


def _replace_literally(pattern: Json, text: Json, replacement: Json) -> str:
    return _replace_matches(pattern, text, lambda _: text_argument(replacement))


def _split(pattern: Json, text: Json, count: Json) -> list[Json]:
    most, word = whole(count), text_argument(text)
    if most == 0:
        raise ValueError
    if pattern and not word:
        return [""]
    parts: list[Json] = []
    start, end = 0, 0
    for match in _matches(pattern, word):
        if most > 0 and len(parts) == most - 1:
            break
        end = match.start()
        if match.end():
            parts.append(word[start:end])
        start = match.end()
    return [*parts, word[start:]] if end != len(word) else parts


_PLAIN: Final[Mapping[str, Callable[..., Json]]] = {
    "Match": _is_match,
    "Find": _find,
    "FindAll": _find_all,
    "ReplaceAll": _replace,
    "ReplaceAllLiteral": _replace_literally,
    "Split": _split,
}
REGEXP_FUNCTIONS: Final[Mapping[str, Callable[..., Json]]] = {
    **{f"regex{name}": function for name, function in _PLAIN.items()},
    **{f"mustRegex{name}": function for name, function in _PLAIN.items()},
    "regexQuoteMeta": lambda text: _META.sub(r"\\\g<0>", text_argument(text)),
}
"""The functions by name; arguments of other types raise ``TypeError`` or ``ValueError``."""
