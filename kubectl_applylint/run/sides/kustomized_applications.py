"""Applications of Argo CD that kustomizations of the repository change, as they are rendered."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document, in_namespace
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import mapping, text_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP
from kubectl_applylint.units.kustomizations import Graph
from kubectl_applylint.units.model import Form
from kubectl_applylint.units.tree import Tree

_DECLARING: Final = ("Application", "ApplicationSet")
_CHANGING: Final = regex(
    rb"(?m)^(?:patches|patchesStrategicMerge|patchesJson6902|replacements|namePrefix|nameSuffix)[ \t]*:"
)
"""The fields of a kustomization that change an Application in a way that matters here."""

_NAMESPACE: Final = b"namespace"


@dataclass(frozen=True, slots=True)
class _Kustomization:
    """A root kustomization with Applications, the files that have these, and the texts of all its kustomizations."""

    folder: str
    files: frozenset[str]
    texts: Mapping[str, bytes] = field(repr=False)


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
    kustomizations = [*_kustomizations(side, found, paths)]
    rendered = [*_rendered_applications(side, kustomizations)]
    files = frozenset(side.label(path) for own, _ in rendered for path in own)
    namespaces = {side.label(path): name for path, name in _namespaces(found.layout.graph, kustomizations) if name}
    kept = (one for one in loose if not (_is_declaring(one) and one.file in files))
    placed = (
        in_namespace(one, namespaces[one.file]) if one.file in namespaces and _is_declaring(one) else one
        for one in kept
    )
    return (*placed, *(one for _, documents in rendered for one in documents))


def _namespaces(graph: Graph, every: Iterable[_Kustomization]) -> Iterator[tuple[str, str]]:
    """Yield the files with the one namespace that kustomizations set for their objects, if they set only one."""
    names: dict[str, set[str]] = {}
    for one in every:
        texts = {path: text for path, text in one.texts.items() if _NAMESPACE in text}
        setting = {path: text_at(mapping(first_document(text)), "namespace") for path, text in texts.items()}
        outer = setting.get(graph.file_of[one.folder], "")
        inner = [(graph.closure(posixpath.dirname(path)), name) for path, name in setting.items() if name]
        for path in one.files:
            own_names = {outer} if outer else {name for closure, name in inner if path in closure}
            names.setdefault(path, set()).update(own_names or {""})
    yield from ((path, own_names.pop()) for path, own_names in names.items() if len(own_names) == 1)


def _rendered_applications(
    side: Side, every: Iterable[_Kustomization]
) -> Iterator[tuple[frozenset[str], Sequence[Document]]]:
    """Yield the files with Applications that each kustomization changes, and its Applications."""
    for one in every:
        if any(map(_CHANGING.search, one.texts.values())):
            documents = [document for document in side.render(one.folder).documents if _is_declaring(document)]
            yield from [(one.files, documents)] if documents else ()


def _kustomizations(side: Side, found: Tree, paths: Collection[str]) -> Iterator[_Kustomization]:
    """Yield the root kustomizations with some of the files in ``paths``."""
    graph = found.layout.graph
    for folder in sorted(folder for folder, form in found.roots if form is Form.KUSTOMIZATION):
        closure = graph.closure(folder)
        files = closure.intersection(paths)
        if files:
            yield _Kustomization(folder, files, side.contents([*filter(is_kustomization, closure)]))


def _is_declaring(document: Document) -> bool:
    return document.ref.group == ARGO_GROUP and document.ref.kind in _DECLARING
