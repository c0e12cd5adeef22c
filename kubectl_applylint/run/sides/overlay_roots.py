"""Roots of clusters whose Kustomization is patched: only the rendered object says what Flux applies.

It may be a shared file: ``clusters/base/flux-system/gotk-sync.yaml`` has no path, or another one, and
``clusters/prod/kustomization.yaml`` includes it, and sets the path to ``clusters/prod``. Or it is the file of the
cluster, which ``flux bootstrap`` applies as the kustomization beside it renders it, with decryption for example.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import text_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.flux.declarations import applied_folder, is_kustomization, makes_source
from kubectl_applylint.units.model import Form
from kubectl_applylint.units.tree import Tree

_PATH: Final = ("spec", "path")
_KINDS: Final = rb"""kind["']?[ \t]*:[ \t]*["']?(?:Bucket|GitRepository|Kustomization|OCIRepository)\b"""
_TARGET: Final = regex(rb"^.+\b" + _KINDS, re.MULTILINE)
"""Matches a kustomization with a patch of a source or a Kustomization of Flux."""
_MERGED: Final = regex(rb"^" + _KINDS, re.MULTILINE)
"""Matches such an object in a file, which may be a patch."""


@dataclass(frozen=True, slots=True)
class OverlayRoot:
    """A folder with a kustomization that renders the Kustomization by which Flux applies that folder."""

    folder: str
    objects: tuple[Document, ...]
    """The sources that it renders, and the Kustomization as the last one."""
    files: frozenset[str]
    """The files that it is rendered from."""


def overlay_roots(side: Side, written: Mapping[str, Sequence[Document]], found: Tree) -> Iterator[OverlayRoot]:
    """Yield the overlays that apply themselves; ``written`` are the declaring objects in the files, by path.

    Only overlays are rendered that include Kustomizations of other folders, if none in their files has their path.
    """
    for folder in sorted(folder for folder, form in found.roots if form is Form.KUSTOMIZATION):
        files = found.layout.graph.closure(folder)
        if not _may_be_root(folder, {path: written[path] for path in files & written.keys()}):
            continue
        objects = _root_objects(folder, side.render(folder).documents)
        if objects:
            yield OverlayRoot(folder, objects, frozenset(files))


def patched_roots(
    side: Side, written: Mapping[str, Sequence[Document]], found: Tree
) -> Iterator[tuple[str, tuple[Document, ...]]]:
    """Yield the files with a Kustomization that applies them, if the kustomization of its path or beside it patches it.

    Each has its declaring objects as they are rendered; ``written`` are those in the files, by path.
    """
    for path, documents in written.items():
        beside = path.rpartition("/")[0]
        roots = [one for one in documents if is_kustomization(one) and _is_below(beside, one)]
        homes = [*(applied_folder(text_at(one.object, *_PATH)) for one in roots), beside] if roots else []
        home = next((one for one in homes if _may_patch(side, one, path, written, found)), None)
        if home is not None:
            rendered = {one.ref.identity: one for one in side.render(home).documents}
            yield path, tuple(rendered.get(one.ref.identity, one) for one in documents)


def _is_below(folder: str, document: Document) -> bool:
    path = text_at(document.object, *_PATH)
    return bool(path) and f"{folder}/".startswith(f"{applied_folder(path)}/".lstrip("/"))


def _may_patch(side: Side, home: str, path: str, written: Mapping[str, Sequence[Document]], found: Tree) -> bool:
    """Return whether the kustomization of a folder may patch the declaring objects of one of its files."""
    graph = found.layout.graph
    if home not in graph.kustomizations:
        return False
    files = graph.closure(home)
    # What a kustomization lists as a patch is no object of its file.
    others = side.contents({one for one in files & written.keys() if not written[one]}).values()
    is_target = _TARGET.search(side.content(graph.file_of[home])) is not None
    return path in files and (is_target or any(map(_MERGED.search, others)))


def _may_be_root(folder: str, written: Mapping[str, Sequence[Document]]) -> bool:
    declared = [(path, one) for path, every in written.items() for one in every if is_kustomization(one)]
    has_base = any(not path.startswith(f"{folder}/") for path, _ in declared)
    return bool(folder) and has_base and not any(_applies(one, folder) for _, one in declared)


def _applies(document: Document, folder: str) -> bool:
    return is_kustomization(document) and applied_folder(text_at(document.object, *_PATH)) == folder


def _root_objects(folder: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    root = next((one for one in documents if _applies(one, folder)), None)
    return (*filter(makes_source, documents), root) if root else ()
