"""Delays signals in critical sections, which would otherwise leave a folder or a child process behind."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT")
ENDING: Final = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
"""Signals that request termination."""


@contextmanager
def delay_signals() -> Iterator[None]:
    """Delay termination signals until the block ends.

    Python runs handlers in the main thread only, so in other threads this does nothing. Ignored signals stay ignored,
    as child processes inherit that.
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


def reset_signals() -> None:
    """Let signals end this process immediately: it is a fork, and cleans nothing up."""
    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
