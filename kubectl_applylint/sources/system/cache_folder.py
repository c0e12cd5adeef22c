"""What is kept for later runs, among the user's caches: texts by the hash of all that goes into them.

What was damaged, or what others may write, counts for nothing, and that something cannot be kept is no trouble.
"""

import hashlib
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Final

from kubectl_applylint.sources.system.temporary import replace_file

VARIABLE: Final = "APPLYLINT_CACHE_DIR"
"""Names the folder of the cache; empty for none."""
MOST_BYTES: Final = 256 << 20
"""How much of each sort is kept; what was not asked for the longest goes first."""
_DIGEST: Final = hashlib.sha256().digest_size
_folder: Final = ContextVar("folder", default="")


def folder_of(environ: Mapping[str, str]) -> str:
    """Return where things are kept, empty where the caller wants nothing kept or has no such place."""
    if VARIABLE in environ:
        return environ[VARIABLE]
    caches = environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "kubectl-applylint") if os.path.isabs(caches) else ""


@contextmanager
def use_folder(folder: str) -> Iterator[None]:
    """Keep things in a folder until the block ends; nothing where it is empty."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)


def is_kept() -> bool:
    """Return whether anything is kept."""
    return bool(_folder.get())


def key_of(parts: Iterable[bytes]) -> str:
    """Return the name of what is made of these parts, in this order."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.hexdigest()


def read(sort: str, key: str) -> bytes | None:
    """Return what is kept of a sort by a name, ``None`` where nothing is, or nothing that can be trusted."""
    path = os.path.join(_folder.get(), sort, key)
    try:
        if not is_kept() or not _is_private(os.path.dirname(path)) or not stat.S_ISREG(os.lstat(path).st_mode):
            return None
        with open(path, "rb") as file:
            content = file.read(MOST_BYTES)
        text = zlib.decompress(content[_DIGEST:])
        with suppress(OSError):
            os.utime(path)
    except (OSError, zlib.error):
        return None
    return text if hashlib.sha256(text).digest() == content[:_DIGEST] else None


def _is_private(folder: str) -> bool:
    """Return whether nobody but the user can write to a folder."""
    found = os.lstat(folder)
    is_own = sys.platform == "win32" or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
    return stat.S_ISDIR(found.st_mode) and is_own


def write(sort: str, key: str, text: bytes) -> None:
    """Keep a text of a sort by a name, unless others can write to the folder; ``make_room`` limits what is kept."""
    if not is_kept():
        return
    path = os.path.join(_folder.get(), sort, key)
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if not _is_private(os.path.dirname(path)):
            return
        replace_file(path, hashlib.sha256(text).digest() + zlib.compress(text, 1))


def make_room(sort: str) -> None:
    """Remove what of a sort was not asked for the longest, until what is kept is no more than it may be."""
    with suppress(OSError):
        _make_room(os.path.join(_folder.get(), sort))


def _make_room(folder: str) -> None:
    with os.scandir(folder) as found:
        files = sorted((one.stat().st_mtime_ns, one.stat().st_size, one.path) for one in found)
    total = sum(size for _, size, _ in files)
    for _, size, path in files:
        if total <= MOST_BYTES:
            return
        with suppress(OSError):
            os.unlink(path)
        total -= size
