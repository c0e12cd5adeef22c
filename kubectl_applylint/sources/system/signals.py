"""Moments that no signal may cut short: a folder or a child that nobody knows of yet would stay behind."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
ENDING: Final = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""What asks a program to end."""


@contextmanager
def delay_signals() -> Iterator[None]:
    """Hold back signals that end the program until the block ends; they come directly after it.

    Python runs handlers in the main thread only, so there is nothing to hold back in others. What is ignored stays so,
    as programs that are started inherit it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []
    handled = {number: found for number in ENDING if callable(found := signal.getsignal(number))}
    for number in handled:
        signal.signal(number, lambda number, frame: came.append(number))
    try:
        yield
    finally:
        for number, handler in handled.items():
            signal.signal(number, handler)
        if came:
            signal.raise_signal(came[0])


def as_usual() -> None:
    """Let signals end this process at once: it is a copy, and cleans nothing up."""
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
