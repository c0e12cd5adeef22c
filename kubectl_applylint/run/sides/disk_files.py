"""The files below a local folder, and the targets of its symlinks."""

import os
import stat
from collections.abc import Iterable, Mapping

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.render.checkout import path_below


@dataclass(frozen=True, slots=True)
class DiskFiles:
    """Classification of some paths below a folder. Unreadable files count as files."""

    files: frozenset[str]
    links: Mapping[str, str | None]
    """The target of each symlink that is a file below the folder, ``None`` for any other."""
    folders: frozenset[str]


def disk_files(root: str, paths: Iterable[str]) -> DiskFiles:
    """Return the classification of some paths below a folder, without those that do not exist."""
    own: set[str] = set()
    links: dict[str, str | None] = {}
    folders: set[str] = set()
    for path in paths:
        mode = _mode(os.path.join(root, path))
        if stat.S_ISLNK(mode):
            links[path] = _link_target(root, path)
        elif mode:
            (folders if stat.S_ISDIR(mode) else own).add(path)
    return DiskFiles(frozenset(own), links, frozenset(folders))


def _mode(file: str) -> int:
    """Return the mode of a file, 0 for one that does not exist."""
    try:
        return os.lstat(file).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return 0
    except (OSError, ValueError):
        return stat.S_IFREG


def _link_target(root: str, path: str) -> str | None:
    whole = os.path.join(root, path)
    end = path_below(os.path.realpath(root), whole)
    return end if end and os.path.isfile(whole) and ".git" not in end.split("/") else None
