"""Time limits of a run, as a whole or without progress; the run ends wherever it is."""

import _thread
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

from kubectl_applylint.core.problem import Problem

_HAS_ALARM: Final = hasattr(signal, "setitimer")
_AGAIN: Final = 5.0
STALLED: Final = 300.0
"""The maximum seconds for one unit or object, unless ``--timeout`` limits the whole run."""
_phase = "starting"
_has_stall_limit = False


class TimeIsUp(BaseException):
    """The time of the run is over. It is not an ``Exception``, so that no handler of errors swallows it."""


def phase(words: str) -> None:
    """Set the current phase of the run for the timeout message."""
    global _phase
    _phase = words
    restart()


def restart() -> None:
    """Restart the time limit without progress."""
    if _has_stall_limit:
        signal.setitimer(signal.ITIMER_REAL, STALLED, _AGAIN)


def timeout_problem(command: str, seconds: float) -> Problem:
    """Return the problem of a run that reached its time limit."""
    message = f"not finished within {seconds:g} s, while {_phase}: no result is reported"
    return Problem(command, message, "increase --timeout, or pass fewer files")


def stalled_problem(command: str) -> Problem:
    """Return the problem of a run without progress."""
    message = f"no progress for {STALLED:g} s, while {_phase}: no result is reported"
    return Problem(command, message, "allow more time for the whole run with --timeout, or pass fewer files")


@contextmanager
def stall_limit() -> Iterator[None]:
    """Raise ``TimeIsUp`` in the block after ``STALLED`` seconds without progress (``restart``).

    There is no limit on systems without alarms and outside the main thread.
    """
    global _has_stall_limit
    if not _HAS_ALARM or threading.current_thread() is not threading.main_thread():
        yield
        return
    _has_stall_limit = True
    try:
        with _alarm(STALLED):
            yield
    finally:
        _has_stall_limit = False


@contextmanager
def limit_time(seconds: float) -> Iterator[None]:
    """Raise ``TimeIsUp`` in the block after a number of seconds; 0 or less is no limit.

    Child processes are ended by those who started them. On systems without alarms and outside the main thread, an
    interrupt enforces the limit at the next step of the program.
    """
    if seconds <= 0:
        yield
    elif _HAS_ALARM and threading.current_thread() is threading.main_thread():
        with _alarm(seconds):
            yield
    else:
        with _interrupt(seconds):
            yield


@contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    """Raise ``TimeIsUp`` by an alarm signal after a number of seconds."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    # Repeat after some seconds, in case Python drops the first exception, as in a finalizer.
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _interrupt(seconds: float) -> Iterator[None]:
    """Raise ``TimeIsUp`` by an interrupt from a timer thread."""
    end = time.monotonic() + seconds
    timer = threading.Timer(seconds, _thread.interrupt_main)
    timer.daemon = True
    timer.start()
    try:
        yield
    except KeyboardInterrupt:
        if time.monotonic() < end:
            raise
        raise TimeIsUp from None
    finally:
        timer.cancel()
