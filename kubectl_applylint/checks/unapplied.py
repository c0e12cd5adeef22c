"""Live objects that client-side apply knows nothing about."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.model import Hit, Subject
from kubectl_applylint.state import Absent, Present, last_applied
from kubectl_applylint.values import Json


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield the object once if it is live without the annotation in which kubectl keeps the last manifest."""
    if isinstance(subject.state.live, Present) and last_applied(subject.state.live) == Absent():
        yield Hit(())
