"""Which of many texts stand in which of many others, found in a time that grows with both, and not with their product.

The others are cut at quotes, since nearly all of them are JSON: thousands of objects are made of few different pieces.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

_CUT: Final = '"'
_START: Final = 6
"""How many characters at the start of a text are looked up at once."""


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
        starts = {piece[at : at + _START] for at in range(len(piece) - _START + 1)}
        for start in starts & by_start.keys():
            here = {one for one in by_start[start] if one in piece}
            by_start[start] -= here
            found |= here
    return found
