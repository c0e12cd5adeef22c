"""The layout of a repository: kustomizations, charts, and folders of plain manifests.

Mostly file names are used; only kustomizations and ``Chart.yaml`` are read.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.sources.render.chart_files import CHART, NAMES, READ, Charts
from kubectl_applylint.sources.render.kustomization import files_of
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.units.kustomizations import Graph, Kustomization, read_with_plugins, resolve_reference
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

EXTENSIONS: Final = (".yaml", ".yml", ".json")
_VALUES: Final = regex(r"values(?:-|\.(?!(?:schema|te?mpl|template)\.))[^/]+\.ya?ml")
_OTHER_VALUES: Final = regex(
    r"(?:[^/]+/)*(?:values[^/]*|(?:clusters?|env|envs|environments?|stages?|values)/(?:[^/]+/)*[^/]+)\.ya?ml"
)
"""Files below a chart that may have values for it, beside those of ``_VALUES``."""

_KUSTOMIZE = Applied(tool="kubectl", reason=Reason("a kustomization that no other one refers to"))
_HELM = Applied(tool="helm", prune=True, reason=Reason("a chart"))
INCLUDED_CHART: Final = Reason("a chart that other charts include")
"""Why a chart is a unit that is a dependency of others by its path; it often cannot be installed by itself."""
_FOLDER = Applied(reason=Reason("manifests of a folder"))
_FILE = Applied(reason=Reason("an alternative to other files of its folder"))


@dataclass(frozen=True, slots=True)
class Layout:
    """The roots of one revision. ``plain`` are the files by folder that neither kustomize nor Helm reads.

    ``charts`` are the installable ones: no libraries and no subcharts. ``needed`` are the charts elsewhere in the
    repository that some of them depend on by path.
    """

    graph: Graph = field(repr=False)
    roots: frozenset[str]
    charts: frozenset[str]
    plain: Mapping[str, tuple[str, ...]] = field(repr=False)
    needed: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    with_chart: frozenset[str] = frozenset()
    """The folders of all charts."""
    included: frozenset[str] = frozenset()
    """The charts that other charts depend on by path."""

    def kustomization(self, root: str, applied: Applied = _KUSTOMIZE) -> Unit:
        """Return the unit of the kustomization in a folder."""
        return Unit(root, Form.KUSTOMIZATION, self.graph.closure(root), applied)

    def folder(self, root: str, applied: Applied = _FOLDER) -> Unit:
        """Return the unit of the plain manifests in a folder."""
        files = frozenset(self.plain.get(root, ()))
        return Unit(root, Form.FOLDER, files, applied, is_beside_chart=root in self.with_chart)

    def chart(self, root: str, paths: Iterable[str], applied: Applied = _HELM) -> Unit:
        """Return the unit of a chart; it includes all files below it and below its dependencies."""
        starts = tuple(f"{folder}/" if folder else "" for folder in (root, *self.needed.get(root, ())))
        if applied is _HELM and root in self.included:
            applied = replace(applied, reason=INCLUDED_CHART)
        return Unit(root, Form.CHART, frozenset(path for path in paths if path.startswith(starts)), applied)


def with_files_apart(unit: Unit, apart: Collection[str]) -> Iterator[Unit]:
    """Yield some files of a folder as separate units, and the folder with the rest, if any."""
    rest = unit.files.difference(apart)
    if rest:
        yield replace(unit, files=rest)
    for path in sorted(unit.files - rest):
        yield Unit(path, Form.FILE, frozenset((path,)), Applied(unit.applied.tool, reason=_FILE.reason))


def with_values(unit: Unit) -> Iterator[Unit]:
    """Yield a unit; for a chart one with its own values, and one for each other file with values next to them.

    These are ``values-*.yaml`` and ``values.*.yaml``.
    """
    if unit.form is not Form.CHART:
        yield unit
        return
    start = f"{unit.root}/" if unit.root else ""
    values = sorted(path for path in unit.files if path.startswith(start) and _VALUES.fullmatch(path[len(start) :]))
    own = unit.files.difference(values)
    yield replace(unit, files=own)
    yield from (replace(unit, files=own | {path}, values=(path,)) for path in values)


def other_values_files(chart: Unit) -> Iterator[str]:
    """Yield the files of a chart that may have values for it, and that no unit is rendered with."""
    start = f"{chart.root}/" if chart.root else ""
    for path in sorted(chart.files):
        name = path.removeprefix(start)
        is_below = path.startswith(start) and "/" in name and name.partition("/")[0] not in READ
        if is_below and _OTHER_VALUES.fullmatch(name):
            yield name


def layout(paths: Iterable[str], read_file: Callable[[str], bytes]) -> Layout:
    """Return the layout of all files of a repository; ``read_file`` returns the content of a kustomization."""
    manifests: list[str] = []
    named: dict[str, str] = {}
    charts: set[str] = set()
    every = frozenset(paths)
    for path in every:
        folder, _, name = path.rpartition("/")
        if name in KUSTOMIZATION_FILES:
            named[folder] = min(named.get(folder, path), path, key=_rank)
        elif name == CHART:
            charts.add(folder)
        elif name.endswith(EXTENSIONS):
            manifests.append(path)
    kustomizations = {folder: _kustomization(folder, path, every, read_file) for folder, path in named.items()}
    graph = Graph(kustomizations, named, every.__contains__, files_of(every, read_file).below)
    known = Charts(every, read_file)
    charts = set(filter(known.is_chart, charts))
    needed = dict(_installable_charts(charts - graph.charts(), known))
    plain, included = _plain(manifests, graph, charts), frozenset().union(*needed.values())
    return Layout(graph, graph.roots(), frozenset(needed), plain, needed, frozenset(charts), included)


def _kustomization(folder: str, path: str, every: Collection[str], read_file: Callable[[str], bytes]) -> Kustomization:
    def read(reference: str) -> bytes:
        place = resolve_reference(folder, reference)
        return read_file(place) if place is not None and place in every else b""

    return read_with_plugins(read_file(path), read)


def _installable_charts(folders: set[str], charts: Charts) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the installable charts, each with its dependencies elsewhere in the repository."""
    for folder in folders:
        if _is_read_by_helm(folder, folders):
            continue
        if charts.is_plain(folder):
            yield folder, ()
        elif not charts.metadata(folder).is_library:
            yield folder, charts.neighbours(folder)


