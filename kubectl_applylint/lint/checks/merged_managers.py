"""Objects with so many writers that the server merges their field managers."""

from typing import Final

from kubectl_applylint.lint.checks._owners import live_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject

_MERGED: Final = "ancient-changes"
"""The server's name for merged managers (apimachinery, ``capmanagers.go``)."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it has more writers than the server keeps apart. Facts: ``writers`` (their number)."""
    writers = [identity.name for identity in live_managers(subject)]
    if _MERGED in writers:
        yield Hit((), {"writers": len(writers)})
