"""A progress line on terminals during long work."""

import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from mmap import mmap
from typing import TypeVar, overload

from kubectl_applylint.cli.terminal.output import is_terminal
from kubectl_applylint.cli.terminal.stopwatch import phase, restart
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.run.progress import report_steps_to
from kubectl_applylint.sources.system.processes import map_in_processes

_T = TypeVar("_T")
_Made = TypeVar("_Made")
_PATIENCE = 1.0
_INTERVAL = 0.1
_ESTIMATE = 3.0
"""Seconds after which the remaining time is estimated."""


def time_left(seconds: float, done: int, whole: int) -> str:
    """Return the estimated remaining time: ``, 1:05 left``."""
    if seconds < _ESTIMATE or done < 1:
        return ""
    left = round(seconds * (whole - done) / done)
    hours, rest = divmod(left, 3600)
    minutes = f"{rest // 60:02}" if hours else str(rest // 60)
    return f", {f'{hours}:' if hours else ''}{minutes}:{rest % 60:02} left"


class ProgressSequence(Sequence[_T]):
    """A sequence that shows progress while it is iterated, after one second.

    Child processes show nothing, but mark their items in shared memory, so that the line counts the items of all
    processes. Each item counts as progress of the run (``stopwatch.restart``).
    """

    def __init__(self, items: Sequence[_T], words: str, *, is_silent: bool = False) -> None:
        self._items, self._words, self._owner = items, words, os.getpid()
        self._is_silent = is_silent
        self._begin = time.monotonic()
        self._due, self._shown = self._begin + _PATIENCE, False
        # A byte for each item: no process changes what another one has written.
        self._taken = mmap(-1, max(1, len(items)))

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_T]: ...
    def __getitem__(self, index: int | slice) -> _T | Sequence[_T]:
        if isinstance(index, int):
            self._reach(index)
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[_T]:
        try:
            for index, item in enumerate(self._items):
                self._reach(index)
                yield item
        finally:
            self.clear()

    def _reach(self, index: int) -> None:
        """Mark an item and update the line."""
        self._taken[index] = 1
        if os.getpid() != self._owner:
            return
        restart()
        now = time.monotonic()
        if now > self._due and not self._is_silent:
            self._shown, self._due = True, now + _INTERVAL
            number = self._taken[:].count(1)
            left = time_left(now - self._begin, number - 1, len(self))
            line = f"{self._words} {number} of {len(self)}{left}"
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the progress line."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class UnitLine:
    """A progress line with the current unit, shown after one second."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._shown = False
        self._begun: dict[str, tuple[float, int]] = {}

    def __call__(self, words: str, number: int, whole: int, name: str) -> None:
        """Show a step; thread-safe."""
        _restart(words, number, whole, name)
        if not whole:
            return
        now = time.monotonic()
        begin, first = self._begun.setdefault(words, (now, number))
        if now > self._due:
            self._shown, self._due = True, now + _INTERVAL
            columns = shutil.get_terminal_size().columns - 1
            left = time_left(now - begin, number - first, whole - first + 1)
            line = f"{words} {number} of {whole}{left}: {one_line(name)}"
            print(f"\r\x1b[K{line[:columns]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the progress line."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def showing_units() -> Iterator[None]:
    """Show the current unit of the block on a terminal; each unit counts as progress of the run."""
    if not is_terminal(sys.stderr):
        with report_steps_to(_restart):
            yield
        return
    line = UnitLine()
    with report_steps_to(line):
        try:
            yield
        finally:
            line.clear()


def _restart(words: str, number: int, whole: int, name: str) -> None:
    """Restart the time limit without progress for the next step."""
    phase(f"{words} {name}" if name else words)


def with_progress(items: Sequence[_T], words: str) -> ProgressSequence[_T]:
    """Return ``items`` as a sequence that shows progress on a terminal."""
    return ProgressSequence(items, words, is_silent=not is_terminal(sys.stderr))


def spread_with_progress(work: Callable[[_T], _Made], items: Sequence[_T], words: str, *, applies: int) -> list[_Made]:
    """Call ``map_in_processes`` and show progress if standard error is a terminal."""
    seen = with_progress(items, words)
    try:
        return map_in_processes(work, seen, applies=applies)
    finally:
        seen.clear()
