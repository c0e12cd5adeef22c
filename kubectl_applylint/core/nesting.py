"""The nesting depth of texts, measured before a recursive parser reads them.

Parsers written in C use the stack for each level and end the whole program when it is exhausted.
"""

import re
from typing import Final

from kubectl_applylint.core.regex import regex

MOST_LEVELS: Final = 2_000
"""The deepest nesting of collections in objects that are predicted."""
KUBECTL_LEVELS: Final = 10_000
"""The deepest nesting that kubectl and servers read (go-yaml's ``max_flow_level``, ``maxNestingDepth`` of Go's
JSON)."""

# Possessive, so that no backtracking state is kept: 20 MB in one string took 2.7 GB.
STRING: Final = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
"""The pattern of a JSON string; to be compiled with ``re.DOTALL``."""
_TOKEN: Final = regex(rf"{STRING}|[\[\]{{}}]", re.DOTALL)
_STRING: Final = regex(STRING, re.DOTALL)
_ALIKE: Final = bytes.maketrans(b"[{]}", b"(())")
_RUN: Final = regex(rb"\(+|\)+")
_PASSES: Final = 32
"""The most levels to remove: more than objects have, and few enough for a text that is all brackets."""
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[{]}"))


def too_deep(text: str, most: int = MOST_LEVELS, start: int = 0) -> int | None:
    """Return the position at which a JSON text nests deeper than ``most`` levels, or ``None``.

    Takes linear time. In text that is not JSON, only what looks like JSON brackets and strings counts.
    """
    if text.count("[", start) + text.count("{", start) <= most or _levels(text[start:]) <= most:
        return None
    depth = 0
    for token in _TOKEN.finditer(text, start):
        sign = text[token.start()]
        if sign in "[{":
            depth += 1
            if depth > most:
                return token.start()
        elif sign in "]}":
            depth = max(0, depth - 1)
    return None


def _levels(text: str) -> int:
    """Return the nesting depth of a text: remove pairs of brackets from the inside, then count the rest in runs.

    Counting all of them in runs takes three times as long.
    """
    left = _STRING.sub('"', text).encode("utf-8", "surrogatepass").translate(_ALIKE, _NO_BRACKETS)
    levels = depth = most = 0
    while b"()" in left and levels < _PASSES:
        left = left.replace(b"()", b"")
        levels += 1
    for run in _RUN.findall(left):
        depth = depth + len(run) if run[:1] == b"(" else max(0, depth - len(run))
        most = max(most, depth)
    return levels + most


def reject_deep(text: str) -> None:
    """Raise ``ValueError`` for a JSON text that nests deeper than ``MOST_LEVELS``."""
    if too_deep(text) is not None:
        raise ValueError(f"nested deeper than {MOST_LEVELS} levels")
