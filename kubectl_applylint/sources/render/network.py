"""Whether programs that render may fetch what is elsewhere: only where the caller has said so, for one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

FLAG: Final = "--allow-network"
_allowed: Final = ContextVar("allowed", default=False)


def is_allowed() -> bool:
    """Tell whether the caller has allowed it."""
    return _allowed.get()


@contextmanager
def allowed(is_so: bool) -> Iterator[None]:
    """Allow it, or not, until the block ends."""
    before = _allowed.set(is_so)
    try:
        yield
    finally:
        _allowed.reset(before)
