"""The location of named files: their repository, or the folder that contains all of them."""

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from typing import Any, TypeVar

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.files_apart import files_apart
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.sources.git import git, git_config
from kubectl_applylint.sources.git.git import Repository
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.finder import FoundUnits
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.remotes import NO_OWN, Checkout, OwnSources

_Made = TypeVar("_Made")


@dataclass(frozen=True, slots=True)
class Place:
    """The repository or folder around the named files, whose paths in it are ``paths`` (``""`` for all of it)."""

    side: Side
    paths: tuple[str, ...]
    checkout: Checkout
    """The repository, or an unknown one for a folder."""
    path_of: Callable[[str], str | None] = field(repr=False)
    """Returns the path of a file or folder within it, ``None`` for one outside."""
    repository: Repository | None = None
    known: FoundUnits | None = field(default=None, repr=False)
    """Its units, if they are already known."""
    results: dict[object, Any] | None = field(default=None, repr=False, compare=False)
    """Results that several runs share, see ``once``; ``None`` for a place of one run."""

    def once(self, key: object, make: Callable[[], _Made]) -> _Made:
        """Return the result of ``make``, which several runs share if they use the same ``key``.

        It depends on files of the disk and of revisions, not on the texts that an editor has not saved.
        """
        if self.results is None:
            return make()
        if key not in self.results:
            self.results[key] = make()
        made: _Made = self.results[key]
        return made

    def found(self, entries: Iterable[Configured]) -> FoundUnits:
        """Return its units, and declarations of other files; ``entries`` are those of the configuration."""
        return units_of(self.side, entries, self.checkout, self.path_of) if self.known is None else self.known

    def units(self, entries: Iterable[Configured]) -> tuple[Unit, ...]:
        """Return its units; ``entries`` are those of the configuration."""
        return self.found(entries).units


def with_cache(place: Place, entries: Sequence[Configured] = ()) -> Place:
    """Return a place that caches its units and files, for several runs.

    ``entries`` are the units of the configuration.
    """
    side = place.side
    read: Callable[[tuple[str, ...]], Input] = cache(side.read)
    mentioning: Callable[[tuple[str, ...]], frozenset[str]] = cache(side.mentioning)
    remembering = replace(
        side,
        read=lambda paths: read(tuple(paths)),
        mentioning=lambda words: mentioning(tuple(words)),
        apart=cache(lambda unit: files_apart([(side, unit)])[0]),
    )
    found = replace(place, side=remembering, results={})
    return replace(found, known=found.found(entries))


def place_of(names: Sequence[str], entries: Iterable[Configured] = (), own: OwnSources = NO_OWN) -> Place:
    """Return the place of files and folders; ``entries`` of a configuration in a parent folder extend it to that.

    ``own`` counts as its files as well.
    """
    repo = git.repository(names[0] if os.path.isdir(names[0]) else os.path.dirname(os.path.abspath(names[0])))
    if isinstance(repo, Repository) and not repo.is_bare:
        paths = [repo.path_of(os.path.realpath(name) if os.path.isdir(name) else name) for name in names]
        inside = tuple(path for path in paths if path is not None)
        if len(inside) == len(names):
            side = sides.of_work_tree(repo, extra=[path for path in inside if path])
            return Place(side, inside, checkout_of(repo, own=own), repo.path_of, repo)
    folders = [name if os.path.isdir(name) else os.path.dirname(name) or os.curdir for name in names]
    inner = os.path.commonpath(list(map(os.path.abspath, folders)))
    top = min((one.folder for one in entries if one.folder and _below(one.folder, inner) is not None), default=inner)
    path_of = partial(_below, top)
    return Place(sides.of_folder(top), tuple(path_of(name) or "" for name in names), Checkout(own=own), path_of)


def checkout_of(repo: Repository, *revisions: str, own: OwnSources = NO_OWN) -> Checkout:
    """Return the identity of a repository; the branches among ``revisions`` count as the examined ones."""
    named = {name for revision in revisions for name in (revision, revision.partition("/")[2]) if name}

    @cache
    def examined_branches() -> frozenset[str]:
        return git.current_branches(repo) | named

    @cache
    def branches() -> frozenset[str]:
        known = git.default_branches(repo)
        return known | examined_branches() if known else known

    return Checkout(git_config.remotes(repo.root), branches, own, examined_branches)


def _below(top: str, file: str) -> str | None:
    path = os.path.relpath(os.path.abspath(file), top).replace(os.sep, "/")
    if path == os.curdir:
        return ""
    return None if path == os.pardir or path.startswith(f"{os.pardir}/") else path
