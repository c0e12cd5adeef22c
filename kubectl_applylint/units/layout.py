"""What the layout of a repository says about its applies: kustomizations, charts, and folders of plain manifests.

Names decide nearly everything; only kustomizations are opened.
"""

import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from kubectl_applylint.sources.classify import KUSTOMIZATION_FILES
from kubectl_applylint.units.kustomizations import Graph, read
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

EXTENSIONS: Final = (".yaml", ".yml", ".json")
_CHART: Final = "Chart.yaml"

_KUSTOMIZE = Applied(tool="kubectl", reason=Reason("a kustomization that no other one refers to"))
_HELM = Applied(tool="helm", reason=Reason("a chart"))
_FOLDER = Applied(reason=Reason("manifests of a folder"))
_FILE = Applied(reason=Reason("an alternative to other files of its folder"))


@dataclass(frozen=True, slots=True)
class Layout:
    """The roots of one revision. ``plain`` are the files of folders that belong to no kustomization and no chart."""

    graph: Graph = field(repr=False)
    roots: frozenset[str]
    charts: frozenset[str]
    plain: Mapping[str, tuple[str, ...]] = field(repr=False)

    def kustomization(self, root: str, applied: Applied = _KUSTOMIZE) -> Unit:
        """Return the unit of the kustomization in a folder."""
        return Unit(root, Form.KUSTOMIZATION, self.graph.closure(root), applied)

    def folder(self, root: str, applied: Applied = _FOLDER) -> Unit:
        """Return the unit of the plain manifests in a folder."""
        return Unit(root, Form.FOLDER, frozenset(self.plain.get(root, ())), applied)

    def chart(self, root: str, paths: Iterable[str], applied: Applied = _HELM) -> Unit:
        """Return the unit of a chart; all files below it are part of it."""
        start = f"{root}/" if root else ""
        return Unit(root, Form.CHART, frozenset(path for path in paths if path.startswith(start)), applied)


def alternatives(unit: Unit) -> Iterator[Unit]:
    """Yield each file of a folder as a unit of its own."""
    for path in sorted(unit.files):
        yield Unit(path, Form.FILE, frozenset((path,)), Applied(unit.applied.tool, reason=_FILE.reason))


def layout(paths: Iterable[str], read_file: Callable[[str], bytes]) -> Layout:
    """Return what lies where, of all files of a repository; ``read_file`` gives the content of a kustomization."""
    manifests: list[str] = []
    named: dict[str, str] = {}
    charts: set[str] = set()
    every = frozenset(paths)
    for path in every:
        folder, _, name = path.rpartition("/")
        if name in KUSTOMIZATION_FILES:
            named[folder] = min(named.get(folder, path), path, key=_rank)
        elif name == _CHART:
            charts.add(folder)
        elif name.endswith(EXTENSIONS):
            manifests.append(path)
    graph = Graph({folder: read(read_file(path)) for folder, path in named.items()}, named, every.__contains__)
    own = frozenset(folder for folder in charts if not _is_within(posixpath.dirname(folder), charts))
    return Layout(graph, graph.roots(), own, _plain(manifests, graph, charts))


def _rank(path: str) -> int:
    """Return which file kustomize takes first in a folder that has several."""
    return KUSTOMIZATION_FILES.index(path.rpartition("/")[2])


def _plain(manifests: Iterable[str], graph: Graph, charts: set[str]) -> Mapping[str, tuple[str, ...]]:
    used = graph.used()
    inside: dict[str, bool] = {}
    found: dict[str, list[str]] = {}
    for path in manifests:
        folder = path.rpartition("/")[0]
        if folder not in inside:
            inside[folder] = folder in graph.kustomizations or _is_within(folder, charts)
        if not inside[folder] and path not in used:
            found.setdefault(folder, []).append(path)
    return {folder: tuple(sorted(files, key=_in_bytes)) for folder, files in found.items()}


def _in_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _is_within(folder: str, others: set[str]) -> bool:
    """Tell whether a folder is one of some others or lies below one; the root of the repository holds all."""
    while folder.strip("/"):
        if folder in others:
            return True
        folder = posixpath.dirname(folder)
    return "" in others
