"""The value of one side of a comparison: a revision, the index, the work tree, or a directory.

Paths are relative to the repository or the directory, with ``/`` between directories.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.sources.render.kustomization import Folders, files_of
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Applied, Form, Unit

VERSION: Final = "kubernetes_version"
"""The option of a unit with the Kubernetes version to render a chart for."""
FETCH_ADVICE: Final = "download it with applylint fetch, or accept it with incomplete: in the configuration"
RENDER_ADVICE: Final = "render it elsewhere, or accept it with incomplete: in the configuration"
GIT_ADVICE: Final = "fetch it with git, or accept it with incomplete: in the configuration"
"""The advice if git does not have a revision here."""
UNEXAMINED_ADVICE: Final = "render them and check the output, or accept it with incomplete: in the configuration"
"""The advice if objects are not rendered."""
ASK_AGAIN: Final = "correct it, or ask again with applylint fetch"
"""The advice if the source has answered that it does not have what is missing."""
API_VERSIONS: Final = "api_versions"
"""The option of a unit with the API versions that the cluster serves besides the built-in ones."""


FindSide: TypeAlias = Callable[[str], "Side | None"]
"""Returns the files of a revision (``branch production``), ``None`` if git does not have it."""


def _no_side(revision: str) -> "Side | None":
    return None


def _no_links(folder: str) -> Mapping[str, str | None]:
    return {}


def unreadable_problem(path: str) -> Problem:
    """Return the problem of a file that cannot be read."""
    return Problem(path, "it cannot be read", "check the file and its permissions")


def _no_charts(unit: Unit) -> Input:
    return Input(problems=(Problem(unit.shown, "not rendered: charts are not rendered here", ""),))


@dataclass(frozen=True, slots=True)
class Side:
    """The files of one side, and functions that read them."""

    name: str
    """The displayed name: ``main (1a2b3c4)``, ``directory before``."""
    paths: frozenset[str] = field(repr=False)
    content: Callable[[str], bytes] = field(repr=False)
    """Returns the bytes of a kustomization or of another small file, empty if it is unreadable."""
    contents: Callable[[Collection[str]], Mapping[str, bytes]] = field(repr=False)
    """Returns the bytes of many files by path, without unreadable ones."""
    mentioning: Callable[[Collection[str]], frozenset[str]] = field(repr=False)
    """Returns the files that contain any of some words."""
    read: Callable[[Sequence[str]], Input] = field(repr=False)
    """Returns the manifests in files."""
    render: Callable[[str], Input] = field(repr=False)
    """Returns the objects of the kustomization in a folder; each is rendered once."""
    label: Callable[[str], str] = field(repr=False, default=str)
    """Returns the displayed name of a file of this side."""
    fault: Callable[[str], Problem] = field(repr=False, default=unreadable_problem)
    """Returns the reason why ``contents`` leaves out a file."""
    link_ends: Mapping[str, str] = field(repr=False, default_factory=dict)
    """The symlinks among the paths, and the other path that each leads to."""
    problems: tuple[Problem, ...] = field(repr=False, default=())
    """The problems of folders that cannot be listed."""
    edited: frozenset[str] = field(repr=False, default=frozenset())
    """The files with another text than on the disk."""
    submodules: frozenset[str] = field(repr=False, default=frozenset())
    """The submodules of a work tree, whose files are not among the paths."""
    link_targets: Callable[[str], Mapping[str, str | None]] = field(repr=False, default=_no_links)
    """Returns the targets of the symlinks below a folder; ``None`` for those outside."""
    charts: Callable[[Unit], Input] = field(repr=False, default=_no_charts)
    """Returns the objects of a chart; see ``chart``."""
    releases: Callable[[Unit], Input] = field(repr=False, default=_no_charts)
    """Returns the objects of a HelmRelease."""
    builds: Callable[[Unit], Input] = field(repr=False, default=_no_charts)
    """Returns the objects that a Kustomization of Flux builds."""
    second_rendering: Callable[[Unit], Input] = field(repr=False, default=_no_charts)
    """Returns the objects of a unit from a second rendering, or the first ones if none is random."""

    find_revision: FindSide = field(repr=False, default=_no_side)
    """Returns the files of another revision of the repository."""
    apart: Callable[[Unit], frozenset[str]] | None = field(repr=False, default=None)
    """Returns the files of a folder that are separate units, if already known."""

    def chart(self, unit: Unit) -> Input:
        """Return the objects of a chart, or the problem that it is not rendered; cached by namespace and version."""
        return self.charts(_render_key(unit))

    def render_again(self, unit: Unit) -> Input:
        """Return the objects of a second rendering of a unit if it is random, else the first ones."""
        return self.second_rendering(_render_key(unit) if unit.form is Form.CHART else unit)

    def duplicate_links(self, paths: Collection[str]) -> frozenset[str]:
        """Return the symlinks among some files that lead to another of these, or to the target of an earlier one."""
        if not self.link_ends:
            return frozenset()
        first: dict[str, str] = {path: path for path in paths if path not in self.link_ends}
        links = sorted(path for path in paths if path in self.link_ends)
        return frozenset(path for path in links if first.setdefault(self.link_ends[path], path) != path)

    @property
    def folders(self) -> Folders:
        """The side as file access for kustomizations."""
        return files_of(self.paths, self.content)


def _render_key(chart: Unit) -> Unit:
    """Return the unit with the part of its settings that its chart is rendered with."""
    applied = chart.applied
    options = tuple(option for option in applied.options if option[0] in (VERSION, API_VERSIONS))
    return replace(chart, applied=Applied(applied.tool, applied.namespace, options=options, helm=applied.helm))
