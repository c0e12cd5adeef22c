"""Splits repeated blocks out of a large document by text, so that each is parsed only once.

Schemas repeat: those of pods and of their parts occur in hundreds of definitions, and in each version of one. Half of
the text of typical definitions is a repetition.
"""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.records import dataclass

KEY: Final = "properties"
"""The key of the blocks."""
_LINE: Final = f"{KEY}:\n"
_LARGE: Final = 20_000
_LEAST, _MOST = 2_000, 40_000
"""Minimum and maximum size of a block in characters: larger ones rarely repeat as a whole."""
_WORD: Final = "=block"
_END: Final = "..."
_ODD: Final = "\x85\u2028\u2029\ufeff"
"""Characters that are line breaks for a parser, or that it skips at the start of a text."""


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """A document in which some blocks are replaced by words; all other text keeps its line."""

    text: str
    blocks: Mapping[str, str]
    """The text of each block, by its word."""


def split_blocks(text: str) -> SplitDocument | None:
    """Return a document with the values of some keys ``KEY`` split out, or ``None`` if none is large enough.

    Only a parser can confirm that they are blocks: each must be a complete document by itself, and each word must be
    the value of such a key.
    """
    blocks: dict[str, str] = {}
    pieces, last = list[str](), 0
    for begin, end in _blocks(text) if len(text) >= _LARGE else ():
        word, block = f"{_WORD}{len(blocks)}", text[begin:end]
        if block.isascii() or not any(mark in block for mark in _ODD):
            blocks[word] = block
            pieces += [text[last : begin - 1], " ", word, "\n" * (block.count("\n") + 1)]
            last = end
    short = "".join((*pieces, text[last:]))
    return SplitDocument(short, blocks) if blocks and short.count(_WORD) == len(blocks) else None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of each text that looks like a block of a suitable size: all lines that are indented more."""
    keys, last = [*_keys(text)], 0
    for (place, indent), bound in zip(keys, _next_keys(text, keys), strict=True):
        if place >= last and _LEAST <= bound - place <= _MOST:
            begin = place + len(_LINE)
            found = _end_pattern(indent).search(text, begin - 1)
            # The inside is not searched in any case: that could take quadratic time.
            last = found.end() if found else len(text)
            if found and last - begin >= _LEAST and not text.startswith(_END, last):
                yield begin, last


def _keys(text: str) -> Iterator[tuple[int, int]]:
    """Yield the position of each such key on a line of its own, and its indentation."""
    place = text.find(_LINE)
    while place >= 0:
        indent = place - text.rfind("\n", 0, place) - 1
        if not text[place - indent : place].strip(" "):
            yield place, indent
        place = text.find(_LINE, place + len(_LINE))


def _next_keys(text: str, keys: list[tuple[int, int]]) -> list[int]:
    """Return for each key the position of the next one that is not indented more; its block ends before."""
    bounds, inside = [len(text)] * len(keys), list[int]()
    for number, (place, indent) in enumerate(keys):
        while inside and keys[inside[-1]][1] >= indent:
            bounds[inside.pop()] = place
        inside.append(number)
    return bounds


@lru_cache(maxsize=256)
def _end_pattern(indent: int) -> re.Pattern[str]:
    """Return a pattern for the end of a line before one that is not indented more and is not a comment."""
    return re.compile(rf"\n(?= {{0,{indent}}}+[^\s#\ufeff])")
