"""The sources that an object of Flux or Argo CD names, with the fields that name them."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Index, Path, fields, get
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import MISSING, dig, items, mapping
from kubectl_applylint.engine.cluster_diff import AbsentSource
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.tools.argocd.application_sources import has_unknown_parameters, sources_of
from kubectl_applylint.tools.flux.chart_sources import named_chart_source, repository_source
from kubectl_applylint.tools.flux.declarations import is_release

_LOGINS: Final = ("secretRef", "provider", "serviceAccountName")
"""The fields of a source that give Flux a login."""
_NO_PROVIDER: Final = "generic"
_REFERENCE: Final = ("commit", "name", "digest", "semver", "tag", "branch")
_REPOSITORIES: Final = ("GitRepository", "OCIRepository")
_CHART_FIELDS: Final = {True: ("spec", "chart", "spec"), False: ("spec",)}
"""The fields of the chart in a HelmRelease, and in a HelmChart."""


@dataclass(frozen=True, slots=True)
class NamedSource:
    """A source, the field with the version, and the one that names the chart or the repository."""

    source: ChartSource
    version: Path
    name: Path
    has_login: bool = False
    """Whether the cluster asks with a login of its own."""
    may_be_hidden: bool = False
    """Whether it may have a login that shows a repository which the answer hides."""


def absences(
    document: Document, others: Iterable[Document], absence_of: Callable[[ChartSource], Absence | None]
) -> Iterator[AbsentSource]:
    """Yield what the sources of an object do not have; a suspended one asks for nothing.

    With a login, a source may have more than it says without. Whether Argo CD has one is not known: a list of versions
    or charts that is read without a login is that for all, but a repository of a registry may be hidden.
    """
    places: set[Path] = set()
    for one in named_sources(document, others):
        found = absence_of(one.source)
        if found is None or (not found.is_private and (one.has_login or (one.may_be_hidden and found.is_whole))):
            continue
        path = one.name if found.is_whole or get(document.object, one.version) is MISSING else one.version
        # An artifact may be asked for as a chart and as files.
        if path not in places:
            yield AbsentSource(path, found.host(one.source), found.wanted_words(one.source), found.asked, found.hint)
        places.add(path)


def named_sources(document: Document, others: Iterable[Document]) -> Iterator[NamedSource]:
    """Yield the sources that an object asks; the objects with their URLs are among ``others``."""
    if dig(document.object, "spec", "suspend") is True:
        return
    kind = document.ref.kind
    if is_release(document) or kind == "HelmChart":
        found = named_chart_source(document, others)
        # The repositories that have charts in folders are named by their own objects.
        if found.source and found.document and found.source.kind is not SourceKind.GIT:
            start = fields(*_CHART_FIELDS[is_release(document)])
            own = (*start, *fields("version")), (*start, *fields("chart"))
            yield NamedSource(found.source, *own, has_login=_has_login(found.document))
    elif kind in _REPOSITORIES:
        yield from _repository(document)
    elif kind == "Application":
        yield from _application(document)


def _repository(document: Document) -> Iterator[NamedSource]:
    source = repository_source(document, follows_includes=True).source
    reference = mapping(dig(document.object, "spec", "ref"))
    version = fields("spec", "ref", next((name for name in _REFERENCE if reference.get(name)), ""))
    if source:
        own = NamedSource(source, version, fields("spec", "url"), has_login=_has_login(document))
        yield own
        if source.kind is SourceKind.ARTIFACT:
            yield replace(own, source=replace(source, kind=SourceKind.OCI, layer=""))


def _has_login(document: Document) -> bool:
    spec = mapping(document.object.get("spec"))
    return any(spec.get(name) not in (None, "", _NO_PROVIDER) for name in _LOGINS)


def _application(document: Document) -> Iterator[NamedSource]:
    """Yield the sources of an Application, without that of one whose manifests are hydrated."""
    if "sourceHydrator" in mapping(document.object.get("spec")):
        return
    is_one = not items(dig(document.object, "spec", "sources"))
    for number, one in enumerate(sources_of(document.object)):
        source = one.chart_source or one.repository
        start: Path = fields("spec", "source") if is_one else (*fields("spec", "sources"), Index(number))
        name = (*start, *fields("chart" if one.chart else "repoURL"))
        if not has_unknown_parameters(one.options):
            is_hidden = source.kind is not SourceKind.HELM
            yield NamedSource(source, (*start, *fields("targetRevision")), name, may_be_hidden=is_hidden)
