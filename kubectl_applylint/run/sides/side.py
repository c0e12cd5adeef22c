"""The value of one side of a comparison: a revision, the index, the work tree, or a directory.

Paths are those of the repository, or begin at the directory, with ``/`` between directories.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Applied, Unit

VERSION: Final = "kubernetes_version"
"""The option of a unit that says which version of Kubernetes a chart is rendered for."""


def _no_links(folder: str) -> Mapping[str, str | None]:
    return {}


def unread(path: str) -> Problem:
    """Return the problem of a file that cannot be read."""
    return Problem(path, "it cannot be read", "check the file and its permissions")


def _no_charts(unit: Unit) -> Input:
    return Input(problems=(Problem(unit.shown, "not rendered: charts are not rendered here", ""),))


@dataclass(frozen=True, slots=True)
class Side:
    """The files of one side, and how they are read."""

    name: str
    """What people call it: ``main (1a2b3c4)``, ``directory before``."""
    paths: frozenset[str] = field(repr=False)
    content: Callable[[str], bytes] = field(repr=False)
    """Gives the bytes of a kustomization or of another small file, none where it cannot be read."""
    contents: Callable[[Collection[str]], Mapping[str, bytes]] = field(repr=False)
    """Gives the bytes of many files by their paths; those that cannot be read are left out."""
    mentioning: Callable[[Collection[str]], frozenset[str]] = field(repr=False)
    """Gives the files that have one of some words in them, whole."""
    read: Callable[[Sequence[str]], Input] = field(repr=False)
    """Gives the manifests in files."""
    render: Callable[[str], Input] = field(repr=False)
    """Gives what the kustomization in a folder makes; each is rendered once."""
    label: Callable[[str], str] = field(repr=False, default=str)
    """Gives what people call a file of this side."""
    fault: Callable[[str], Problem] = field(repr=False, default=unread)
    """Gives why ``contents`` leaves out a file."""
    ends: Mapping[str, str] = field(repr=False, default_factory=dict)
    """Where symlinks among the paths lead, to another of them."""
    problems: tuple[Problem, ...] = field(repr=False, default=())
    """The folders that cannot be listed."""
    submodules: frozenset[str] = field(repr=False, default=frozenset())
    """The submodules of a work tree, whose files are not among the paths."""
    linked: Callable[[str], Mapping[str, str | None]] = field(repr=False, default=_no_links)
    """Gives where the symlinks below a folder lead, to a file or a folder; ``None`` for those that lead out."""
    charts: Callable[[Unit], Input] = field(repr=False, default=_no_charts)
    """Gives what a chart makes; see ``chart``."""
    again: Callable[[Unit], Input] = field(repr=False, default=_no_charts)
    """Gives what a chart makes when it is rendered once more, the same as before if that cannot differ."""

    apart: Callable[[Unit], frozenset[str]] | None = field(repr=False, default=None)
    """Gives the files of a folder that are units of their own, where that is known already."""

    def chart(self, unit: Unit) -> Input:
        """Return what a chart makes, or the problem that it is not rendered; once for a namespace and a version."""
        return self.charts(_with_what_counts(unit))

    def chart_again(self, unit: Unit) -> Input:
        """Return the same, rendered once more if the chart draws random values."""
        return self.again(_with_what_counts(unit))

    def twins(self, paths: Collection[str]) -> frozenset[str]:
        """Return the symlinks among some files that lead to another one of these, or where an earlier one leads."""
        if not self.ends:
            return frozenset()
        first: dict[str, str] = {path: path for path in paths if path not in self.ends}
        links = sorted(path for path in paths if path in self.ends)
        return frozenset(path for path in links if first.setdefault(self.ends[path], path) != path)

    @property
    def folders(self) -> Folders:
        """The side as kustomizations are looked up in it."""
        return Folders(self.paths.__contains__, self.content)


def _with_what_counts(chart: Unit) -> Unit:
    version = tuple(option for option in chart.applied.options if option[0] == VERSION)
    return replace(chart, applied=Applied(namespace=chart.applied.namespace, options=version, helm=chart.applied.helm))
