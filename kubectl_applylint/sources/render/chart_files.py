"""The files of a chart and its dependencies within the repository.

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
"""The files with the metadata and the dependencies of a chart."""
_LOCAL: Final = "file://"
READ: Final = ("templates", "crds", "charts")
"""The folders of a chart from which Helm takes objects."""
_REQUIRED: Final = frozenset({b"apiVersion", b"name", b"version"})
_REQUIRED_KEY: Final = regex(rb"^(apiVersion|name|version)[ \t]*:[ \t]*[^\s#]", re.MULTILINE)
_MARKERS: Final = (b"dependencies", b"library")
_FOREIGN: Final = regex(r"[^a-z0-9.-]+")
_MOST_LINKS: Final = 4
"""The longest chain of symlinks between folders that is followed."""
_LONGEST_RELEASE: Final = 53
"""Maximum length of a release name in Helm, in characters."""


@dataclass(frozen=True, slots=True)
class Dependency:
    """A dependency of a chart: its name, and its repository if one is given."""

    name: str
    repository: str = ""

    @property
    def is_remote(self) -> bool:
        """Whether ``applylint fetch`` can download it."""
        return "://" in self.repository and not self.repository.startswith(_LOCAL)


@dataclass(frozen=True, slots=True)
class Metadata:
    """Metadata of a chart from ``Chart.yaml`` and ``requirements.yaml``."""

    name: str = ""
    is_library: bool = False
    dependencies: tuple[Dependency, ...] = ()

    @property
    def release(self) -> str:
        """The default release name."""
        return _FOREIGN.sub("-", self.name.lower())[:_LONGEST_RELEASE].strip("-.") or "release"


@dataclass(frozen=True, slots=True)
class Charts:
    """The files of one side. Paths are relative to its top, with ``/`` between folders."""

    paths: Collection[str] = field(repr=False)
    read: Callable[[str], bytes] = field(repr=False)

    def metadata(self, folder: str) -> Metadata:
        """Return the metadata of the chart in a folder, empty if it cannot be read."""
        chart, requirements = (posixpath.join(folder, name) for name in (CHART, REQUIREMENTS))
        content = self.read(chart) if chart in self.paths else b""
        chart_yaml = mapping(first_document(content))
        older = mapping(first_document(self.read(requirements))) if requirements in self.paths else {}
        listed = (*items(chart_yaml.get("dependencies")), *items(older.get("dependencies")))
        dependencies = tuple(Dependency(text_at(one, "name"), text_at(one, "repository")) for one in listed)
        return Metadata(text_at(chart_yaml, "name"), chart_yaml.get("type") == "library", dependencies)

    def is_chart(self, folder: str) -> bool:
        """Return whether a folder with ``Chart.yaml`` is a chart: it has a name and a version, or templates."""
        content = self.read(posixpath.join(folder, CHART))
        if {*_REQUIRED_KEY.findall(content)} >= _REQUIRED:
            return True
        start = posixpath.join(folder, READ[0], "")
        chart_yaml = mapping(first_document(content))
        return all(chart_yaml.get(key.decode()) for key in _REQUIRED) or any(
            path.startswith(start) for path in self.paths
        )

    def is_plain(self, folder: str) -> bool:
        """Return whether a chart is certainly no library and has no dependencies, without parsing it."""
        if posixpath.join(folder, REQUIREMENTS) in self.paths:
            return False
        chart = posixpath.join(folder, CHART)
        content = self.read(chart) if chart in self.paths else b""
        return not any(word in content for word in _MARKERS)

    def neighbours(self, folder: str) -> tuple[str, ...]:
        """Return the folders of all dependencies that are given by path, including indirect ones."""
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
    """Return the folder of a dependency that is given by path, or "" for any other or one outside of the repository."""
    if not dependency.repository.startswith(_LOCAL):
        return ""
    path = dependency.repository.removeprefix(_LOCAL)
    whole = posixpath.normpath(posixpath.join(folder, path))
    return "" if posixpath.isabs(path) or "\0" in path or whole in ("..", ".") or whole.startswith("../") else whole


@dataclass(frozen=True, slots=True)
class MissingDependency:
    """A dependency that is not in the repository; ``chart`` is the folder in the copy of the chart that needs it."""

    chart: str
    dependency: Dependency
    is_direct: bool
    """Whether the rendered chart itself needs it."""

    @property
    def words(self) -> str:
        """Its name, and why it is missing."""
        return _missing_dependency(self.dependency)


@dataclass(frozen=True, slots=True)
class ChartLayout:
    """The files of a chart for rendering: their paths in the copy, mapped to their sources."""

    sources: Mapping[str, str] = field(default_factory=dict, repr=False)
    fault: str = ""
    """Why the chart cannot be rendered, empty if no reason is known."""
    missing: tuple[MissingDependency, ...] = ()


LinkTargets = Callable[[str], Mapping[str, str | None]]
"""Returns the targets of the symlinks below a folder; ``None`` for targets outside of the repository."""


def chart_layout(folder: str, files: Collection[str], charts: Charts, linked: LinkTargets) -> ChartLayout:
    """Return the layout for rendering a chart. Dependencies that are given by path are placed in ``charts/``.

    ``files`` are those of the chart and of its dependencies by path. Symlinks are replaced by their targets.
    """
    found = _link_targets(folder, charts, linked)
    if isinstance(found, str):
        return ChartLayout(fault=f"{found} is a symlink that leads to no file of the repository")
    missing: list[MissingDependency] = []
    todo = [(folder, folder, frozenset({folder}))]
    while todo:
        source, target, around = todo.pop()
        start = f"{source}/" if source else ""
        found |= {posixpath.join(target, path.removeprefix(start)): path for path in files if path.startswith(start)}
        for one in charts.metadata(source).dependencies:
            if is_vendored(source, one.name, files, charts):
                continue
            place = local_folder(source, one)
            if not place or place in around or posixpath.join(place, CHART) not in charts.paths:
                missing.append(MissingDependency(target, one, target == folder))
                continue
            todo.append((place, posixpath.join(target, "charts", one.name), around | {place}))
    return ChartLayout(found, missing=tuple(missing))


def _link_targets(folder: str, charts: Charts, linked: LinkTargets) -> dict[str, str] | str:
    """Return the files behind symlinks by their paths through these, or the path of a broken symlink.

    Symlinks within the targets are followed as well, up to ``_MOST_LINKS`` levels.
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
            inside = _files_below(end, charts) if end else {}
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


