"""The dependencies of charts of the repository that are in the store."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.values import items, mapping, text_at
from kubectl_applylint.sources.render.chart_files import CHART, REQUIREMENTS, Dependency, MissingDependency
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import named_chart
from kubectl_applylint.sources.text.manifests import first_document

LOCKS: Final = ("Chart.lock", "requirements.lock", CHART, REQUIREMENTS)
"""The files that list the dependencies of a chart, by precedence."""


def remote_dependencies(content: bytes) -> list[tuple[str, str, str]]:
    """Return name, URL and version of the dependencies in a file, without those that are given by path."""
    listed = items(mapping(first_document(content)).get("dependencies"))
    found = ((text_at(one, "name"), text_at(one, "repository"), text_at(one, "version")) for one in listed)
    return [one for one in found if Dependency(*one[:2]).is_remote]


def with_stored_dependencies(
    files: Mapping[str, bytes], missing: Sequence[MissingDependency]
) -> tuple[Mapping[str, bytes], tuple[MissingDependency, ...]]:
    """Return the files of a chart with the archives of missing dependencies, and those that are still missing."""
    found = [(one, dict(_archives(files, one))) for one in missing]
    archives = {path: content for _, each in found for path, content in each.items()}
    return {**files, **archives}, tuple(one for one, each in found if not each)


def _archives(files: Mapping[str, bytes], missing: MissingDependency) -> Iterator[tuple[str, bytes]]:
    """Yield the archive of a dependency with its path, if the store has it."""
    paths = (posixpath.join(missing.chart, name) for name in LOCKS)
    listed = next(filter(None, (remote_dependencies(files.get(path, b"")) for path in paths)), [])
    for name, url, version in listed:
        if name != missing.dependency.name:
            continue
        found = store.chart(named_chart(url, name, version))
        if isinstance(found, store.StoredChart):
            yield posixpath.join(missing.chart, "charts", f"{found.name}-{found.version}.tgz"), found.packed
