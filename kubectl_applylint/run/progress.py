"""Progress events of a run, for the terminal."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias, TypeVar

Item = TypeVar("Item")
Step: TypeAlias = Callable[[str, int, int, str], None]
"""Receives a progress event: the work (``checking unit``), the number of the item, the number of items, and its name.

It is called from several threads. A phase begins with item 0 of 0.
"""


def _ignore_step(words: str, number: int, whole: int, name: str) -> None:
    """Ignore the event."""


_step: Final[ContextVar[Step]] = ContextVar("progress", default=_ignore_step)


@contextmanager
def report_steps_to(step: Step) -> Iterator[None]:
    """Send the progress events of this block to ``step``."""
    token = _step.set(step)
    try:
        yield
    finally:
        _step.reset(token)


def report_unit(words: str, number: int, whole: int, name: str) -> None:
    """Report that the work on an item begins, unless it is the only item."""
    if whole > 1:
        _step.get()(words, number, whole, name)


def begin(words: str) -> None:
    """Report that a phase of a run begins."""
    _step.get()(words, 0, 0, "")


def with_progress(words: str, items: Sequence[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """Yield items, and report each of them before it is yielded."""
    for number, item in enumerate(items, start=1):
        report_unit(words, number, len(items), name(item))
        yield item
