"""Paths that the ``Kustomization`` and ``HelmRelease`` objects of Flux apply.

Fields as in the definitions of fluxcd/kustomize-controller v1 and fluxcd/helm-controller v2; older versions use the
same names.
"""

import posixpath
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import namespaced_name
from kubectl_applylint.core.values import MISSING, Json, dig, mapping, text_at, texts_at
from kubectl_applylint.tools.flux.artifacts import EXTERNAL, GENERATOR, CopiedFolder, copied_folder, makers
from kubectl_applylint.tools.flux.chart_sources import (
    ReleaseChart,
    repository_source,
    source_doubts,
    source_filter,
    values_files,
)
from kubectl_applylint.tools.flux.includes import included_sources
from kubectl_applylint.tools.flux.instances import OPERATOR, is_created, is_instance, unfollowed_reason
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied, Form, ReleaseInputs, SourceFilter, Unit, object_root
from kubectl_applylint.units.reading import boolean_at, is_kind, reason
from kubectl_applylint.units.remotes import reference_revision

_TOOL: Final = "flux"
_CONTROLLER: Final = "helm-controller"
"""The program of Flux that applies HelmReleases."""
_KUSTOMIZE: Final = "kustomize.toolkit.fluxcd.io"
_HELM: Final = "helm.toolkit.fluxcd.io"
SOURCE_GROUP: Final = "source.toolkit.fluxcd.io"
_REPOSITORY: Final = "GitRepository"
_GIT: Final = ("", _REPOSITORY)
"""The kind of a git repository, which is the default."""
_CHART: Final = "HelmChart"
_SOURCE_OF_CHARTS: Final = (_REPOSITORY, SOURCE_GROUP)
_SOURCES: Final = (_REPOSITORY, "OCIRepository", "Bucket")
_ROOT: Final = "flux-system"
"""The namespace and the name of the source that ``flux bootstrap`` creates."""
_BUILD_FIELDS: Final = (
    *("commonMetadata", "components", "images", "namePrefix", "nameSuffix", "patches", "postBuild", "targetNamespace"),
)
"""The fields of a Kustomization that change the objects of its path."""


def is_kustomization(document: Document) -> bool:
    """Return whether a document is a Kustomization of Flux."""
    return is_kind(document, "Kustomization", _KUSTOMIZE)


def is_source(document: Document) -> bool:
    """Return whether a document is a source of Flux: a repository, a chart, an artifact."""
    return document.ref.group == SOURCE_GROUP


def makes_source(document: Document) -> bool:
    """Return whether a document may determine the files of a Kustomization: a source of files or a generator."""
    return any(is_kind(document, kind, SOURCE_GROUP) for kind in _SOURCES) or is_kind(document, *GENERATOR)


def is_declaring(document: Document) -> bool:
    """Return whether a document is of a kind of Flux that declares applies, or the source of one."""
    return document.ref.group in (_KUSTOMIZE, _HELM, SOURCE_GROUP, OPERATOR, GENERATOR[1])


def declarations(documents: Iterable[Document], others: Iterable[Document] = ()) -> Iterator[Declared]:
    """Yield each repository path that an object of Flux applies; sources may be among ``others`` as well.

    Flux applies a folder without a kustomization with its subfolders. The namespace of a ``Kustomization`` replaces
    those of its objects; the namespace of a ``HelmRelease`` is that of the release.
    """
    declaring = tuple(documents)
    every = (*declaring, *others)
    repositories = [one for one in every if any(is_kind(one, kind, SOURCE_GROUP) for kind in _SOURCES)]
    generators = [one for one in every if is_kind(one, *GENERATOR)]
    for document in declaring:
        if is_kustomization(document):
            yield from _kustomization(document, repositories, generators)
        elif is_release(document):
            yield from _release(document, every)
        why = unfollowed_reason(document) if is_instance(document) else ""
        if why:
            declared_by = None if is_release(document) else document.ref
            applied = Applied(_TOOL, reason=reason(document, ()), declared_by=declared_by)
            yield Declared("", applied, elsewhere=why)


def applied_folder(path: str) -> str:
    """Return a path as Flux resolves it in its source: no path leads out of it (``securejoin``)."""
    return posixpath.normpath(f"/{path}").strip("/")


