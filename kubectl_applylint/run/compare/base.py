"""The manifests from before a change."""

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
"""Reads the later manifests: the names that the user gave, whether subfolders are included, standard input."""


def _all_files(names: Sequence[str], recursive: bool, stdin: Stdin) -> Input:
    return files.read(names, recursive=recursive, stdin=stdin)


def _nothing(index_query: IndexQuery) -> Input:
    return Input()


@dataclass(frozen=True, slots=True)
class IntermediateCommit:
    """The manifests of a commit between the earlier and the later ones; ``name`` is displayed."""

    name: str
    given: Input


@dataclass(frozen=True, slots=True)
class Base:
    """The earlier manifests. ``given`` includes their problems and skips, which are not problems of the run."""

    origin: str
    """The displayed name: ``folder before``."""
    given: Input
    lacking: tuple[Problem, ...] = ()
    """Problems that leave earlier manifests unknown: they could not be read, or not rendered."""
    later: Later = _all_files
    """Returns the manifests to examine, without unchanged files."""
    moved: Input = Input()
    """The manifests of deleted files outside of the examined names."""
    definitions: Callable[[], Sequence[JsonObject]] = tuple
    """Returns the CustomResourceDefinitions in unchanged files; lazy."""
    context_of: Callable[[IndexQuery], Input] = _nothing
    """Returns related manifests in unchanged files, the nearest first: those with a kind and a word of the query."""
    configs: Callable[[], Sequence[Skipped]] = tuple
    """Returns the tool configurations in unchanged files; lazy."""
    manifests: frozenset[str] = frozenset()
    """The changed files that contain objects, or did so, by their later names: they are never skipped as templates."""
    unknown: Mapping[Identity, Unknown] = field(default_factory=dict)
    """Objects whose earlier manifest is unknown, with the reason."""
    later_name: Callable[[str], str] = str
    """Returns the later name of an earlier file, or the end of that."""
    steps: Callable[[], Sequence[IntermediateCommit]] = tuple
    """Returns the manifests of the commits in between, if requested."""
    is_of_any_age: bool = True
    """Whether objects may have been applied while API versions that are now removed were served."""
    is_rendered: bool = False
    """Whether the later manifests are rendered, so that any of them may come from an unreadable file."""
    is_applied: bool = True
    """Whether the later manifests are predicted for the result of the earlier ones."""
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Why an object that is not among the earlier manifests may have existed anyway."""

    @property
    def doubt(self) -> str:
        """The first doubt, empty if the earlier manifests are known completely."""
        unread = (f"{self.origin} could not be read completely: {one.where}" for one in self.given.problems[:1])
        return next(chain(unread, self.doubts), "")

    @property
    def short_doubts(self) -> tuple[str, ...]:
        """The doubts for the summary of a run: the name of the first unreadable text is followed by the reason."""
        first = (f"{self.doubt}: {one.message}" for one in self.given.problems[:1])
        return (*first, *self.doubts)

    def unread(self, problems: Sequence[Problem]) -> Callable[[str], bool]:
        """Return a predicate for earlier files whose later version could not be read.

        Objects of a kustomization or a chart may come from any file.
        """
        lost = [problem.where for problem in problems if problem.document is None]
        if (self.is_rendered and lost) or any(_is_rendered(where) for where in lost):
            return lambda file: True
        return lambda file: any(f"/{self.later_name(file)}:".removesuffix("/:") in f"/{where}:" for where in lost)


def _is_rendered(where: str) -> bool:
    return where.startswith(contents.CHART) or os.path.basename(where.partition(":")[0]) in KUSTOMIZATION_FILES


def problems_hiding_objects(given: Input) -> tuple[Problem, ...]:
    """Return the problems that leave earlier manifests unknown.

    Errors of kubectl about a text that was parsed completely do not count: that text created no objects.
    """
    return tuple(one for one in given.problems if not one.is_refused)


def in_folder(path: str, *, recursive: bool) -> Base | Problem:
    """Return the manifests in a folder, found as kubectl does; a folder without any is empty, and no problem."""
    if not os.path.isdir(path):
        return not_of_kind("directory", path)
    found = files.find([path], recursive=recursive)
    given = files.read_found(found, stdin=bytes)
    return Base(
        f"directory {path}",
        given,
        lacking=problems_hiding_objects(given),
        later_name=lambda file: os.path.relpath(file, path),
    )


def in_file(path: str) -> Base | Problem:
    """Return the manifests in one file."""
    if not os.path.isfile(path):
        return not_of_kind("file", path)
    given = files.read([path], recursive=False, stdin=bytes)
    return Base(f"file {path}", given, lacking=problems_hiding_objects(given), later_name=lambda file: "")


def not_of_kind(what: str, path: str) -> Problem:
    """Return the problem of a path that is not a ``what`` (a file or a directory)."""
    if os.path.lexists(path):
        return Problem(path, f'the path "{path}" is not a {what}', "use dir:PATH for a directory, file:PATH for a file")
    return contents.missing_problem(path)
