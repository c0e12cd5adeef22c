"""Writing of a directory of output files, which is absent or empty before, and never reached by a symlink."""

import os
import shutil
from collections.abc import Iterable

from kubectl_applylint.sources.files.output_file import reject_outer_folder


def occupied_reason(folder: str) -> str:
    """Return why files cannot be written to a directory; empty if it is absent or empty."""
    if os.path.islink(folder):
        return "it is a symlink"
    if os.path.lexists(folder) and not os.path.isdir(folder):
        return "it is not a directory"
    return "it is not empty" if os.path.isdir(folder) and os.listdir(folder) else ""


def write_folder(folder: str, files: Iterable[tuple[str, bytes]], inner: Iterable[str] = ()) -> None:
    """Write files to an absent or empty directory; if one cannot be written, none stays. Raises ``OSError``.

    Each path has ``/`` between directories, and at least one of them. ``inner`` are directories in it that are created
    even if they get no files.
    """
    path = os.path.abspath(folder)
    reject_outer_folder(os.path.dirname(path))
    occupied = occupied_reason(path)
    if occupied:
        raise OSError(None, occupied)
    if not os.path.isdir(path):
        os.mkdir(path)
    try:
        for name in inner:
            os.mkdir(os.path.join(path, name))
        for name, content in files:
            _create_file(os.path.join(path, *name.split("/")), content)
    except BaseException:
        for name in os.listdir(path):
            shutil.rmtree(os.path.join(path, name), ignore_errors=True)
        raise


def _create_file(path: str, content: bytes) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "xb") as file:
        file.write(content)
