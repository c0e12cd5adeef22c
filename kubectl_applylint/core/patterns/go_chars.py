"""Sets of characters in Go's regular expressions, as ranges of code points.

Mirrors ``regexp/syntax``'s Perl and POSIX classes, and Unicode's simple case folding for small ranges.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

LAST: Final = 0x10FFFF
Ranges: TypeAlias = tuple[tuple[int, int], ...]
_DIGITS: Final[Ranges] = ((0x30, 0x39),)
_WORD: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
PERL: Final[Mapping[str, Ranges]] = {"d": _DIGITS, "s": ((9, 10), (12, 13), (0x20, 0x20)), "w": _WORD}
POSIX: Final[Mapping[str, Ranges]] = {
    "alnum": ((0x30, 0x39), (0x41, 0x5A), (0x61, 0x7A)),
    "alpha": ((0x41, 0x5A), (0x61, 0x7A)),
    "ascii": ((0, 0x7F),),
    "blank": ((9, 9), (0x20, 0x20)),
    "cntrl": ((0, 0x1F), (0x7F, 0x7F)),
    "digit": _DIGITS,
    "graph": ((0x21, 0x7E),),
    "lower": ((0x61, 0x7A),),
    "print": ((0x20, 0x7E),),
    "punct": ((0x21, 0x2F), (0x3A, 0x40), (0x5B, 0x60), (0x7B, 0x7E)),
    "space": ((9, 13), (0x20, 0x20)),
    "upper": ((0x41, 0x5A),),
    "word": _WORD,
    "xdigit": ((0x30, 0x39), (0x41, 0x46), (0x61, 0x66)),
}
_MOST_FOLDED: Final = 0x300
_FOLDS_APART: Final = {0x4B: 0x212A, 0x6B: 0x212A, 0x53: 0x17F, 0x73: 0x17F, 0xC5: 0x212B, 0xE5: 0x212B}


def union(ranges: Iterable[tuple[int, int]]) -> Ranges:
    """Return ranges in ascending order, without overlaps."""
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def complement(ranges: Ranges) -> Ranges:
    """Return all other characters."""
    edges = [-1, *(edge for pair in union(ranges) for edge in pair), LAST + 1]
    return tuple((low + 1, high - 1) for low, high in zip(edges[::2], edges[1::2], strict=True) if low + 1 < high)


def with_all_cases(ranges: Ranges) -> Ranges | None:
    """Return ranges with the other cases of their letters, or ``None`` for ranges that are too large to fold."""
    if any(high - low > _MOST_FOLDED for low, high in ranges):
        return None
    return union((code, code) for low, high in ranges for each in range(low, high + 1) for code in _cases(each))


def _cases(code: int) -> set[int]:
    """Return a character with its other cases, by simple case folding."""
    sign = chr(code)
    found = {ord(other) for other in (sign, sign.lower(), sign.upper(), sign.title()) if len(other) == 1}
    found.update({_FOLDS_APART[code]} if code in _FOLDS_APART else ())
    found.update(plain for plain, apart in _FOLDS_APART.items() if apart == code)
    return found