def _kustomization(
    document: Document, repositories: Iterable[Document], generators: Iterable[Document]
) -> Iterator[Declared]:
    """Yield the path that a Kustomization applies."""
    spec = mapping(document.object.get("spec"))
    path = dig(spec, "path")
    # What names neither is a patch of another Kustomization.
    if not isinstance(path, str) and (path is not MISSING or "sourceRef" not in spec):
        return
    folder = applied_folder(path if isinstance(path, str) else "")
    taken = _source_folder(document, spec.get("sourceRef"), folder, generators) or CopiedFolder(
        folder, spec.get("sourceRef")
    )
    source = _source(document, taken.source, repositories)
    repository = _nearest(document, _repositories_named(document, taken.source, repositories))
    files = repository_source(repository, follows_includes=True) if repository else ReleaseChart()
    applied = Applied(
        tool=_TOOL,
        namespace=text_at(spec, "targetNamespace"),
        target=_target(document, spec),
        prune=boolean_at(spec, "prune"),
        tool_object=document.object,
        declared_by=document.ref,
        is_suspended=spec.get("suspend") is True,
        is_written=document.source is None and not document.is_templated and not is_created(document),
        source_identity=files.identity,
        doubts=tuple(_doubts(document, taken.source, repositories)),
        reason=reason(document, fields("spec", "path")),
    )
    yield replace(
        source,
        path=taken.path,
        applied=_with_source(applied, repository, repositories) if repository else applied,
        fetched_source=files.source,
        obstacle=files.reason,
        is_one_unit=True,
        folders=tuple(applied_folder(f"{folder}/{one}") for one in texts_at(spec, "components")),
        is_built=any(spec.get(field) for field in _BUILD_FIELDS),
    )


def _with_source(applied: Applied, repository: Document, repositories: Iterable[Document]) -> Applied:
    """Return who applies a path, with what a source adds to its files and leaves out."""
    includes = tuple(included_sources(repository, [*repositories]))
    return replace(applied, source_filter=source_filter(repository), includes=includes)


def _source_folder(
    document: Document, reference: Json, folder: str, generators: Iterable[Document]
) -> CopiedFolder | None:
    """Return the source folder of a Kustomization, or ``None`` if that of its artifact is not known."""
    if text_at(reference, "kind") != EXTERNAL:
        return CopiedFolder(folder, reference)
    nearest = _nearest(document, makers(text_at(reference, "name"), generators))
    return copied_folder(nearest, text_at(reference, "name"), folder) if nearest else None


def _doubts(document: Document, reference: Json, repositories: Iterable[Document]) -> Iterator[str]:
    """Yield a note if the source is only assumed to be this repository, and those about the source."""
    name = text_at(reference, "name")
    found = _repositories_named(document, reference, repositories) if name else []
    if not name:
        yield f"Kustomization {document.ref.name}: names no source, which is taken to be this repository"
    elif nearest := _nearest(document, found):
        yield from source_doubts(nearest)
    elif text_at(reference, "kind") in _GIT:
        source = f"{_REPOSITORY} {name}"
        yield f"Kustomization {document.ref.name}: {source} is not in the files, taken to be this repository"


def _release(document: Document, every: Iterable[Document]) -> Iterator[Declared]:
    """Yield the folder of a git repository with the chart of a HelmRelease."""
    chart = _chart_settings(document, every)
    folder, files = resolve_reference("", text_at(chart, "chart")), values_files(chart)
    reference = dig(chart, "sourceRef")
    if not text_at(chart, "chart") or folder is None or text_at(reference, "kind") != _REPOSITORY:
        return
    unit = release_unit(document, "")
    sources = [one for one in every if is_kind(one, *_SOURCE_OF_CHARTS)]
    nearest = _nearest(document, _repositories_named(document, reference, sources))
    packed = source_filter(nearest) if nearest else SourceFilter()
    yield replace(
        _source(document, reference, sources),
        path=folder,
        applied=replace(unit.applied, source="", release=ReleaseInputs(values_files=files), source_filter=packed),
        is_one_unit=True,
        folders=(folder,),
        root=unit.root,
        read_files=tuple(filter(None, (resolve_reference("", one) for one in files.names))),
    )


def _chart_settings(document: Document, every: Iterable[Document]) -> Json:
    """Return the chart of a HelmRelease: the fields of a ``HelmChart``, whose namespace is that of the source."""
    spec = mapping(document.object.get("spec"))
    reference = spec.get("chartRef")
    if reference is None:
        return dig(spec, "chart", "spec")
    charts = (one for one in every if is_kind(one, _CHART, SOURCE_GROUP))
    found = _nearest(document, _repositories_named(document, reference, charts))
    own = mapping(found.object.get("spec")) if found else {}
    home = text_at(reference, "namespace") or document.ref.namespace
    return {**own, "sourceRef": {"namespace": home, **mapping(own.get("sourceRef"))}}


