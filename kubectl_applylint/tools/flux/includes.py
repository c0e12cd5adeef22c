"""The git repositories that a ``GitRepository`` of Flux includes: ``spec.include``.

Fields as in the definition of fluxcd/source-controller v1. An included repository is in the same namespace; it may
include others itself, and is copied as its own artifact has it.
"""

import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import namespaced_name
from kubectl_applylint.core.values import JsonObject, objects_at, text_at
from kubectl_applylint.tools.flux.chart_sources import repository_source, source_filter
from kubectl_applylint.units.model import IncludedSource
from kubectl_applylint.units.remotes import reference_revision

_KIND: Final = "GitRepository"
_MOST_LEVELS: Final = 5
_MOST_INCLUDES: Final = 20


def included_sources(
    repository: Document, repositories: Sequence[Document], above: tuple[str, ...] = ()
) -> Iterator[IncludedSource]:
    """Yield the repositories that one includes; ``repositories`` are those that may be named.

    ``above`` are the names of those that include this one: none of them can be included again.
    """
    names = (*above, repository.ref.name)
    entries = objects_at(repository.object, "spec", "include")
    for number, entry in enumerate(entries):
        name = text_at(entry, "repository", "name")
        one = _include(entry, f"{_KIND} {namespaced_name(repository.ref.namespace, name)}")
        found = _find(name, repository, repositories)
        if number >= _MOST_INCLUDES or len(names) > _MOST_LEVELS:
            yield replace(one, reason="it is one of too many includes")
        elif name in names:
            yield replace(one, reason=f"it includes itself ({' → '.join((*names, name))})")
        elif found is None:
            yield replace(one, reason="it is not in the files")
        else:
            files = repository_source(found, follows_includes=True)
            yield replace(
                one,
                url=text_at(found.object, "spec", "url"),
                revision=reference_revision(found.object),
                source=files.source,
                reason=files.reason,
                filter=source_filter(found),
                includes=tuple(included_sources(found, repositories, names)),
            )


def _include(entry: JsonObject, name: str) -> IncludedSource:
    own = text_at(entry, "toPath") or text_at(entry, "repository", "name")
    return IncludedSource(name, _inner(text_at(entry, "fromPath")), _inner(own))


def _inner(path: str) -> str:
    """Return a path as Flux resolves it: no path leads out of the source (``securejoin``)."""
    return posixpath.normpath(f"/{path}").strip("/")


def _find(name: str, repository: Document, repositories: Iterable[Document]) -> Document | None:
    home = repository.ref.namespace
    same = [one for one in repositories if (one.ref.kind, one.ref.name) == (_KIND, name)]
    return next((one for one in same if one.ref.namespace == home), None) or next(
        (one for one in same if not (one.ref.namespace and home)), None
    )
