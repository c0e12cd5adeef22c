"""Reads files and standard input as bytes; failures are a ``Problem``, and nothing blocks or raises."""

import os
import stat
from collections.abc import Callable

from kubectl_applylint.core.problem import Problem

STDIN = "-"
"""The name of standard input, in arguments and locations."""
CHART = "helm:"
"""Prefix of a chart folder that is to be rendered."""
MAX_BYTES = 32 * 1024 * 1024
"""Maximum size of a text. An API server accepts objects of 1.5 MiB, the largest bundles have some 10 MB."""

_OPEN_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")
_LFS = b"version https://git-lfs.github.com/spec/"
"""The start of a Git LFS pointer file."""
_AT_ONCE = 4 * 1024 * 1024
_READ: int = os.O_RDONLY | getattr(os, "O_BINARY", 0)
_WITHOUT_WAITING: int = getattr(os, "O_NONBLOCK", 0)


def read_file(path: str, limit: int) -> bytes | Problem:
    """Return the content of a regular file, or of an open stream (``/dev/fd/63``).

    ``limit`` is the maximum size in bytes.
    """
    is_stream = path.startswith(_OPEN_STREAMS)
    try:
        # Without that flag, opening a pipe waits for a writer, possibly forever.
        descriptor = os.open(path, _READ if is_stream else _READ | _WITHOUT_WAITING)
    except FileNotFoundError:
        return missing_problem(path)
    except (OSError, ValueError) as error:
        return inaccessible_problem(path, error)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            return _folder(path)
        if not is_stream and not stat.S_ISREG(status.st_mode):
            return Problem(path, "not a regular file (a pipe, socket or device)", "pass its content on stdin, with -")
        # Reading with the full limit would allocate that much for each small file.
        content = _read(descriptor, min(status.st_size, limit) + 1)
        content += _read(descriptor, limit + 1 - len(content)) if len(content) > status.st_size else b""
    except OSError as error:
        return inaccessible_problem(path, error)
    finally:
        os.close(descriptor)
    return check_content(path, content, limit)


def check_content(place: str, content: bytes, limit: int) -> bytes | Problem:
    """Return a content, or the problem that it exceeds ``limit`` bytes or is a Git LFS pointer."""
    if len(content) > limit:
        return Problem(place, f"larger than the limit of {limit // 1024**2} MiB", "split it, or leave it out")
    if content.startswith(_LFS):
        return Problem(place, "a pointer of Git LFS: the content of the file is missing", "fetch it: git lfs pull")
    return content


def _read(descriptor: int, most: int) -> bytes:
    """Return up to ``most`` bytes of an open file; a Python stream takes twice as long to open."""
    parts: list[bytes] = []
    while most and (part := os.read(descriptor, min(most, _AT_ONCE))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)


def _folder(path: str) -> Problem:
    return Problem(
        path, f"read {path}: is a directory", f"kubectl does not follow symlinks to directories: use {path}{os.sep}"
    )


def read_stdin(stdin: Callable[[], bytes], limit: int) -> bytes | Problem:
    """Return the bytes from ``stdin``, if they are no more than ``limit``."""
    try:
        content = stdin()
    except (OSError, ValueError) as error:
        return inaccessible_problem(STDIN, error)
    return check_content(STDIN, content, limit)


def missing_problem(path: str) -> Problem:
    """Return the problem of a path that does not exist."""
    if os.path.islink(path):
        return Problem(path, f'the path "{path}" is a dangling symlink', "fix or remove the symlink", is_refused=True)
    return Problem(path, f'the path "{path}" does not exist', "check the spelling and the current directory")


def stray_link_problem(place: str) -> Problem:
    """Return the problem of a symlink of a repository that leads to none of its files."""
    return Problem(
        place, "a symlink that leads to no file of the repository", "replace it with a copy of the file, or remove it"
    )


def inaccessible_problem(path: str, error: OSError | ValueError) -> Problem:
    """Return the problem of a path that the system denies access to."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return Problem(path, f'the path "{path}" cannot be read: {reason.lower()}', "check the file and its permissions")
