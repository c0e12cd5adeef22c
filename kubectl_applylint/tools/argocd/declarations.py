"""Paths that the ``Application`` and ``ApplicationSet`` objects of Argo CD apply.

Fields as in the definitions of argoproj.io/v1alpha1.
"""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject, dig, mapping, text_at, texts_at
from kubectl_applylint.tools.argocd.application_sets import GeneratedApplication, generated_applications
from kubectl_applylint.tools.argocd.application_sources import (
    ApplicationSource,
    has_unknown_parameters,
    sources_of,
)
from kubectl_applylint.tools.argocd.clusters import declared_clusters
from kubectl_applylint.tools.argocd.generators import RepositoryView
from kubectl_applylint.tools.argocd.jsonnet_imports import imported_files
from kubectl_applylint.tools.argocd.special_files import (
    SpecialFiles,
    folders_of_absent_tools,
    has_special_files,
    missing_value_files,
    special_files,
)
from kubectl_applylint.tools.argocd.templates import has_actions
from kubectl_applylint.tools.argocd.unknown_files import files_of_application, files_of_set
from kubectl_applylint.tools.helm.chart_options import argocd_options
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied, Form, Reason, Unit, object_root
from kubectl_applylint.units.reading import boolean_at, folders_of, is_kind, reason
from kubectl_applylint.units.remotes import is_same_repository, revision_named

ARGO_TOOL: Final = "argocd"
ARGO_GROUP: Final = "argoproj.io"
_OWN_CLUSTER: Final = "in-cluster"
_OWN_SERVERS: Final = ("https://kubernetes.default.svc", "https://kubernetes.default.svc.cluster.local")


def declarations(
    documents: Iterable[Document],
    files: Collection[str] = (),
    read_file: Callable[[str], bytes] = lambda _: b"",
    remotes: Collection[str] = (),
    *,
    chart: str = "",
    is_here: Callable[[str], bool] = lambda _: True,
    is_assumed: Callable[[str], bool] = lambda _: False,
) -> Iterator[Declared]:
    """Yield each repository path that an Application applies.

    The git generator of an ``ApplicationSet`` searches ``files``, the files of the repository with these remotes;
    ``read_file`` returns their contents. If a generator depends on external data, such as the clusters of Argo CD,
    target and namespace stay open. Paths that cannot be resolved are left out. The namespace of an Application is the
    default for objects without one. An Application that needs more than the path is one unit (``Declared.root``), as is
    each one that a chart renders. ``chart`` is the name of a chart that renders the objects with assumed values: files
    that the repository does not have are then not known. ``is_here`` returns whether a revision is the examined one,
    ``is_assumed`` whether that is assumed.
    """
    documents = [*documents]
    every = [one for one in documents if one.ref.group == ARGO_GROUP]
    sets = [one for one in every if is_kind(one, "ApplicationSet", ARGO_GROUP)]
    special = special_files(frozenset(files)) if every else {}
    clusters = declared_clusters(documents) if sets else ()
    repo = RepositoryView(files, folders_of(files) if sets else (), read_file, remotes, clusters, is_here, is_assumed)
    for document in every:
        if is_kind(document, "Application", ARGO_GROUP):
            missing = next(_missing_files(document.object, files, special, remotes), "") if chart else ""
            gap = f"the files have no {missing}, and the values of {chart} are not known" if missing else ""
            yield from _written_application(document, repo, special, gap=gap)
    for document in sets:
        yield from dict.fromkeys(_applications(document, repo, special))


def _written_application(
    document: Document, repo: RepositoryView, special: SpecialFiles, *, gap: str
) -> Iterator[Declared]:
    """Yield the paths that an Application of the files applies, or its unit with the reason why it is not known."""
    why = reason(document, _place(document))
    if gap:
        yield _unit_with_gap(document, why, gap)
        return
    is_built = _is_built(document, document.object, repo.files, special)
    yield from _application(document.object, why, repo, special, is_built=is_built)


def declares_applications(ref: ObjectRef) -> bool:
    """Return whether an object is an Application, or generates them."""
    return ref.group == ARGO_GROUP and ref.kind in ("Application", "ApplicationSet")


def _is_built(document: Document, application: JsonObject, files: Collection[str], special: SpecialFiles) -> bool:
    """Return whether an Application is rendered as Argo CD does it, whatever its sources are."""
    is_special = document.is_templated or has_special_files(application, special)
    is_broken = any(_has_folder(files, folder) for folder in folders_of_absent_tools(application, special))
    return is_special or is_broken or any(missing_value_files(application, files, special))


