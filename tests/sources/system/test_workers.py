import os
import signal
import threading
import time

import pytest

from kubectl_applylint.sources.system.workers import WORKERS, ask_all


def test_replies_come_in_the_order_of_the_questions() -> None:
    def ask(seconds: float) -> float:
        time.sleep(seconds)
        return seconds

    assert ask_all(ask, [0.03, 0.0, 0.02]) == [0.03, 0.0, 0.02]
    assert ask_all(ask, []) == []


def test_a_single_question_needs_no_thread() -> None:
    assert ask_all(lambda _: threading.current_thread(), [None]) == [threading.main_thread()]


def test_questions_are_asked_together_but_not_too_many() -> None:
    barrier = threading.Barrier(WORKERS, timeout=5)
    threads = ask_all(lambda _: (barrier.wait(), threading.get_ident())[1], range(WORKERS * 2))

    assert len(set(threads)) == WORKERS


def test_a_fault_of_ours_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        ask_all(lambda number: 1 // number, [1, 0, 2])


def test_nothing_is_left_of_the_threads() -> None:
    threads = ask_all(lambda _: threading.current_thread(), range(20), at_once=3)

    assert not any(thread.is_alive() for thread in threads)


def test_threads_clean_up_before_a_fault_is_raised() -> None:
    ended, cleaned = threading.Event(), []

    def ask(number: int) -> None:
        ended.wait(5)
        cleaned.append(number)

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(KeyboardInterrupt):
            ask_all(ask, [1, 2, 3], at_once=2, end=ended.set)
    finally:
        signal.signal(signal.SIGALRM, before)

    assert {1, 2} <= set(cleaned)


def test_a_signal_that_does_not_wake_the_main_thread_is_seen() -> None:
    ended = threading.Event()
    late: list[bool] = []

    def ask(number: int) -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        if number == 1:
            os.kill(os.getpid(), signal.SIGALRM)
        late.append(not ended.wait(10))

    def interrupt(signum: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    try:
        with pytest.raises(KeyboardInterrupt):
            ask_all(ask, [1, 2], end=ended.set)
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
        signal.signal(signal.SIGALRM, before)

    assert late == [False, False]
