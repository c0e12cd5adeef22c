"""Signals that come while something must not be cut short."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import FrameType

import pytest

from kubectl_applylint.sources.system.signals import ENDING, delay_signals


@pytest.fixture(name="came")
def _came() -> Iterator[list[int]]:
    """Return the signals that come, instead of ending the tests."""
    came: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, remember) for number in ENDING}
    yield came
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_waits_until_the_block_ends(came: list[int], number: int) -> None:
    with delay_signals():
        signal.raise_signal(number)
        inside = [*came]

    assert (inside, came) == ([], [number])
    signal.raise_signal(number)
    assert came == [number, number]


def test_the_first_of_several_signals_is_delivered(came: list[int]) -> None:
    with delay_signals():
        signal.raise_signal(signal.SIGTERM)
        signal.raise_signal(signal.SIGINT)

    assert came == [signal.SIGTERM]


def test_a_signal_is_delivered_after_an_exception(came: list[int]) -> None:
    def fail() -> None:
        with delay_signals():
            signal.raise_signal(signal.SIGINT)
            raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        fail()
    assert came == [signal.SIGINT]


@pytest.mark.usefixtures("came")
def test_an_ignored_signal_stays_ignored() -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with delay_signals():
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_another_thread_holds_nothing_back(came: list[int]) -> None:
    handlers = []

    def look() -> None:
        with delay_signals():
            handlers.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()

    assert handlers == [signal.getsignal(signal.SIGINT)]
    assert came == []


PROGRAM = """
import os, signal, sys
from kubectl_applylint.sources.system.signals import reset_signals
signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(7))
signal.signal(signal.SIGHUP, signal.SIG_IGN)
reset_signals()
os.kill(os.getpid(), signal.{name})
print("alive")
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "out"),
    [("SIGTERM", -signal.SIGTERM, ""), ("SIGHUP", 0, "alive\n")],
    ids=["ends at once", "stays ignored"],
)
def test_a_copy_of_the_process_ends_at_once(name: str, code: int, out: str) -> None:
    command = [sys.executable, "-c", PROGRAM.format(name=name)]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": os.getcwd()})

    assert (done.returncode, done.stdout) == (code, out)
