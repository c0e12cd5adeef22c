"""The place of the store, for the time of a run."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from datetime import date
from typing import Final

from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Store:
    """The place of the store: a cache folder, or a file in place of it."""

    folder: str = ""
    file: str = ""


INDEX: Final = "chart-index"
"""The sort of the entries of the store that name the digests of sources."""
ABSENCES: Final = "absences"
"""The sort of the entries of the store with what sources do not have."""
_DIGEST: Final = hashlib.sha256().digest_size
NO_STORE: Final = Store()
_store: Final = ContextVar("store", default=NO_STORE)


@contextmanager
def use_store(store: Store) -> Iterator[None]:
    """Use a store until the block ends."""
    before = _store.set(store)
    try:
        yield
    finally:
        _store.reset(before)


def current_store() -> Store:
    """Return the store that is in use."""
    return _store.get()


def is_usable() -> bool:
    """Return whether there is a store."""
    return bool(_store.get().folder or _store.get().file)


def may_have_absences() -> bool:
    """Return whether the store may have answers of sources that they do not have something."""
    store = current_store()
    with suppress(OSError):
        return bool(store.file) or bool(store.folder and os.listdir(os.path.join(store.folder, ABSENCES)))
    return False


def content_digest() -> bytes:
    """Return a digest that differs when a source in the store is new, gone, or has another content.

    It also differs the next day if the store has answers of sources, which are trusted for some days.
    """
    store = current_store()
    found = hashlib.sha256(store.file.encode("utf-8", "surrogateescape"))
    with suppress(OSError):
        if store.file:
            status = os.stat(store.file)
            found.update(f"{status.st_mtime_ns} {status.st_size} {status.st_ino}".encode())
        elif store.folder:
            for name in sorted(os.listdir(os.path.join(store.folder, INDEX))):
                found.update(name.encode() + _first_bytes(os.path.join(store.folder, INDEX, name)))
    with suppress(OSError):
        for name in sorted(os.listdir(os.path.join(store.folder, ABSENCES)) if store.folder else ()):
            found.update(name.encode() + _first_bytes(os.path.join(store.folder, ABSENCES, name)))
            found.update(date.today().isoformat().encode())
    return found.digest()


def _first_bytes(path: str) -> bytes:
    """Return the digest with which an entry of the cache begins."""
    with open(path, "rb") as file:
        return file.read(_DIGEST)
