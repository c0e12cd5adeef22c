"""The time that a run may take, as a whole or without progress: when it is over, the run ends wherever it is."""

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
"""Seconds that a run may take for one unit or one object, unless ``--timeout`` limits the whole run."""
_phase = "starting"
_has_stall_limit = False


class TimeIsUp(BaseException):
    """The time of the run is over. Not an ``Exception``: nothing that catches faults of its own work may keep it."""


def phase(words: str) -> None:
    """Remember what the run does from now on, for the message that its time is over."""
    global _phase
    _phase = words
    restart()


def restart() -> None:
    """Begin the time again that a run may take without progress."""
    if _has_stall_limit:
        signal.setitimer(signal.ITIMER_REAL, STALLED, _AGAIN)


def problem(command: str, seconds: float) -> Problem:
    """Return what there is to say of a run whose time is over."""
    message = f"not finished within {seconds:g} s, while {_phase}: no result is reported"
    return Problem(command, message, "increase --timeout, or pass fewer files")


def stalled_problem(command: str) -> Problem:
    """Return the problem of a run that has made no progress."""
    message = f"no progress for {STALLED:g} s, while {_phase}: no result is reported"
    return Problem(command, message, "allow more time for the whole run with --timeout, or pass fewer files")


@contextmanager
def stall_limit() -> Iterator[None]:
    """Raise ``TimeIsUp`` in this block once it has made no progress (``restart``) for ``STALLED`` seconds.

    Nothing is limited where the system has no alarm, or where this is not the main thread.
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
def limited(seconds: float) -> Iterator[None]:
    """Raise ``TimeIsUp`` in this block once so many seconds have passed; 0 and less is for ever.

    Children are ended by those who started them, as that passes through. Where the system has no alarm, or this is not
    the main thread, the limit is kept by an interrupt that takes hold at the next step of the program.
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
    def ring(number: int, frame: FrameType | None) -> None:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, ring)
    # Once more some seconds later, should the first be lost where Python drops exceptions, as in a finalizer.
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextmanager
def _interrupt(seconds: float) -> Iterator[None]:

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
