"""The units of one side of a comparison: its layout, what its objects declare, and what the configuration names."""

from collections.abc import Callable, Collection, Iterable

from kubectl_applylint.run.sides import Side
from kubectl_applylint.sources.files import EXTENSIONS
from kubectl_applylint.units.configured import Configured, configured
from kubectl_applylint.units.finder import find
from kubectl_applylint.units.model import Unit

_DECLARING = ("kustomize.toolkit.fluxcd.io", "argoproj.io")
"""The groups of the kinds that name paths of a repository."""


def units_of(
    side: Side,
    entries: Iterable[Configured] = (),
    remotes: Collection[str] = (),
    path_of: Callable[[str], str | None] = lambda folder: folder,
) -> tuple[Unit, ...]:
    """Return the units of a side, sorted by their roots; see ``find`` and ``configured``."""
    telling = sorted(path for path in side.mentioning(_DECLARING) if path.endswith(EXTENSIONS))
    documents = side.read(telling).documents if telling else ()
    folders = {path.rpartition("/")[0] for path in side.paths}
    named = configured(entries, folders | side.paths, path_of)
    return find(side.paths, side.content, documents, named, remotes=remotes)
