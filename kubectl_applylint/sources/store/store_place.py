"""The place of the store, for the time of a run."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True)
class Store:
    """The place of the store: a cache folder, or a file in place of it."""

    folder: str = ""
    file: str = ""


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
