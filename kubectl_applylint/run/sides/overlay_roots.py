"""Roots of clusters whose Kustomization is a shared file that an overlay of each cluster patches.

``clusters/base/flux-system/gotk-sync.yaml`` has no path, or another one; ``clusters/prod/kustomization.yaml`` includes
it, and sets the path to ``clusters/prod``. Only the rendered object says what Flux applies.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import text_at
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.tools.flux.declarations import applied_folder, is_kustomization, makes_source
from kubectl_applylint.units.model import Form
from kubectl_applylint.units.tree import Tree

_PATH: Final = ("spec", "path")


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


def _may_be_root(folder: str, written: Mapping[str, Sequence[Document]]) -> bool:
    declared = [(path, one) for path, every in written.items() for one in every if is_kustomization(one)]
    has_base = any(not path.startswith(f"{folder}/") for path, _ in declared)
    return bool(folder) and has_base and not any(_applies(one, folder) for _, one in declared)


def _applies(document: Document, folder: str) -> bool:
    return is_kustomization(document) and applied_folder(text_at(document.object, *_PATH)) == folder


def _root_objects(folder: str, documents: Sequence[Document]) -> tuple[Document, ...]:
    root = next((one for one in documents if _applies(one, folder)), None)
    return (*filter(makes_source, documents), root) if root else ()
