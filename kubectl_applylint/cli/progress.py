"""A line on the terminal while work is long; nothing anywhere else."""

import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar, overload

from kubectl_applylint.cli.output import is_terminal
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.run.progress import seen_by

_T = TypeVar("_T")
_PATIENCE = 1.0
_INTERVAL = 0.1


class Watched(Sequence[_T]):
    """The same items; whoever goes through them moves the line, once that has taken a second.

    A part of them stands for all, as the others have their parts worked on meanwhile.
    """

    def __init__(self, items: Sequence[_T], words: str, whole: int) -> None:
        self._items, self._words, self._whole = items, words, whole

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[_T]: ...
    def __getitem__(self, index: int | slice) -> _T | Sequence[_T]:
        if isinstance(index, slice):
            return Watched(self._items[index], self._words, self._whole)
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[_T]:
        due = time.monotonic() + _PATIENCE
        shown = False
        try:
            for number, item in enumerate(self._items, start=1):
                if time.monotonic() > due:
                    shown, due = True, time.monotonic() + _INTERVAL
                    reached = number * self._whole // len(self)
                    print(f"\r{self._words} {reached} of {self._whole}", end="", file=sys.stderr, flush=True)
                yield item
        finally:
            if shown:
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class UnitLine:
    """Shows which unit of how many a run has come to, once that has taken a second."""

    def __init__(self) -> None:
        self._due = time.monotonic() + _PATIENCE
        self._shown = False

    def __call__(self, words: str, number: int, whole: int, name: str) -> None:
        """Show a step; several threads may do so at once."""
        if time.monotonic() > self._due:
            self._shown, self._due = True, time.monotonic() + _INTERVAL
            columns = shutil.get_terminal_size().columns - 1
            line = f"{words} {number} of {whole}: {one_line(name)}"
            print(f"\r\x1b[K{line[:columns]}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Leave the terminal as it was."""
        if self._shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


@contextmanager
def showing_units() -> Iterator[None]:
    """Show which unit the block has come to, if standard error is a terminal."""
    if not is_terminal(sys.stderr):
        yield
        return
    line = UnitLine()
    with seen_by(line):
        try:
            yield
        finally:
            line.clear()


def watched(items: Sequence[_T], words: str) -> Sequence[_T]:
    """Return ``items`` so that going through them shows how far it is, if standard error is a terminal."""
    return Watched(items, words, len(items)) if is_terminal(sys.stderr) else items
