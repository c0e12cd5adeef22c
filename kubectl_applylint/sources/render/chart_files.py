"""What a chart is made of: its own files, and the charts that it depends on, as far as they are in the repository.

Fields as in ``Chart.yaml`` (https://helm.sh/docs/topics/charts/); charts of ``apiVersion: v1`` list dependencies in
``requirements.yaml``.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import items, mapping, text_at
from kubectl_applylint.sources.text.manifests import first_document

CHART: Final = "Chart.yaml"
REQUIREMENTS: Final = "requirements.yaml"
NAMES: Final = frozenset({CHART, REQUIREMENTS})
"""The files that say what a chart is and what it depends on."""
_LOCAL: Final = "file://"
READ: Final = ("templates", "crds", "charts")
"""The folders of a chart from which Helm takes objects."""
_REQUIRED: Final = frozenset({b"apiVersion", b"name", b"version"})
_REQUIRED_KEY: Final = regex(rb"^(apiVersion|name|version)[ \t]*:[ \t]*[^\s#]", re.MULTILINE)
_TELLING: Final = (b"dependencies", b"library")
_FOREIGN: Final = regex(r"[^a-z0-9.-]+")
_MOST_LINKS: Final = 4
"""How many symlinks may lead from one folder into another."""
_LONGEST_RELEASE: Final = 53
"""Characters that helm takes for the name of a release."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """Another chart that a chart needs: its name, and the address that it comes from, if one is given."""

    name: str
    repository: str = ""


@dataclass(frozen=True, slots=True)
class Metadata:
    """What a chart says of itself."""

    name: str = ""
    is_library: bool = False
    dependencies: tuple[Dependency, ...] = ()

    @property
    def release(self) -> str:
        """A name to install it under."""
        return _FOREIGN.sub("-", self.name.lower())[:_LONGEST_RELEASE].strip("-.") or "release"


@dataclass(frozen=True, slots=True)
class Charts:
    """The files of one side, all paths with ``/`` between folders and relative to its top."""

    paths: Collection[str] = field(repr=False)
    read: Callable[[str], bytes] = field(repr=False)

    def metadata(self, folder: str) -> Metadata:
        """Return what the chart in a folder says of itself; one that cannot be read says nothing."""
        chart, requirements = (posixpath.join(folder, name) for name in (CHART, REQUIREMENTS))
        content = self.read(chart) if chart in self.paths else b""
        said = mapping(first_document(content))
        older = mapping(first_document(self.read(requirements))) if requirements in self.paths else {}
        listed = (*items(said.get("dependencies")), *items(older.get("dependencies")))
        dependencies = tuple(Dependency(text_at(one, "name"), text_at(one, "repository")) for one in listed)
        return Metadata(text_at(said, "name"), said.get("type") == "library", dependencies)

    def is_chart(self, folder: str) -> bool:
        """Return whether a folder with ``Chart.yaml`` is a chart: it has a name and a version, or templates."""
        content = self.read(posixpath.join(folder, CHART))
        if {*_REQUIRED_KEY.findall(content)} >= _REQUIRED:
            return True
        start = posixpath.join(folder, READ[0], "")
        said = mapping(first_document(content))
        return all(said.get(key.decode()) for key in _REQUIRED) or any(path.startswith(start) for path in self.paths)

    def is_plain(self, folder: str) -> bool:
        """Tell whether the chart in a folder is surely no library and depends on nothing, without parsing it."""
        if posixpath.join(folder, REQUIREMENTS) in self.paths:
            return False
        content = self.read(posixpath.join(folder, CHART))
        return not any(word in content for word in _TELLING)

    def neighbours(self, folder: str) -> tuple[str, ...]:
        """Return the folders of the repository that a chart depends on by path, with those that they depend on."""
        found: dict[str, None] = {}
        todo = [folder]
        while todo:
            current = todo.pop()
            for one in () if self.is_plain(current) else self.metadata(current).dependencies:
                place = local_folder(current, one)
                if place and place != folder and place not in found and f"{place}/{CHART}" in self.paths:
                    found[place] = None
                    todo.append(place)
        return tuple(found)


def local_folder(folder: str, dependency: Dependency) -> str:
    """Return the path of a dependency that is given as a path from its chart, empty where it leads out or is none."""
    if not dependency.repository.startswith(_LOCAL):
        return ""
    path = dependency.repository.removeprefix(_LOCAL)
    whole = posixpath.normpath(posixpath.join(folder, path))
    return "" if posixpath.isabs(path) or "\0" in path or whole in ("..", ".") or whole.startswith("../") else whole


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """How the files of a chart are laid out to be rendered: the path of each there, and where it comes from."""

    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    fault: str = ""
    """Why it cannot be rendered, empty if nothing is known to be in the way."""


Linked = Callable[[str], Mapping[str, str | None]]
"""Gives where the symlinks below a folder lead, to a file or a folder; ``None`` for those that lead out."""


def laid_out(folder: str, files: Collection[str], charts: Charts, linked: Linked) -> ChartLayout:
    """Return how the chart in a folder is rendered; dependencies that are given as paths get a place in ``charts/``.

    ``files`` are those of the chart and of what it depends on by path. Symlinks are replaced by what they lead to.
    """
    found = _unlinked(folder, charts, linked)
    if isinstance(found, str):
        return ChartLayout(fault=f"{found} is a symlink that leads to no file of the repository")
    todo = [(folder, folder, frozenset({folder}))]
    while todo:
        source, target, around = todo.pop()
        start = f"{source}/" if source else ""
        found |= {posixpath.join(target, path.removeprefix(start)): path for path in files if path.startswith(start)}
        for one in charts.metadata(source).dependencies:
            if _is_vendored(source, one.name, files, charts):
                continue
            place = local_folder(source, one)
            if not place or place in around or posixpath.join(place, CHART) not in charts.paths:
                return ChartLayout(fault=_missing(one))
            todo.append((place, posixpath.join(target, "charts", one.name), around | {place}))
    return ChartLayout(found)


def _unlinked(folder: str, charts: Charts, linked: Linked) -> dict[str, str] | str:
    """Return what symlinks below a folder stand for, by the paths that this has through them, or one that is broken.

    Links are looked for in what others lead to, too, as far as that goes on.
    """
    found: dict[str, str] = {}
    todo = [(folder, folder)]
    for _ in range(_MOST_LINKS):
        links = {
            posixpath.join(target, path[len(source) :].lstrip("/")): end
            for source, target in todo
            for path, end in linked(source).items()
        }
        todo = []
        for path, end in links.items():
            inside = _below(end, charts) if end else {}
            if end and end in charts.paths:
                found[path] = end
            elif not inside or end is None:
                return path
            else:
                found |= {f"{path}{rest}": source for rest, source in inside.items()}
                todo.append((end, path))
        if not todo:
            break
    return found


def _below(folder: str, charts: Charts) -> dict[str, str]:
    start = f"{folder}/"
    return {path[len(folder) :]: path for path in charts.paths if path.startswith(start)}


def _missing(dependency: Dependency) -> str:
    origin = f" ({dependency.repository})" if dependency.repository else ""
    if dependency.repository.startswith(_LOCAL):
        return f"its dependency {dependency.name}{origin} is not in the repository"
    return f"its dependency {dependency.name}{origin} is not in charts/, and nothing is downloaded"


def _is_vendored(folder: str, name: str, files: Collection[str], charts: Charts) -> bool:
    """Tell whether a chart has another one in its folder ``charts``, as a folder or as an archive."""
    start = posixpath.join(folder, "charts", "")
    inside = [path.removeprefix(start) for path in files if path.startswith(start)]
    archive = re.compile(rf"{re.escape(name)}-v?\d[^/]*\.tgz")
    return f"{name}/{CHART}" in inside or any(map(archive.fullmatch, inside)) or name in _names(start, inside, charts)


def _names(start: str, inside: Collection[str], charts: Charts) -> Iterator[str]:
    for path in inside:
        if path.endswith(f"/{CHART}") and path.count("/") == 1:
            yield charts.metadata(posixpath.dirname(f"{start}{path}")).name
