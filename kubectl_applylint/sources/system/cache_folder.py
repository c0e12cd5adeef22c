"""An on-disk cache in the user's cache folder: texts by the hash of all their inputs.

Damaged entries, and files that other users can write to, are ignored, as are errors of writing.
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
"""Environment variable with the cache folder; empty disables the cache."""
MOST_BYTES: Final = 256 << 20
"""Maximum size of each sort of entries; the least recently used ones are removed first."""
_DIGEST: Final = hashlib.sha256().digest_size
_folder: Final = ContextVar("folder", default="")
_free: Final[dict[str, int]] = {}
"""The bytes that may be written to a folder before its entries are counted again: a full cache has thousands."""


def folder_of(environ: Mapping[str, str]) -> str:
    """Return the cache folder, empty if caching is disabled or there is no folder."""
    if VARIABLE in environ:
        return environ[VARIABLE]
    caches = environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(caches, "kubectl-applylint") if os.path.isabs(caches) else ""


@contextmanager
def use_folder(folder: str) -> Iterator[None]:
    """Use a folder as the cache until the block ends; empty disables the cache."""
    before = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(before)


def is_kept() -> bool:
    """Return whether the cache is enabled."""
    return bool(_folder.get())


def key_of(parts: Iterable[bytes]) -> str:
    """Return the key of an entry, from its inputs in this order."""
    found = hashlib.sha256()
    for part in parts:
        found.update(len(part).to_bytes(8, "big"))
        found.update(part)
    return found.hexdigest()


def read(sort: str, key: str) -> bytes | None:
    """Return the entry of a sort with a key, or ``None`` if it is missing or cannot be trusted."""
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
    """Return whether only the user can write to a folder."""
    found = os.lstat(folder)
    is_own = sys.platform == "win32" or (found.st_uid == os.getuid() and not found.st_mode & 0o022)
    return stat.S_ISDIR(found.st_mode) and is_own


def write(sort: str, key: str, text: bytes) -> None:
    """Write an entry, unless other users can write to the folder; ``make_room`` limits the total size."""
    if not is_kept():
        return
    path = os.path.join(_folder.get(), sort, key)
    with suppress(OSError):
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        if not _is_private(os.path.dirname(path)):
            return
        content = hashlib.sha256(text).digest() + zlib.compress(text, 1)
        replace_file(path, content)
        _free[os.path.dirname(path)] = _free.get(os.path.dirname(path), 0) - len(content)


def remove(sort: str, key: str) -> None:
    """Remove the entry of a sort with a key, if there is one."""
    if is_kept():
        with suppress(OSError):
            os.unlink(os.path.join(_folder.get(), sort, key))


def make_room(sort: str) -> None:
    """Remove the least recently used entries of a sort until the rest is within the limit.

    Entries of other processes since the last call count with the next one that finds the limit reached.
    """
    folder = os.path.join(_folder.get(), sort)
    if _free.get(folder, -1) < 0:
        with suppress(OSError):
            _free[folder] = MOST_BYTES - _make_room(folder)


def _make_room(folder: str) -> int:
    """Remove the least recently used files of a folder, and return the size of the others."""
    with os.scandir(folder) as found:
        states = ((one.stat(), one.path) for one in found)
        files = sorted((state.st_mtime_ns, state.st_size, path) for state, path in states)
    total = sum(size for _, size, _ in files)
    for _, size, path in files:
        if total <= MOST_BYTES:
            break
        with suppress(OSError):
            os.unlink(path)
        total -= size
    return total
