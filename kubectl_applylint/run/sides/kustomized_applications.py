"""Applications of Argo CD that kustomizations of the repository change, as they are rendered."""

import posixpath
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP
from kubectl_applylint.units.model import Form
from kubectl_applylint.units.tree import Tree

_DECLARING: Final = ("Application", "ApplicationSet")
_CHANGING: Final = regex(
    rb"(?m)^(?:patches|patchesStrategicMerge|patchesJson6902|replacements|namePrefix|nameSuffix)[ \t]*:"
)
"""The fields of a kustomization that change an Application in a way that matters here."""


def with_kustomized_applications(
    side: Side, found: Tree, written: Mapping[str, Sequence[Document]], loose: Sequence[Document]
) -> tuple[Document, ...]:
    """Return ``loose`` objects, with Applications as the kustomizations that change them render them.

    ``written`` are the declaring objects in the files of the side, by path. If a kustomization cannot be rendered, its
    Applications are taken as they are written. One that only sets their namespace is not rendered.
    """
    paths = frozenset(path for path, every in written.items() if any(map(_is_declaring, every)))
    if not paths:
        return tuple(loose)
    rendered = [*_rendered_applications(side, found, paths)]
    files = frozenset(side.label(path) for own, _ in rendered for path in own)
    namespaces = {side.label(path): name for path, name in _namespaces(side, found, paths)}
    kept = (one for one in loose if not (_is_declaring(one) and one.file in files))
    return (
        *(_with_namespace(one, namespaces.get(one.file, "")) if _is_declaring(one) else one for one in kept),
        *(one for _, documents in rendered for one in documents),
    )


def _namespaces(side: Side, found: Tree, paths: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield the files with the one namespace that kustomizations set for their objects, if they set only one."""
    names: dict[str, set[str]] = {}
    graph = found.layout.graph
    for folder in (folder for folder, form in found.roots if form is Form.KUSTOMIZATION):
        files = graph.closure(folder)
        own = files.intersection(paths)
        texts = side.contents([*filter(is_kustomization, files)]) if own else {}
        setting = {path: text_at(mapping(first_document(text)), "namespace") for path, text in texts.items()}
        outer = setting.get(graph.file_of[folder], "")
        inner = [(graph.closure(posixpath.dirname(path)), name) for path, name in setting.items() if name]
        for path in own:
            own_names = {outer} if outer else {name for every, name in inner if path in every}
            names.setdefault(path, set()).update(own_names or {""})
    yield from ((path, every.pop()) for path, every in names.items() if len(every) == 1)


def _with_namespace(document: Document, namespace: str) -> Document:
    if not namespace:
        return document
    metadata = {**mapping(document.object.get("metadata")), "namespace": namespace}
    return replace(
        document, object={**document.object, "metadata": metadata}, ref=replace(document.ref, namespace=namespace)
    )


def _rendered_applications(
    side: Side, found: Tree, paths: Collection[str]
) -> Iterator[tuple[frozenset[str], Sequence[Document]]]:
    """Yield the files with Applications that each kustomization changes, and its Applications."""
    graph = found.layout.graph
    for folder in sorted(folder for folder, form in found.roots if form is Form.KUSTOMIZATION):
        files = graph.closure(folder)
        own = files.intersection(paths)
        texts = side.contents([*filter(is_kustomization, files)]) if own else {}
        if any(map(_CHANGING.search, texts.values())):
            documents = [one for one in side.render(folder).documents if _is_declaring(one)]
            yield from [(own, documents)] if documents else ()


def _is_declaring(document: Document) -> bool:
    return document.ref.group == ARGO_GROUP and document.ref.kind in _DECLARING
