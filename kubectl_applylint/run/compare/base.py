"""The manifests from before a change, wherever they are kept."""

import os
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import Identity, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.sources.files import files
from kubectl_applylint.sources.system import contents
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.sources.text.manifests import Input, Skipped

Stdin = Callable[[], bytes]
Later = Callable[[Sequence[str], bool, Stdin], Input]
"""Reads the later manifests: the names that the user gave, whether to look into folders of folders, standard input."""


def _all_files(names: Sequence[str], recursive: bool, stdin: Stdin) -> Input:
    return files.read(names, recursive=recursive, stdin=stdin)


def _nothing(index_query: IndexQuery) -> Input:
    return Input()


@dataclass(frozen=True, slots=True)
class IntermediateCommit:
    """The manifests of a commit that lies between the earlier and the later ones; ``name`` tells people which."""

    name: str
    given: Input


@dataclass(frozen=True, slots=True)
class Base:
    """The earlier manifests. What kubectl could not read of them either is in ``given``, and no problem of the run."""

    origin: str
    """What people are told that it is: ``folder before``."""
    given: Input
    lacking: tuple[Problem, ...] = ()
    """What keeps the earlier manifests from being known: they could not be had, or not rendered."""
    later: Later = _all_files
    """Gives the manifests to examine; those of files that are as they were are not among them."""
    moved: Input = Input()
    """The manifests of files that are gone, and that were not where the later ones are looked for."""
    definitions: Callable[[], Sequence[JsonObject]] = tuple
    """Gives the CustomResourceDefinitions in files that are as they were; costs nothing until it is called."""
    context_of: Callable[[IndexQuery], Input] = _nothing
    """Gives manifests in files that are as they were, the nearest first, where a kind stands with one of its words."""
    configs: Callable[[], Sequence[Skipped]] = tuple
    """Gives the configurations of tools in files that are as they were; costs nothing until it is called."""
    manifests: frozenset[str] = frozenset()
    """The files that differ and that hold objects, or have held them, by their later names: none is excused."""
    unknown: Mapping[Identity, Unknown] = field(default_factory=dict)
    """Objects of which nobody knows the earlier manifest, and why."""
    later_name: Callable[[str], str] = str
    """Gives what an earlier file is called among the later ones, or the end of that."""
    steps: Callable[[], Sequence[IntermediateCommit]] = tuple
    """Gives what lies in between, where somebody asked for it."""
    is_of_any_age: bool = True
    """Whether objects in versions that servers have lost were made when these were served."""
    is_rendered: bool = False
    """Whether the later manifests are rendered, so that any of them may come from a file that cannot be read."""
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why an object that is not among the earlier manifests may have been all the same."""

    @property
    def doubt(self) -> str:
        """The first doubt, empty where the earlier manifests are known for certain."""
        unread = (f"{self.origin} could not be read completely: {one.where}" for one in self.given.problems[:1])
        return next(chain(unread, self.doubts), "")

    @property
    def told_doubts(self) -> tuple[str, ...]:
        """What a run says once of the doubts: why the first text could not be read stands behind its name."""
        first = (f"{self.doubt}: {one.message}" for one in self.given.problems[:1])
        return (*first, *self.doubts)

    def unread(self, problems: Sequence[Problem]) -> Callable[[str], bool]:
        """Return what tells whether the later side of an earlier file is among what could not be read.

        What a kustomization or a chart makes may come from any file.
        """
        lost = [problem.where for problem in problems if problem.document is None]
        if (self.is_rendered and lost) or any(_is_rendered(where) for where in lost):
            return lambda file: True
        return lambda file: any(f"/{self.later_name(file)}:".removesuffix("/:") in f"/{where}:" for where in lost)


def _is_rendered(where: str) -> bool:
    return where.startswith(contents.CHART) or os.path.basename(where.partition(":")[0]) in KUSTOMIZATION_FILES


def lacking(given: Input) -> tuple[Problem, ...]:
    """Return the problems because of which nobody knows what earlier manifests are.

    What kubectl refuses in a text that was read whole is none: that text made no objects.
    """
    return tuple(one for one in given.problems if not one.is_refused)


def in_folder(path: str, *, recursive: bool) -> Base | Problem:
    """Return the manifests in a folder, found as kubectl finds them; a folder without any is empty, and no problem."""
    if not os.path.isdir(path):
        return not_of_kind("directory", path)
    found = files.find([path], recursive=recursive)
    given = files.read_found(found, stdin=bytes)
    return Base(f"directory {path}", given, lacking=lacking(given), later_name=lambda file: os.path.relpath(file, path))


def in_file(path: str) -> Base | Problem:
    """Return the manifests in one file."""
    if not os.path.isfile(path):
        return not_of_kind("file", path)
    given = files.read([path], recursive=False, stdin=bytes)
    return Base(f"file {path}", given, lacking=lacking(given), later_name=lambda file: "")


def not_of_kind(what: str, path: str) -> Problem:
    """Return what is wrong with a path that is no ``what``, a file or a directory."""
    if os.path.lexists(path):
        return Problem(path, f'the path "{path}" is not a {what}', "use dir:PATH for a directory, file:PATH for a file")
    return contents.missing(path)