def may_have_chart_in_git(document: Document) -> bool:
    """Return whether the chart of a HelmRelease may be a folder of a git repository."""
    spec = document.object.get("spec")
    kinds = (text_at(spec, "chart", "spec", "sourceRef", "kind"), text_at(spec, "chartRef", "kind"))
    return is_release(document) and any(kind in (_REPOSITORY, _CHART) for kind in kinds)


def is_release(document: Document) -> bool:
    """Return whether a document is a HelmRelease."""
    return is_kind(document, "HelmRelease", _HELM)


def release_unit(document: Document, cluster: str) -> Unit:
    """Return the unit of a HelmRelease that a unit of a cluster applies."""
    spec, ref = mapping(document.object.get("spec")), document.ref
    applied = Applied(
        tool=_TOOL,
        program=_CONTROLLER,
        namespace=text_at(spec, "targetNamespace") or ref.namespace,
        target=_target(document, spec),
        prune=True,
        reason=reason(document, ()),
        tool_object=document.object,
        declared_by=ref,
        source=_chart_source(spec, ref.namespace),
        is_suspended=spec.get("suspend") is True,
        cluster=cluster,
    )
    return Unit(object_root(ref), Form.RELEASE, frozenset(), applied)


def resource_set_unit(document: Document, cluster: str, inputs: str, gap: str) -> Unit:
    """Return the unit of a ResourceSet with its inputs as JSON, or the reason why they are not known."""
    applied = Applied(
        tool=_TOOL,
        prune=True,
        reason=reason(document, ()),
        tool_object=document.object,
        declared_by=document.ref,
        gap=gap,
        cluster=cluster,
        inputs=inputs,
    )
    return Unit(object_root(document.ref), Form.RESOURCE_SET, frozenset(), applied)


def _chart_source(spec: Json, namespace: str) -> str:
    """Return the source of the chart of a HelmRelease: kind, namespace and name."""
    reference = dig(spec, "chartRef")
    if reference is MISSING:
        reference = dig(spec, "chart", "spec", "sourceRef")
    home = text_at(reference, "namespace") or namespace
    return f"{text_at(reference, 'kind')} {namespaced_name(home, text_at(reference, 'name'))}"


def _target(document: Document, spec: Json) -> str:
    """Return the name of the kubeconfig object that selects another cluster, or ``""``."""
    names = (text_at(spec, "kubeConfig", holder, "name") for holder in ("secretRef", "configMapRef"))
    name = next(filter(None, names), "")
    return f"{document.ref.namespace}/{name}".lstrip("/") if name else ""


def _source(document: Document, reference: Json, repositories: Iterable[Document]) -> Declared:
    """Return a declaration with only the source that a reference names.

    If several repositories have the name, as with one per cluster, the one nearest to the document counts.
    """
    kind, name = text_at(reference, "kind") or _REPOSITORY, text_at(reference, "name")
    namespace = text_at(reference, "namespace") or document.ref.namespace
    nearest = _nearest(document, _repositories_named(document, reference, repositories))
    spec = mapping(nearest.object.get("spec")) if nearest else {}
    is_git = kind == _REPOSITORY
    return Declared(
        "",
        Applied(),
        source=_url(spec),
        revision=reference_revision(nearest.object if nearest else {}) if is_git else "",
        other_source="" if is_git else f"{kind} {name}",
        source_object=f"{kind}/{namespace}/{name}",
        is_root_source=kind in _SOURCES and (name == namespace == _ROOT or is_created(nearest)),
    )


def _url(spec: Json) -> str:
    """Return the URL of a source, that of a bucket with its name."""
    return text_at(spec, "url") or f"{text_at(spec, 'endpoint')}/{text_at(spec, 'bucketName')}".strip("/")


def _nearest(document: Document, found: Iterable[Document]) -> Document | None:
    """Return the document with the most folders in common with another one."""
    return max(found, key=lambda one: _common_depth(one.file, document.file), default=None)


def _repositories_named(document: Document, reference: Json, repositories: Iterable[Document]) -> list[Document]:
    """Return the repositories that a reference may name."""
    kind, name = text_at(reference, "kind") or _REPOSITORY, text_at(reference, "name")
    namespace = text_at(reference, "namespace") or document.ref.namespace
    return [one for one in repositories if (one.ref.kind, one.ref.name) == (kind, name) and _is_in(one, namespace)]


def _is_in(document: Document, namespace: str) -> bool:
    """Return whether an object may be in a namespace; a kustomization can set a missing one."""
    return not namespace or document.ref.namespace in ("", namespace)


def _common_depth(one: str, other: str) -> int:
    """Return the number of leading folders that two files have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
