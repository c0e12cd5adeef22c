"""Signals that end the program: they become exceptions, so that folders and children go with it."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final, NoReturn

_NAMES: Final = ("SIGTERM", "SIGHUP", "SIGQUIT")
"""Those that Python itself does not turn into an exception, as it does an interrupt."""


class Ended(BaseException):
    """A signal asked the program to end; ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number

    @property
    def code(self) -> int:
        """The exit code: what a shell tells of a program that the signal has killed."""
        return 128 + self.number

    @property
    def name(self) -> str:
        """What the signal is called: ``SIGTERM``."""
        return signal.Signals(self.number).name


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """Let signals that end the program raise ``Ended`` until the block ends, and end children that outlive it.

    Signals are left alone that somebody ignores (``nohup``) or handles, and all of them outside of the main thread.
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
    raise Ended(number)


def _end_children() -> None:
    # It takes 5 ms to import subprocess, and only those who were interrupted pay for it.
    from kubectl_applylint.sources.system.subprocesses import end_all  # noqa: PLC0415

    end_all()