def _place(document: Document) -> Path:
    """Return the path of the field that names the source."""
    is_one = text_at(document.object, "spec", "source", "path")
    return fields("spec", "source", "path") if is_one else fields("spec", "sources")


def _applications(document: Document, repo: RepositoryView, special: SpecialFiles) -> Iterator[Declared]:
    """Yield the paths that the Applications of a set apply; one that cannot be evaluated is a unit with the reason."""
    why = reason(document, fields("spec", "template", "spec"))
    files = files_of_set(document.object, repo.remotes)
    for made in generated_applications(document, repo):
        if made.gap:
            yield _with_unknown(_unit_with_gap(document, why, made.gap), made, files)
            continue
        is_built = _is_built(document, made.application, repo.files, special)
        for one in _application(made.application, why, repo, special, is_built=is_built, generated_by=document.ref):
            own = files_of_application(made.application, repo.remotes) or files if one.applied.gap else ()
            yield _with_unknown(one, made, own)


def _with_unknown(one: Declared, made: GeneratedApplication, files: tuple[str, ...]) -> Declared:
    """Return a declaration of a set with the generators that are not evaluated, and the ``files`` that it may read."""
    applied, names = one.applied, made.unknown_names
    gap = f"{applied.gap} (generator: {names})" if applied.gap and names else applied.gap
    generators = json.dumps(made.unknown, sort_keys=True, default=str) if made.unknown else ""
    generated = replace(
        applied,
        gap=gap,
        unknown_files=files,
        unknown_generators=generators,
        generator_revisions=made.assumed_revisions,
    )
    return replace(one, applied=generated)


def _missing_files(
    application: JsonObject, files: Collection[str], special: SpecialFiles, remotes: Collection[str]
) -> Iterator[str]:
    """Yield the paths and the value files of an Application that the repository should have, and does not have."""
    own = (one.path for one in sources_of(application) if one.path and is_same_repository(one.url, remotes))
    folders = ((path, resolve_reference("", path)) for path in own)
    yield from (path for path, folder in folders if folder is None or not _has_folder(files, folder))
    yield from missing_value_files(application, files, special, remotes)


def _has_folder(files: Collection[str], folder: str) -> bool:
    return not folder or any(path.startswith(f"{folder}/") for path in files)


def _unit_with_gap(document: Document, why: Reason, gap: str) -> Declared:
    """Return the unit of an object that declares what is not known."""
    applied = Applied(ARGO_TOOL, reason=why, declared_by=document.ref, tool_object=document.object, gap=gap)
    return Declared("", applied, is_one_unit=True, root=object_root(document.ref))


def _application(
    application: JsonObject,
    why: Reason,
    repo: RepositoryView,
    special: SpecialFiles,
    *,
    is_built: bool = False,
    generated_by: ObjectRef | None = None,
) -> Iterator[Declared]:
    """Yield the paths that one Application applies, or the one unit that it is; ``is_built``: in any case."""
    applied = replace(_apply_settings(application, why), generated_by=generated_by)
    sources = sources_of(application)
    making = [one for one in sources if one.makes_objects]
    is_elsewhere = any(not one.chart and not is_same_repository(one.url, repo.remotes) for one in making)
    if is_built or is_elsewhere or not all(one.is_plain for one in making):
        yield from [_built(application, applied, repo, special)] if making else ()
        return
    outside = _path_outside(making)
    if outside:
        ref = ref_of(application)
        yield Declared("", replace(applied, declared_by=ref, gap=outside), is_one_unit=True, root=object_root(ref))
        return
    for source in making:
        folder = resolve_reference("", source.path)
        if folder is not None and not has_actions(source.path):
            is_recursive = boolean_at(source.options, "directory", "recurse") is True
            helm = argocd_options(
                source.options, [one.options for one in sources], text_at(application, "metadata", "name")
            )
            revision = revision_named(_static_text(source.revision))
            yield Declared(folder, replace(applied, helm=helm), is_recursive, _static_text(source.url), revision)


