"""Objects that so many have written that the server no longer tells who owns what."""

from typing import Final

from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.merge.managed_fields import read

_MERGED: Final = "ancient-changes"
"""The name that the server gives to managers that it merges (apimachinery, ``capmanagers.go``)."""


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if more have written it than the server keeps apart. Facts: ``writers`` (how many)."""
    writers = [identity.name for identity in read(mapping(live_object(subject.state.live)))]
    if _MERGED in writers:
        yield Hit((), {"writers": len(writers)})
