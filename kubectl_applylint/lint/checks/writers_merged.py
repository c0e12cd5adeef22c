"""Objects that so many have written that the server no longer tells who owns what."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.state import present
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.lint.model import Hit, Subject
from kubectl_applylint.merge.managed_fields import read


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the object once if the manager ``params["manager"]`` owns fields of it. Facts: ``writers`` (how many)."""
    writers = [identity.name for identity in read(mapping(present(subject.state.live)))]
    if params["manager"] in writers:
        yield Hit((), {"writers": len(writers)})