def _rank(path: str) -> int:
    """Return the precedence of a kustomization file: kustomize reads the first one in a folder."""
    return KUSTOMIZATION_FILES.index(path.rpartition("/")[2])


def _plain(manifests: Iterable[str], graph: Graph, charts: set[str]) -> Mapping[str, tuple[str, ...]]:
    used = graph.used_files()
    inside: dict[str, bool] = {}
    found: dict[str, list[str]] = {}
    for path in manifests:
        folder = path.rpartition("/")[0]
        if folder not in inside:
            inside[folder] = folder in graph.kustomizations or _is_read_by_helm(folder, charts)
        if not inside[folder] and path not in used and not (folder in charts and _is_of_chart(path)):
            found.setdefault(folder, []).append(path)
    return {folder: tuple(sorted(files, key=_in_bytes)) for folder, files in found.items()}


def _is_read_by_helm(folder: str, charts: set[str]) -> bool:
    """Return whether Helm reads a folder: the templates, the definitions and the charts of a chart."""
    while folder:
        above, _, name = folder.rpartition("/")
        if name in READ and above in charts:
            return True
        folder = above
    return False


def _is_of_chart(path: str) -> bool:
    """Return whether a file next to ``Chart.yaml`` describes the chart or contains its values."""
    name = path.rpartition("/")[2]
    return name in NAMES or name.startswith("values")


def _in_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
