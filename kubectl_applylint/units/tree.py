"""The roots of a revision by folder: what a path is, what is below it, and which unit it makes."""

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.units.layout import Layout, layout
from kubectl_applylint.units.model import Applied, Form, Unit

Root: TypeAlias = tuple[str, Form]
"""The path of a root, and its type: one folder may have a kustomization and a chart."""
_LAST: Final = chr(sys.maxunicode)


@dataclass(frozen=True, slots=True)
class Tree:
    """The layout of a revision with all its files and roots, both sorted so that each folder is contiguous."""

    layout: Layout
    files: Sequence[str] = field(repr=False)
    roots: Sequence[Root] = field(repr=False)

    def root(self, path: str) -> Root | None:
        """Return the root at a path: a kustomization, else a chart, else plain manifests."""
        if path in self.layout.graph.kustomizations:
            return path, Form.KUSTOMIZATION
        if path in self.layout.charts:
            return path, Form.CHART
        if path in self.layout.plain:
            return path, Form.FOLDER
        return (path, Form.FILE) if path in self.layout.plain.get(path.rpartition("/")[0], ()) else None

    def exists(self, path: str) -> bool:
        """Return whether a path is a file, or a folder with files."""
        index = bisect_left(self.files, path)
        return self.files[index : index + 1] == [path] or bool(self._inside(path))

    def top_folders(self) -> Sequence[str]:
        """Return the names of the folders at the top that have files."""
        found, index = list[str](), 0
        while index < len(self.files):
            name, is_inside, _ = self.files[index].partition("/")
            if is_inside:
                found.append(name)
            index = bisect_left(self.files, _span(name)[1]) if is_inside else index + 1
        return found

    def below(self, folder: str) -> Sequence[Root]:
        """Return the roots of the layout in or below a folder."""
        start, end = _span(folder)
        return self.roots[bisect_left(self.roots, start, key=_key) : bisect_left(self.roots, end, key=_key)]

    def unit(self, root: Root, applied: Applied | None = None) -> Unit:
        """Return the unit of a root; without ``applied`` only the layout defines how it is applied."""
        path, form = root
        given = () if applied is None else (applied,)
        match form:
            case Form.KUSTOMIZATION:
                return self.layout.kustomization(path, *given)
            case Form.CHART:
                folders = (path, *self.layout.needed.get(path, ()))
                return self.layout.chart(path, chain.from_iterable(map(self._inside, folders)), *given)
            case Form.FOLDER:
                return self.layout.folder(path, *given)
            case Form.FILE | Form.RELEASE | Form.RESOURCE_SET:
                return Unit(path, form, frozenset((path,)), *given)

    def _inside(self, folder: str) -> Sequence[str]:
        start, end = _span(folder)
        return self.files[bisect_left(self.files, start) : bisect_left(self.files, end)]


def tree(paths: Iterable[str], read_file: Callable[[str], bytes]) -> Tree:
    """Return the tree of all files of a revision; ``read_file`` returns the contents of kustomizations."""
    files = sorted(paths)
    found = layout(files, read_file)
    roots = [
        *((path, Form.KUSTOMIZATION) for path in found.graph.roots()),
        *((path, Form.CHART) for path in found.charts),
        *((path, Form.FOLDER) for path in found.plain),
    ]
    return Tree(found, files, sorted(roots, key=_key))


def _key(root: Root) -> str:
    return f"{root[0]}/"


def _span(folder: str) -> tuple[str, str]:
    """Return the bounds between which the paths below a folder sort; the character after ``/`` is ``0``."""
    return (f"{folder}/", f"{folder}0") if folder else ("", _LAST)
