"""Globs as ``github.com/gobwas/glob`` of Go matches them, in time linear in the pattern and in the text.

``*`` matches any text without separators, ``**`` any text, ``?`` a character that is no separator, ``[a-z]`` and
``[abc]`` a character, ``[!a-z]`` and ``[!abc]`` another one, and ``{a,b}`` either pattern.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import contains
from typing import Final, TypeAlias

from kubectl_applylint.core.regex import regex

_MOST_ALTERNATIVES: Final = 100
_PIECE: Final = regex(r"(?s)\\(?P<escaped>.)|\[(?P<not>!?)(?P<inside>(?:\\.|[^\]\\])+)\]|\*\*?|[^\\\[]")
_RANGE: Final = regex(r"(?s)(.)-(.?)(?P<rest>.?)")
_ESCAPE: Final = regex(r"(?s)\\(.)")
_Part: TypeAlias = tuple[bool, Callable[[str], bool]]
"""Whether a part matches any number of characters, and a function that returns whether it matches one."""


class _InvalidGlobError(ValueError):
    """Raised for a pattern that Go rejects, and for one with too many alternatives."""


def glob_matches(pattern: str, text: str, separators: str = "") -> bool:
    """Return whether a pattern matches a whole text; an invalid pattern matches nothing."""
    try:
        return any(_matches([*_parts(one, separators)], text) for one in _alternatives(_pieces(pattern)))
    except _InvalidGlobError:
        return False


def _matches(parts: Sequence[_Part], text: str) -> bool:
    places = _with_skipped(parts, {0})
    for character in text:
        known = [place for place in places if place < len(parts)]
        matching = [place for place in known if parts[place][1](character)]
        places = _with_skipped(parts, {place if parts[place][0] else place + 1 for place in matching})
    return len(parts) in places


def _with_skipped(parts: Sequence[_Part], places: set[int]) -> set[int]:
    """Return places in a pattern, and those after parts there that may match nothing."""
    found = set(places)
    for place in places:
        while place < len(parts) and parts[place][0]:
            place += 1
            found.add(place)
    return found


def _pieces(pattern: str) -> Sequence[str]:
    """Return a pattern in pieces: characters, escapes, brackets and stars."""
    found = [one[0] for one in _PIECE.finditer(pattern)]
    if sum(map(len, found)) < len(pattern):
        raise _InvalidGlobError(pattern)
    return found


def _alternatives(pieces: Sequence[str]) -> Sequence[Sequence[str]]:
    """Return the patterns that one stands for, each without braces."""
    found: list[list[str]] = [[]]
    position = 0
    while position < len(pieces):
        options: Sequence[Sequence[str]] = [[pieces[position]]]
        if pieces[position] == "{":
            end = _closing_brace(pieces, position)
            options = [one for part in _split(pieces[position + 1 : end]) for one in _alternatives(part)]
            position = end
        found = [[*one, *option] for one in found for option in options]
        position += 1
        if len(found) > _MOST_ALTERNATIVES:
            raise _InvalidGlobError
    return found


def _closing_brace(pieces: Sequence[str], opening: int) -> int:
    depth = 0
    for position in range(opening, len(pieces)):
        depth += (pieces[position] == "{") - (pieces[position] == "}")
        if depth == 0:
            return position
    raise _InvalidGlobError


def _split(pieces: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the parts between commas that are in no further braces."""
    start = depth = 0
    for position, piece in enumerate(pieces):
        depth += (piece == "{") - (piece == "}")
        if piece == "," and depth == 0:
            yield pieces[start:position]
            start = position + 1
    yield pieces[start:]


def _parts(pieces: Sequence[str], separators: str) -> Iterator[_Part]:
    for piece in pieces:
        if piece in ("*", "?"):
            yield piece == "*", lambda character: character not in separators
        elif piece == "**":
            yield True, lambda _: True
        elif piece.startswith("["):
            yield False, _bracket(piece)
        else:
            yield False, partial(contains, piece[-1])


def _bracket(piece: str) -> Callable[[str], bool]:
    """Return the function for one range of characters or a list of them; Go takes no list of ranges."""
    is_negated = piece.startswith("[!") and piece != "[!]"
    inside = piece[2:-1] if is_negated else piece[1:-1]
    span = _RANGE.match(inside)
    if span is None:
        listed = _ESCAPE.sub(r"\1", inside)
        return lambda character: (character in listed) is not is_negated
    if span["rest"] or span[1] > span[2]:
        raise _InvalidGlobError(piece)
    return lambda character: (span[1] <= character <= span[2]) is not is_negated
