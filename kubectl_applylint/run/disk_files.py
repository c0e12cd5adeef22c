"""The files below a folder of the machine, and where its symlinks lead."""

import os
import stat
from collections.abc import Iterable, Mapping

from kubectl_applylint.sources.checkout import path_below


def found_on_disk(root: str, paths: Iterable[str]) -> tuple[frozenset[str], Mapping[str, str | None]]:
    """Return the files among some paths, and for each symlink the file below ``root`` that it leads to.

    A symlink that leads to no file below the root has ``None``. A file that must not be read is a file.
    """
    own: set[str] = set()
    links: dict[str, str | None] = {}
    for path in paths:
        mode = _mode(os.path.join(root, path))
        if stat.S_ISLNK(mode):
            links[path] = _end(root, path)
        elif mode and not stat.S_ISDIR(mode):
            own.add(path)
    return frozenset(own), links


def _mode(file: str) -> int:
    """Return the mode of a file, 0 for one that does not exist."""
    try:
        return os.lstat(file).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except (OSError, ValueError):
        return stat.S_IFREG


def _end(root: str, path: str) -> str | None:
    whole = os.path.join(root, path)
    end = path_below(os.path.realpath(root), whole)
    return end if end and os.path.isfile(whole) and ".git" not in end.split("/") else None
