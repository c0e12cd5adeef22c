"""Paths that the ``Application`` and ``ApplicationSet`` objects of Argo CD apply.

Fields as in the definitions of argoproj.io/v1alpha1.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.tools.argocd.generators import RepositoryView, parameters
from kubectl_applylint.tools.argocd.templates import has_actions, render
from kubectl_applylint.tools.helm.chart_options import argocd_options
from kubectl_applylint.units.declared import Declared
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import Applied, Reason
from kubectl_applylint.units.reading import boolean_at, folders_of, is_kind, is_too_deep, reason
from kubectl_applylint.units.remotes import revision_named

_TOOL: Final = "argocd"
_GROUP: Final = "argoproj.io"
_OWN_CLUSTER: Final = "in-cluster"
_OWN_SERVERS: Final = ("https://kubernetes.default.svc", "https://kubernetes.default.svc.cluster.local")
_PATCHED: Final = regex(r"\b(?:sources?|destination)\b")


def declarations(
    documents: Iterable[Document],
    files: Collection[str] = (),
    read_file: Callable[[str], bytes] = lambda _: b"",
    remotes: Collection[str] = (),
) -> Iterator[Declared]:
    """Yield each repository path that an Application applies.

    The git generator of an ``ApplicationSet`` searches ``files``, the files of the repository with these remotes;
    ``read_file`` returns their contents. If a generator depends on external data, such as the clusters of Argo CD,
    target and namespace stay open. Paths that cannot be resolved are left out. The namespace of an Application is the
    default for objects without one.
    """
    sets: list[Document] = []
    for document in documents:
        if is_kind(document, "Application", _GROUP):
            yield from _application(document.object, reason(document, _place(document)))
        elif is_kind(document, "ApplicationSet", _GROUP):
            sets.append(document)
    repo = RepositoryView(files, folders_of(files) if sets else (), read_file, remotes)
    for document in sets:
        yield from dict.fromkeys(_applications(document, repo))


def _place(document: Document) -> Path:
    """Return the path of the field that names the source."""
    is_one = text_at(document.object, "spec", "source", "path")
    return fields("spec", "source", "path") if is_one else fields("spec", "sources")


def _applications(document: Document, repo: RepositoryView) -> Iterator[Declared]:
    """Yield the paths that the Applications of a set apply; none if its spec is nested too deeply."""
    spec = mapping(document.object.get("spec"))
    if is_too_deep(spec) or _PATCHED.search(text_at(spec, "templatePatch")):
        return
    why = reason(document, fields("spec", "template", "spec"))
    is_go = spec.get("goTemplate") is True
    for generator in items(spec.get("generators")):
        template = _template(spec, generator)
        for values in parameters(generator, repo, is_go=is_go):
            yield from _application(mapping(render(template, values, is_go=is_go)), why)


def _template(spec: JsonObject, generator: Json) -> Json:
    """Return the template of a set, merged with the template of a generator."""
    own = [dig(value, "template") for value in mapping(generator).values()]
    template: Json = mapping(spec.get("template"))
    for one in own:
        template = _merge_templates(template, one) if isinstance(one, dict) else template
    return template


def _merge_templates(below: Json, above: Json) -> Json:
    """Return ``above`` merged over ``below``; empty values above keep the value below."""
    if isinstance(below, dict) and isinstance(above, dict):
        return {key: _merge_templates(below.get(key), above.get(key)) for key in {**below, **above}}
    return above or below


def _application(application: JsonObject, why: Reason) -> Iterator[Declared]:
    """Yield the paths that one Application applies."""
    spec = mapping(application.get("spec"))
    # With ``sources``, Argo CD ignores ``source``.
    sources = items(spec.get("sources")) or [spec.get("source")]
    target = _target(spec)
    applied = Applied(
        tool=_TOOL,
        namespace=_static_text(text_at(spec, "destination", "namespace")),
        target=target,
        # Every Argo CD has this name for its own cluster.
        is_known_target=target not in ("", _OWN_CLUSTER),
        prune=_prune(spec),
        tool_object=application,
        reason=why,
    )
    for source in sources:
        path, url = text_at(source, "path"), text_at(source, "repoURL")
        folder = resolve_reference("", path)
        if path and folder is not None and not has_actions(path) and not text_at(source, "chart"):
            is_recursive = boolean_at(source, "directory", "recurse") is True
            helm = argocd_options(source, sources, text_at(application, "metadata", "name"))
            revision = revision_named(_static_text(text_at(source, "targetRevision")))
            yield Declared(folder, replace(applied, helm=helm), is_recursive, _static_text(url), revision)


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
