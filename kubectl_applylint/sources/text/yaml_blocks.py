"""The blocks of a large document that others may hold as well, told by its text, so that each is read once.

Schemas repeat: those of pods and of their parts stand in hundreds of definitions, and in each version of one. Half of
the text of usual definitions has been there before.
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
"""Characters of a block: smaller ones are not worth it, of larger ones a part repeats rather than the whole."""
_WORD: Final = "=block"
_END: Final = "..."
_ODD: Final = "\x85\u2028\u2029\ufeff"
"""What breaks lines for a parser, or is skipped by it where a text begins."""


@dataclass(frozen=True, slots=True)
class SplitDocument:
    """A document without some of its blocks: in place of each there is a word, and all else is in its line."""

    text: str
    blocks: Mapping[str, str]
    """The text of each block, by its word."""


def split_blocks(text: str) -> SplitDocument | None:
    """Return a document without the values of some keys ``KEY``, ``None`` where none is worth it.

    Only a parser can tell whether they are blocks: each has to be a whole document by itself, and each word has to be
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
    """Yield from where to where text goes that looks like a block of a good size: all lines that are indented more."""
    keys, last = [*_keys(text)], 0
    for (place, indent), bound in zip(keys, _bounds(text, keys), strict=True):
        if place >= last and _LEAST <= bound - place <= _MOST:
            begin = place + len(_LINE)
            found = _after(indent).search(text, begin - 1)
            # Whatever it is, nothing inside of it is looked at: that could take a time that grows with the square.
            last = found.end() if found else len(text)
            if found and last - begin >= _LEAST and not text.startswith(_END, last):
                yield begin, last


def _keys(text: str) -> Iterator[tuple[int, int]]:
    """Yield where such a key stands, in a line of its own, and how much it is indented."""
    place = text.find(_LINE)
    while place >= 0:
        indent = place - text.rfind("\n", 0, place) - 1
        if not text[place - indent : place].strip(" "):
            yield place, indent
        place = text.find(_LINE, place + len(_LINE))


def _bounds(text: str, keys: list[tuple[int, int]]) -> list[int]:
    """Return where each key is followed by one that is not indented more; its block ends before."""
    bounds, inside = [len(text)] * len(keys), list[int]()
    for number, (place, indent) in enumerate(keys):
        while inside and keys[inside[-1]][1] >= indent:
            bounds[inside.pop()] = place
        inside.append(number)
    return bounds


@lru_cache(maxsize=256)
def _after(indent: int) -> re.Pattern[str]:
    """Return what finds the end of a line before one that is indented no more, and is no comment."""
    return re.compile(rf"\n(?= {{0,{indent}}}+[^\s#\ufeff])")
