"""Whether rendering programs may fetch remote resources: only if the caller allows it, for one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

FLAG: Final = "--allow-network"
_allowed: Final = ContextVar("allowed", default=False)


def is_allowed() -> bool:
    """Return whether fetching is allowed."""
    return _allowed.get()


@contextmanager
def allow_fetching(is_so: bool) -> Iterator[None]:
    """Allow or forbid fetching until the block ends."""
    before = _allowed.set(is_so)
    try:
        yield
    finally:
        _allowed.reset(before)