def _built(application: JsonObject, applied: Applied, repo: RepositoryView, special: SpecialFiles) -> Declared:
    """Return the unit of an Application whose sources are rendered as Argo CD does it."""
    ref, sources = ref_of(application), sources_of(application)
    git = [one for one in sources if not one.chart]
    others = tuple(one.url for one in git if one.url and not is_same_repository(one.url, repo.remotes))
    paths = (resolve_reference("", one.path) for one in git if one.path and one.url not in others)
    folders = tuple(one for one in paths if one is not None)
    gap = _unknown_place(application, sources) or _path_outside(git)
    applied = replace(applied, declared_by=ref, gap=gap, other_repositories=others)
    first = git[0] if len(sources) == 1 and git else None
    named = (revision_named(_static_text(one.revision)) for one in git if one.url not in others)
    revisions = () if first else tuple(dict.fromkeys(filter(None, named)))
    return Declared(
        folders[0] if folders else "",
        applied,
        source=first.url if first else "",
        fetched_source=first.repository if first else None,
        revision=revision_named(first.revision) if first else "",
        is_one_unit=True,
        folders=folders,
        revisions=revisions,
        root=object_root(ref),
        read_files=tuple(_named_files(sources, others, repo, special)),
    )


def _path_outside(sources: Iterable[ApplicationSource]) -> str:
    """Return why an Application with a path outside of its repository applies nothing, ``""`` for others."""
    paths = (one.path for one in sources if not has_actions(one.path))
    outside = next((path for path in paths if resolve_reference("", path) is None), "")
    return f"its path {outside} is outside of the repository" if outside else ""


def _named_files(
    sources: Sequence[ApplicationSource], others: Collection[str], repo: RepositoryView, special: SpecialFiles
) -> Iterator[str]:
    """Yield the value files of the repository that sources name outside of their path, and the imports of Jsonnet."""
    for source in sources:
        if source.path and source.url not in others and not source.options.keys() & {"helm", "kustomize"}:
            yield from sorted(imported_files(source, special, repo.files, repo.read))
    refs = {f"${one.ref}" for one in sources if one.ref and one.url not in others}
    for source in sources:
        for name in texts_at(source.options, "helm", "valueFiles"):
            first, _, rest = name.partition("/")
            if first in ("", *refs):
                yield rest


def _unknown_place(application: JsonObject, sources: Iterable[ApplicationSource]) -> str:
    """Return why an Application is not examined if parameters in its source or namespace are not known."""
    places = {
        "source": [[one.url, one.path, one.chart, one.revision] for one in sources],
        "values": [
            text for one in sources if (text := text_at(one.options, "helm", "values")).lstrip().startswith("{{")
        ],
        "value files": [dig(one.options, "helm", "valueFiles") for one in sources],
        "namespace": text_at(application, "spec", "destination", "namespace"),
    }
    unknown = [name for name, value in places.items() if has_unknown_parameters(value)]
    return f"parameters of its {' and '.join(unknown)} are not known" if unknown else ""


def application_units(
    documents: Iterable[Document], files: Collection[str], read_file: Callable[[str], bytes], remotes: Collection[str]
) -> Iterator[Unit]:
    """Yield the units of Applications, and of those of sets, among the objects that a unit renders.

    Those of manifests that are written in the repository, and apply a path as it is, are units of that path.
    """
    for one in declarations(documents, files, read_file, remotes):
        if one.root:
            other = next(iter(one.applied.other_repositories), "") if one.source else ""
            gap = one.applied.gap or (f"its source is {other}" if other else "")
            fetched = one.fetched_source if other and not one.applied.gap else None
            yield Unit(one.root, Form.RELEASE, frozenset(), replace(one.applied, gap=gap, fetched_source=fetched))


def _apply_settings(application: JsonObject, why: Reason) -> Applied:
    """Return how an Application applies its objects."""
    spec = mapping(application.get("spec"))
    target = _target(spec)
    return Applied(
        tool=ARGO_TOOL,
        namespace=_static_text(text_at(spec, "destination", "namespace")),
        target=target,
        # Every Argo CD has this name for its own cluster.
        is_known_target=target not in ("", _OWN_CLUSTER),
        prune=_prune(spec),
        tool_object=application,
        reason=why,
    )


def _target(spec: JsonObject) -> str:
    """Return the destination cluster; Argo CD's own cluster has several names."""
    server, name = text_at(spec, "destination", "server"), text_at(spec, "destination", "name")
    return _OWN_CLUSTER if server.rstrip("/") in _OWN_SERVERS else _static_text(name or server)


def _prune(spec: JsonObject) -> bool | None:
    """Return whether a sync prunes, or ``None`` for manual syncs, which decide each time."""
    automated = dig(spec, "syncPolicy", "automated")
    return boolean_at(automated, "prune") is True if isinstance(automated, dict) else None


def _static_text(word: str) -> str:
    """Return a text, or ``""`` if it has template actions."""
    return "" if has_actions(word) else word
