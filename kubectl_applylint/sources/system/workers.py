"""Runs several requests at a time, in threads."""

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Generic, TypeVar

from kubectl_applylint.sources.system.signals import delay_signals

_MOMENT: Final = 0.02
"""Seconds between two attempts to cancel the threads' requests."""
_LONGEST_WAIT: Final = 0.5
"""Maximum seconds without checking for signals: one between the check and the wait does not end the wait."""
WORKERS: Final = 8
"""Maximum number of concurrent requests."""

Question = TypeVar("Question")
Reply = TypeVar("Reply")


def ask_all(
    ask: Callable[[Question], Reply],
    questions: Sequence[Question],
    *,
    at_once: int = WORKERS,
    end: Callable[[], None] | None = None,
) -> list[Reply]:
    """Return the replies in the order of the questions, with at most ``at_once`` of them in progress.

    Exceptions of ``ask`` are raised here. ``end`` cancels requests in progress: with it, an interrupt of the program
    waits until the threads have cleaned up.

    The threads are daemons, unlike those of ``concurrent.futures``: an interrupt does not wait for the timeout of a
    server that hangs.
    """
    if len(questions) < 2:
        return [ask(question) for question in questions]
    work = _Work(ask, questions)
    threads = [threading.Thread(target=work.run, daemon=True) for _ in range(min(at_once, len(questions)))]
    try:
        for thread in threads:
            thread.start()
        work.begin()
        while not work.is_done.wait(_LONGEST_WAIT):
            pass
    except BaseException:
        work.stop()
        if end is not None:
            _wait(threads, end)
        raise
    # Processes must not be forked while there are threads (see ``processes``).
    for thread in threads:
        thread.join()
    return work.replies()


class _Work(Generic[Question, Reply]):
    """Questions that several threads take one by one, with their replies or exceptions by place.

    ``multiprocessing.pool`` does the same, and takes as long to import as the interpreter to start.
    """

    def __init__(self, ask: Callable[[Question], Reply], questions: Sequence[Question]) -> None:
        self._ask = ask
        self._waiting = deque(enumerate(questions))
        self._number = len(questions)
        self._replies: dict[int, Reply] = {}
        self._errors: list[BaseException] = []
        self._has_begun = threading.Event()
        self.is_done = threading.Event()

    def begin(self) -> None:
        """Let the threads begin, which are all started: an interrupt ends all of them or none."""
        self._has_begun.set()

    def run(self) -> None:
        """Ask one question after the other until none is left."""
        self._has_begun.wait()
        while self._waiting:
            try:
                place, question = self._waiting.popleft()
            except IndexError:
                return
            try:
                self._replies[place] = self._ask(question)
            except BaseException as error:
                self._errors.append(error)
            if len(self._replies) + len(self._errors) == self._number:
                self.is_done.set()

    def stop(self) -> None:
        """Ask no further question."""
        self._waiting.clear()
        self._has_begun.set()

    def replies(self) -> list[Reply]:
        """Return the replies in the order of the questions; raise the first exception, if there is one."""
        if self._errors:
            raise self._errors[0]
        return [self._replies[place] for place in range(self._number)]


def _wait(threads: Sequence[threading.Thread], end: Callable[[], None]) -> None:
    """Wait until the threads have ended, and cancel whatever they begin until then."""
    with delay_signals():
        while any(thread.is_alive() for thread in threads):
            end()
            time.sleep(_MOMENT)
