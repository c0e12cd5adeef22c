"""Live objects on which another program has noted what it wrote last."""

from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, dig
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once if it is live with ``params["annotation"]``, which its manifest does not have."""
    noted, written = (
        dig(item, "metadata", "annotations", params["annotation"])
        for item in (live_object(subject.state.live), subject.manifest)
    )
    if noted is not MISSING and written is MISSING:
        yield Hit(())
