"""Termination signals as exceptions, so that temporary folders and child processes are cleaned up."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

_NAMES: Final = ("SIGTERM", "SIGHUP", "SIGQUIT")
"""Signals that Python does not turn into exceptions itself."""


class Ended(BaseException):
    """A signal asked the program to end; ``number`` is that of the signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def code(self) -> int:
        """The exit code that shells report for a program killed by the signal."""
        return 128 + self.number

    @property
    def name(self) -> str:
        """The name of the signal: ``SIGTERM``."""
        return signal.Signals(self.number).name


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Raise ``Ended`` on termination signals within the block, and end remaining child processes.

    Ignored (``nohup``) or handled signals are left alone, and so are all signals outside the main thread.
    """
    found = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
    is_main = threading.current_thread() is threading.main_thread()
    ours = [number for number in found if is_main and signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, _raise)
    try:
        yield
    except (Ended, KeyboardInterrupt):
        _end_children()
        raise
    finally:
        for number in ours:
            with suppress(ValueError):
                signal.signal(number, signal.SIG_DFL)


def _raise(number: int, frame: FrameType | None) -> NoReturn:
    """Raise ``Ended`` for a signal."""
    raise Ended(number)


def _end_children() -> None:
    """End the remaining child processes."""
    # It takes 5 ms to import subprocess, and only those who were interrupted pay for it.
    from kubectl_applylint.sources.system.subprocesses import end_all  # noqa: PLC0415

    end_all()
