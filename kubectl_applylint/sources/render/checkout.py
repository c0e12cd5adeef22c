"""The files around a folder of the machine: those of the repository that it is in, or all there are."""

import os
from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.system import contents

_GIT: Final = ".git"


def top_of(folder: str) -> str:
    """Return the real path of the top of the work tree that a folder is in, of the file system where it is in none.

    A submodule belongs to the work tree around it.
    """
    return _nearest(folder, _is_top)


def work_tree_of(folder: str) -> str | None:
    """Return the real path of the work tree or submodule that a folder is in, ``None`` if it is in neither.

    Only ``.git`` counts. Git itself prefers a folder on the way that looks like a bare repository, which anybody can
    commit.
    """
    found = _nearest(folder, os.path.exists)
    return found if os.path.exists(os.path.join(found, _GIT)) else None


def _nearest(folder: str, is_wanted: Callable[[str], bool]) -> str:
    """Return the real path of the nearest folder whose ``.git`` is wanted, of the file system if there is none."""
    found = os.path.realpath(folder)
    while not is_wanted(os.path.join(found, _GIT)) and os.path.dirname(found) != found:
        found = os.path.dirname(found)
    return found


def _is_top(git: str) -> bool:
    if os.path.isdir(git) or not os.path.isfile(git):
        return os.path.isdir(git)
    content = contents.of_file(git, contents.MAX_BYTES)
    return isinstance(content, Problem) or b"/modules/" not in content.replace(b"\\", b"/")


def files_below(top: str) -> Folders:
    """Return the files below a folder, by their paths from it; what links lead out to is not among them."""

    def has(path: str) -> bool:
        place = os.path.join(top, path)
        return os.path.isfile(place) and path_below(top, place) is not None

    def read(path: str) -> bytes:
        content = contents.of_file(os.path.join(top, path), contents.MAX_BYTES)
        return b"" if isinstance(content, Problem) else content

    return Folders(has, read, lambda path: path_below(top, os.path.join(top, path)))


def path_below(top: str, place: str) -> str | None:
    """Return the path from a folder to a place once links are followed, ``None`` where that lead out; ``/`` inside."""
    whole, start = os.path.realpath(place), os.path.join(top, "")
    if whole == top:
        return ""
    return whole.removeprefix(start).replace(os.sep, "/") if whole.startswith(start) else None
