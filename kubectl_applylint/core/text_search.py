"""Searches many texts for many others, in time linear in both.

The texts are split at quotes, since nearly all of them are JSON: thousands of objects consist of few distinct pieces.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

_CUT: Final = '"'
_START: Final = 6
"""The number of characters at the start of a text that are looked up at once."""
_FEW: Final = 100
_ELLIPSIS: Final = "…"
_LONGEST: Final = 300
"""An upper bound for the length of texts that are truncated before they are masked."""


def contained_texts(sought: Collection[str], texts: Sequence[str]) -> set[str]:
    """Return those of the sought texts that one of the others contains.

    A text with two quotes or more is searched only in the texts that contain the rarest of its pieces between quotes.
    """
    between = {one: one.split(_CUT)[1:-1] for one in sought if _CUT in one or len(one) < _START}
    named = {piece for pieces in between.values() for piece in pieces}
    every: set[str] = set()
    places: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        pieces = set(text.split(_CUT))
        every |= pieces
        for piece in named & pieces:
            places.setdefault(piece, []).append(number)
    found = _in_pieces((one for one in sought if one not in between), every)
    for one, inner in between.items():
        where: Sequence[int] = min((places.get(piece, []) for piece in inner), key=len, default=range(len(texts)))
        if any(one in texts[number] for number in where):
            found.add(one)
    return found


def _in_pieces(sought: Iterable[str], pieces: Iterable[str]) -> set[str]:
    """Return those of the sought texts, without quotes and not too short, that one of the pieces contains."""
    by_start: dict[str, set[str]] = {}
    for one in sought:
        by_start.setdefault(one[:_START], set()).add(one)
    found: set[str] = set()
    for piece in pieces if by_start else ():
        for start in _starts_in(piece, by_start):
            here = {one for one in by_start[start] if one in piece}
            by_start[start] -= here
            found |= here
    return found


def _starts_in(piece: str, sought: Mapping[str, object]) -> Collection[str]:
    """Return those of some starts that a piece contains; a few are searched one by one, which is faster."""
    if len(sought) <= _FEW:
        return [start for start in sought if start in piece]
    return {piece[at : at + _START] for at in range(len(piece) - _START + 1)} & sought.keys()


def truncated_beginnings(sought: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Return the texts before an ellipsis that are the beginning of a sought text, which was truncated there."""
    cuts = [text[max(0, at - _LONGEST) : at] for text in texts for at in _places(_ELLIPSIS, text)]
    by_start: dict[str, list[str]] = {}
    for one in sought if cuts else ():
        by_start.setdefault(one[:_START], []).append(one)
    return set(filter(None, (_beginning(before, by_start) for before in cuts)))


def _places(part: str, text: str) -> Iterator[int]:
    """Yield the positions of a part in a text."""
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _beginning(before: str, by_start: Mapping[str, Sequence[str]]) -> str:
    """Return the longest end of a text that is the beginning of a sought text; empty if there is none."""
    ends = (before[at:] for at in range(len(before) - _START + 1))
    return next((end for end in ends if any(one.startswith(end) for one in by_start.get(end[:_START], ()))), "")
