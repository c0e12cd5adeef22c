"""Which of many texts stand in which of many others, found in a time that grows with both, and not with their product.

The others are cut at quotes, since nearly all of them are JSON: thousands of objects are made of few different pieces.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

_CUT: Final = '"'
_START: Final = 6
"""How many characters at the start of a text are looked up at once."""
_FEW: Final = 100
_ELLIPSIS: Final = "…"
_LONGEST: Final = 300
"""More characters than are left of any text that is cut short before it is masked."""


def standing(sought: Collection[str], texts: Sequence[str]) -> set[str]:
    """Return those of the sought texts that stand in one of the others.

    A text with two quotes or more is looked for only where the rarest of its pieces between quotes stands.
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
    """Return those of the sought texts, without quotes and not too short, that stand in one of the pieces."""
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
    """Return those of some starts that stand in a piece: a few are looked for one by one, which is quicker then."""
    if len(sought) <= _FEW:
        return [start for start in sought if start in piece]
    return {piece[at : at + _START] for at in range(len(piece) - _START + 1)} & sought.keys()


def beginnings(sought: Iterable[str], texts: Iterable[str]) -> set[str]:
    """Return what stands in front of an ellipsis and begins one of the sought texts, which was cut there."""
    cuts = [text[max(0, at - _LONGEST) : at] for text in texts for at in _places(_ELLIPSIS, text)]
    by_start: dict[str, list[str]] = {}
    for one in sought if cuts else ():
        by_start.setdefault(one[:_START], []).append(one)
    return set(filter(None, (_beginning(before, by_start) for before in cuts)))


def _places(part: str, text: str) -> Iterator[int]:
    at = text.find(part)
    while at >= 0:
        yield at
        at = text.find(part, at + 1)


def _beginning(before: str, by_start: Mapping[str, Sequence[str]]) -> str:
    """Return the longest end of a text that one of some others begins with, empty if there is none."""
    ends = (before[at:] for at in range(len(before) - _START + 1))
    return next((end for end in ends if any(one.startswith(end) for one in by_start.get(end[:_START], ()))), "")
