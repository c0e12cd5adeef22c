"""The manifests from before a change, wherever they are kept."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from kubectl_applylint.model import Problem
from kubectl_applylint.relations import Sought
from kubectl_applylint.sources import contents, files
from kubectl_applylint.sources.manifests import Input
from kubectl_applylint.state import Identity, Unknown
from kubectl_applylint.values import JsonObject

Stdin = Callable[[], bytes]
Later = Callable[[Sequence[str], bool, Stdin], Input]
"""Reads the later manifests: the names that the user gave, whether to look into folders of folders, standard input."""


def _all_files(names: Sequence[str], recursive: bool, stdin: Stdin) -> Input:
    return files.read(names, recursive=recursive, stdin=stdin)


def _nothing(sought: Sought) -> Input:
    return Input()


@dataclass(frozen=True, slots=True)
class Step:
    """The manifests of a commit that lies between the earlier and the later ones; ``name`` tells people which."""

    name: str
    given: Input


@dataclass(frozen=True, slots=True)
class Base:
    """The earlier manifests. What could not be read of them is in ``given``, and no problem of what is examined."""

    origin: str
    """What people are told that it is: ``folder before``."""
    given: Input
    later: Later = _all_files
    """Gives the manifests to examine; those of files that are as they were are not among them."""
    moved: Input = Input()  # noqa: RUF009  it is frozen
    """The manifests of files that are gone, and that were not where the later ones are looked for."""
    definitions: Callable[[], Sequence[JsonObject]] = tuple
    """Gives the CustomResourceDefinitions in files that are as they were; costs nothing until it is called."""
    near: Callable[[Sought], Input] = _nothing
    """Gives manifests in files that are as they were, the nearest first, where a kind stands with one of its words."""
    unknown: Mapping[Identity, Unknown] = field(default_factory=dict)
    """Objects of which nobody knows the earlier manifest, and why."""
    steps: Callable[[], Sequence[Step]] = tuple
    """Gives what lies in between, where somebody asked for it."""
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why an object that is not among the earlier manifests may have been all the same."""

    @property
    def doubt(self) -> str:
        """The first doubt, empty where the earlier manifests are known for certain."""
        unread = (f"{self.origin} could not be read whole: {one.where}: {one.message}" for one in self.given.problems)
        return next(chain(unread, self.doubts), "")


def in_folder(path: str, *, recursive: bool) -> Base | Problem:
    """Return the manifests in a folder, found as kubectl finds them; a folder without any is empty, and no problem."""
    if not os.path.isdir(path):
        return _no("folder", path)
    found = files.find([path], recursive=recursive)
    return Base(f"folder {path}", files.read_found(found, stdin=bytes))


def in_file(path: str) -> Base | Problem:
    """Return the manifests in one file."""
    if not os.path.isfile(path):
        return _no("file", path)
    return Base(f"file {path}", files.read([path], recursive=False, stdin=bytes))


def _no(what: str, path: str) -> Problem:
    if os.path.lexists(path):
        return Problem(path, f'the path "{path}" is no {what}', "a folder is dir:PATH, a file is file:PATH")
    return contents.missing(path)
