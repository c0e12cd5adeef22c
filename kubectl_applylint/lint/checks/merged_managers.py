"""Objects with so many writers that the server merges their field managers."""

from typing import Final

from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.merge.managed_fields import read

_MERGED: Final = "ancient-changes"
"""The server's name for merged managers (apimachinery, ``capmanagers.go``)."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it has more writers than the server keeps apart. Facts: ``writers`` (their number)."""
    writers = [identity.name for identity in read(mapping(live_object(subject.state.live)))]
    if _MERGED in writers:
        yield Hit((), {"writers": len(writers)})
