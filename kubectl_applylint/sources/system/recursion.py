"""How deep this process may call itself: as deep as it starts, until something is read that takes more."""

import sys
from typing import Final

USUAL_LEVELS: Final = 200
"""What nests no deeper gets by with the limit that Python starts with; no usual Kubernetes object comes near it."""
_CALLS: Final = 20_000
"""Ten for each level that is read. A stack of 8 MiB takes more than three times as many of the largest calls."""


def allow_deep() -> None:
    """Let functions call themselves as often as the deepest objects take that are looked at; for good.

    What is parsed by C code has to be bounded by ``nesting`` from then on, and is so before, to be safe in any order.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLS))
