"""Atomic writing of output files, which never follows a symlink of a repository."""

import os
import stat
from itertools import accumulate
from pathlib import Path
from typing import Final

from kubectl_applylint.sources.render import checkout
from kubectl_applylint.sources.system.temporary import replace_file

_SYSTEM: Final = ("/dev/", "/proc/")
"""Folders of system symlinks: ``/dev/stdout`` is a link to a pipe or a file."""
_GIT: Final = ".git"
_ALL_MAY_WRITE: Final = 0o666


def write_file(file: str, content: bytes) -> None:
    """Write a file atomically; raises ``OSError``.

    A symlink is replaced by the file. Pipes and devices are written to.
    """
    path = os.path.abspath(file)
    if path.startswith(_SYSTEM) or _is_stream(path):
        with open(path, "wb") as stream:
            stream.write(content)
        return
    folder = os.path.dirname(path)
    reject_outer_folder(folder)
    if not os.path.isdir(folder):
        raise FileNotFoundError(None, "No such file or directory")
    if os.path.isdir(path) and not os.path.islink(path):
        raise IsADirectoryError(None, "Is a directory")
    replace_file(os.path.join(os.path.realpath(folder), os.path.basename(path)), content, mode=_mode(path))


def reject_outer_folder(folder: str) -> None:
    """Raise ``OSError`` for a folder of the current repository that a symlink leads out of it."""
    if _leads_out(folder):
        raise OSError(None, "a symlink leads out of the repository; write to a directory without symlinks")


def _is_stream(path: str) -> bool:
    """Return whether a path is a pipe, a socket or a device; a symlink is none of them."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def _leads_out(folder: str) -> bool:
    """Return whether a folder whose path is in the current repository is really outside of it.

    The git folder counts as outside, unless the path itself contains ``.git``, which no commit can contain.
    """
    top = checkout.repository_top(os.curdir)
    if not any(_parts_below(top, each) is not None for each in accumulate(Path(folder).parts, os.path.join)):
        return False
    below = _parts_below(top, folder)
    return below is None or (_GIT in map(str.lower, below) and _GIT not in Path(folder).parts)


def _parts_below(top: str, folder: str) -> list[str] | None:
    """Return the names from ``top`` to the real path of a folder; ``None`` for a folder outside."""
    below = checkout.path_below(top, folder)
    return None if below is None else below.split("/")


def _mode(path: str) -> int:
    """Return the permissions of an existing file, otherwise those of new files."""
    try:
        found = os.lstat(path)
    except OSError:
        found = None
    if found is not None and stat.S_ISREG(found.st_mode):
        return stat.S_IMODE(found.st_mode)
    mask = os.umask(0o077)
    os.umask(mask)
    return _ALL_MAY_WRITE & ~mask
