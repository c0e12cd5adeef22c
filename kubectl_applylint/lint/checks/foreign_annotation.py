"""Live objects on which another program has noted what it wrote last."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.state import present
from kubectl_applylint.core.values import MISSING, Json, dig
from kubectl_applylint.lint.model import Hit, Subject


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the object once if it is live with ``params["annotation"]``, which its manifest does not have."""
    noted, written = (
        dig(item, "metadata", "annotations", params["annotation"])
        for item in (present(subject.state.live), subject.manifest)
    )
    if noted is not MISSING and written is MISSING:
        yield Hit(())
