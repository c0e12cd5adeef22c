"""The recursion limit of this process: Python's default, until deeper data is read."""

import sys
from typing import Final

USUAL_LEVELS: Final = 200
"""Maximum nesting for Python's default recursion limit; no usual Kubernetes object comes near it."""
_CALLS: Final = 20_000
"""Ten for each level that is read. A stack of 8 MiB is sufficient for three times as many of the largest calls."""


def raise_recursion_limit() -> None:
    """Raise the recursion limit permanently to what the deepest supported objects require.

    Input of parsers in C has to be limited by ``nesting`` from then on; it is before as well, to be safe in any order.
    """
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _CALLS))
