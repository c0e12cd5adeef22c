"""Live objects with the annotation of another program about its last write."""

from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, dig
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if only the live one has ``params["annotation"]``."""
    noted, written = (
        dig(item, "metadata", "annotations", params["annotation"])
        for item in (live_object(subject.state.live), subject.manifest)
    )
    if noted is not MISSING and written is MISSING:
        yield Hit(())
