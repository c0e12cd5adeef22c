"""Keys that a mapping of the text has twice."""

from collections.abc import Iterator, Mapping

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Hit, Subject


def check(subject: Subject, *, params: Mapping[str, Json]) -> Iterator[Hit]:
    """Yield each key that comes again with another value. Facts: ``key``, ``line`` (of the first one)."""
    for path, line in subject.document.repeated():
        yield Hit(path, {"key": render(path[-1:]), "line": line})
