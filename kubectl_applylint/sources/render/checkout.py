"""The work tree around a local folder."""

import os
from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.system import contents

_GIT: Final = ".git"


def repository_top(folder: str) -> str:
    """Return the real path of the work tree of a folder, or of the file system root outside of work trees.

    A submodule belongs to the work tree around it.
    """
    return _nearest(folder, _is_top)


def work_tree_of(folder: str) -> str | None:
    """Return the real path of the work tree or submodule of a folder, or ``None`` outside of both.

    Only ``.git`` counts. Git itself prefers a parent folder that looks like a bare repository, which anyone can commit.
    """
    found = _nearest(folder, os.path.exists)
    return found if os.path.exists(os.path.join(found, _GIT)) else None


def _nearest(folder: str, is_wanted: Callable[[str], bool]) -> str:
    """Return the real path of the nearest parent with a matching ``.git``, or of the file system root."""
    found = os.path.realpath(folder)
    while not is_wanted(os.path.join(found, _GIT)) and os.path.dirname(found) != found:
        found = os.path.dirname(found)
    return found


def _is_top(git: str) -> bool:
    if os.path.isdir(git) or not os.path.isfile(git):
        return os.path.isdir(git)
    content = contents.read_file(git, contents.MAX_BYTES)
    return isinstance(content, Problem) or b"/modules/" not in content.replace(b"\\", b"/")


def files_below(top: str) -> Folders:
    """Return the files below a folder, by relative path, without targets of symlinks that lead out of it."""

    def has(path: str) -> bool:
        place = os.path.join(top, path)
        return os.path.isfile(place) and path_below(top, place) is not None

    def read(path: str) -> bytes:
        content = contents.read_file(os.path.join(top, path), contents.MAX_BYTES)
        return b"" if isinstance(content, Problem) else content

    return Folders(has, read, lambda path: path_below(top, os.path.join(top, path)))


def path_below(top: str, place: str) -> str | None:
    """Return the relative path from a folder to the real path of a place (with ``/``), or ``None`` if it is outside."""
    whole, start = os.path.realpath(place), os.path.join(top, "")
    if whole == top:
        return ""
    return whole.removeprefix(start).replace(os.sep, "/") if whole.startswith(start) else None
