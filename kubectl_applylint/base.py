"""The manifests from before a change, wherever they are kept."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from kubectl_applylint.model import Problem
from kubectl_applylint.sources import contents, files
from kubectl_applylint.sources.manifests import Input


def _is_same_nowhere(file: str) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Base:
    """The earlier manifests. What could not be read of them is in ``given``, and no problem of what is examined."""

    origin: str
    """What people are told that it is: ``folder before``."""
    given: Input
    is_same: Callable[[str], bool] = _is_same_nowhere
    """Tells that a file is as it was, so that nothing in it has to be examined."""
    notes: tuple[str, ...] = ()

    @property
    def doubt(self) -> str:
        """Why an object that is not among the earlier manifests may have been all the same, empty where it was not."""
        for problem in self.given.problems:
            return f"{self.origin} could not be read whole: {problem.where}: {problem.message}"
        return ""

    def changed(self, names: Sequence[str], recursive: bool, stdin: Callable[[], bytes]) -> Input:
        """Return what those of the files ``names`` hold that are not as they were."""
        found = files.find(names, recursive=recursive)
        differ = [source for source in found if isinstance(source, Problem) or not self.is_same(source.path)]
        return files.read_found(differ, stdin=stdin) if found else files.read(names, recursive=recursive, stdin=stdin)


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
