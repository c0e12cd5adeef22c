"""How far a run is among its units, for whoever shows that; nothing else depends on it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final, TypeAlias, TypeVar

Item = TypeVar("Item")
Step: TypeAlias = Callable[[str, int, int, str], None]
"""Sees what is done (``checking unit``), with which of how many, and its name; in several threads at once.

A phase begins with 0 of 0.
"""


def _ignore_step(words: str, number: int, whole: int, name: str) -> None:
    """See nothing."""


_step: Final[ContextVar[Step]] = ContextVar("progress", default=_ignore_step)


@contextmanager
def report_steps_to(step: Step) -> Iterator[None]:
    """Let ``step`` see each step of this block."""
    token = _step.set(step)
    try:
        yield
    finally:
        _step.reset(token)


def report_unit(words: str, number: int, whole: int, name: str) -> None:
    """Tell that a run has come to a unit, unless it is the only one."""
    if whole > 1:
        _step.get()(words, number, whole, name)


def begin(words: str) -> None:
    """Report that a phase of a run begins."""
    _step.get()(words, 0, 0, "")


def with_progress(words: str, items: Sequence[Item], name: Callable[[Item], str]) -> Iterator[Item]:
    """Yield items, each of them reached as its turn comes."""
    for number, item in enumerate(items, start=1):
        report_unit(words, number, len(items), name(item))
        yield item
