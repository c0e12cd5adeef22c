"""Fields of the manifest that somebody else owns with another value."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import written
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Hit, Scenario, Subject


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each field over which a server-side apply is refused. Facts: owner."""
    for conflict in subject.predict(Scenario.APPLY).conflicts:
        yield Hit(written(subject.manifest, conflict.path), {"owner": str(conflict.owner)})