def _files_below(folder: str, charts: Charts) -> dict[str, str]:
    start = f"{folder}/"
    return {path[len(folder) :]: path for path in charts.paths if path.startswith(start)}


def _missing_dependency(dependency: Dependency) -> str:
    origin = f" ({dependency.repository})" if dependency.repository else ""
    if dependency.repository.startswith(_LOCAL):
        return f"{dependency.name}{origin} is not in the repository"
    place = "neither in charts/ nor in the store" if dependency.is_remote else "not in charts/"
    return f"{dependency.name}{origin} is {place}"


def is_vendored(folder: str, name: str, files: Collection[str], charts: Charts) -> bool:
    """Return whether the ``charts`` folder of a chart contains a dependency, as a folder or as an archive."""
    start = posixpath.join(folder, "charts", "")
    inside = [path.removeprefix(start) for path in files if path.startswith(start)]
    archive = re.compile(rf"{re.escape(name)}-v?\d[^/]*\.tgz")
    return f"{name}/{CHART}" in inside or any(map(archive.fullmatch, inside)) or name in _names(start, inside, charts)


def _names(start: str, inside: Collection[str], charts: Charts) -> Iterator[str]:
    for path in inside:
        if path.endswith(f"/{CHART}") and path.count("/") == 1:
            yield charts.metadata(posixpath.dirname(f"{start}{path}")).name
