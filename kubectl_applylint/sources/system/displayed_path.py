"""Paths as they are displayed: relative to the current folder."""

import os


def displayed_path(folder: str, path: str) -> str:
    """Return a path below a folder, or an absolute one, relative to the current folder."""
    # Most runs start at the top of a repository, and ``relpath`` takes five times as long, for each of its files.
    if not os.path.isabs(path) and os.path.abspath(folder) == os.getcwd():
        return os.path.normpath(path)
    return os.path.relpath(os.path.join(folder, path))
