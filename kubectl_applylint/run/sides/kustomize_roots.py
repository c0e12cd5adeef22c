"""The kustomizations that a change affects: those that consist of files that differ."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in, parts, roots
from kubectl_applylint.sources.render.stored_bases import with_stored_bases
from kubectl_applylint.sources.text.classify import is_kustomization

_ADVICE: Final = "render it elsewhere and pipe the output: kubectl kustomize DIR | applylint check -f -"


@dataclass(frozen=True, slots=True)
class Roots:
    """The kustomizations that are rendered on both sides of a comparison, by folder."""

    before: Folders = field(repr=False)
    after: Folders = field(repr=False)
    is_same: Callable[[str], bool] = field(repr=False)
    """Returns whether a path has the same content on both sides."""
    changed: tuple[str, ...] = ()
    unchanged: int = 0
    """The number of unchanged kustomizations."""
    parts: frozenset[str] = frozenset()
    """All files that they consist of, which are not applied by themselves."""

    @property
    def earlier(self) -> list[str]:
        """Those that differ and exist on the earlier side."""
        return [folder for folder in self.changed if kustomization_in(folder, self.before)]

    @property
    def later(self) -> list[str]:
        """Those that differ and exist on the later side."""
        return [folder for folder in self.changed if kustomization_in(folder, self.after)]


def roots_of(folders: Iterable[str], before: Folders, after: Folders, is_same: Callable[[str], bool]) -> Roots:
    """Return the kustomizations in these folders that have to be rendered."""
    made_of = {folder: parts(folder, before) | parts(folder, after) for folder in folders}
    every = {folder: files for folder, files in made_of.items() if files}
    changed = tuple(folder for folder, files in every.items() if not all(map(is_same, files)))
    return Roots(before, after, is_same, changed, len(every) - len(changed), frozenset().union(*every.values()))


def applied_roots(
    paths: Collection[str], before: Folders, after: Folders, below: Collection[str]
) -> tuple[list[str], Mapping[str, str]]:
    """Return the root kustomizations among ``paths`` in or below some folders, and those that cannot be rendered.

    The second value maps kustomizations without a renderer, and those with files elsewhere, to the reason: their files
    are checked unrendered.
    """
    folders = sorted(_root_folders(paths, before, below) | _root_folders(paths, after, below))
    if folders and not _can_render():
        return [], dict.fromkeys(folders, "neither kustomize nor kubectl was found on the PATH")
    far = {folder: reason for folder in folders if (reason := _elsewhere(folder, before) or _elsewhere(folder, after))}
    return [folder for folder in folders if folder not in far], far


def rendering_problems(far: Mapping[str, str], found: Roots) -> tuple[Problem, ...]:
    """Return a problem for each changed kustomization that cannot be rendered."""
    touched = roots_of(far, found.before, found.after, found.is_same).changed
    return tuple(
        Problem(folder or ".", f"not rendered: {far[folder]}; its files are checked unrendered", _ADVICE)
        for folder in touched
    )


def _elsewhere(folder: str, where: Folders) -> str:
    """Return the first input of a kustomization that is not in the repository, empty if all are."""
    faults = with_stored_bases(folder, where).inputs.faults
    return next((str(fault) for fault in faults if fault.is_elsewhere), "")


def _root_folders(paths: Collection[str], where: Folders, below: Iterable[str]) -> set[str]:
    """Return the folders of root kustomizations, which no other one refers to."""
    own = [path for path in paths if is_kustomization(path) and where.has(path)]
    starts = tuple(f"{folder}/" if folder else "" for folder in below)
    return {folder for folder in roots(own, where) if f"{folder}/".startswith(starts)}


def _can_render() -> bool:
    # The modules for running programs take 15 ms to import, and most repositories have no kustomization.
    from kubectl_applylint.sources.render.kustomize import find_tool  # noqa: PLC0415

    return bool(find_tool())
