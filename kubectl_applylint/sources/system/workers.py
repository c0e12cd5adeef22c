"""Several questions at a time."""

import threading
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from kubectl_applylint.sources.system.signals import delay_signals

_MOMENT: Final = 0.02
"""Seconds between two attempts to end what threads do."""
_LONGEST_WAIT: Final = 0.5
"""Seconds without a look for signals: one that comes between the look and the wait does not end the wait."""
WORKERS: Final = 8
"""How many questions may be under way."""

Question = TypeVar("Question")
Reply = TypeVar("Reply")


def ask_all(
    ask: Callable[[Question], Reply],
    questions: Sequence[Question],
    *,
    at_once: int = WORKERS,
    end: Callable[[], None] | None = None,
) -> list[Reply]:
    """Return the replies in the order of the questions, ``at_once`` of which are under way at most.

    An exception of ``ask`` is raised here. ``end`` cuts short what is under way: where it is given, an interrupt of
    the program waits until the threads have cleaned up.

    The threads are daemons, unlike those of ``concurrent.futures``: whoever interrupts the program does not wait
    until a server that hangs has had its time.
    """
    if len(questions) < 2:
        return [ask(question) for question in questions]
    # Takes as long to import as the interpreter to start (30 ms), and a run that asks no cluster does without.
    from multiprocessing.pool import ThreadPool  # noqa: PLC0415

    with ThreadPool(min(at_once, len(questions))) as pool:
        try:
            asked = pool.map_async(ask, questions, chunksize=1)
            while not asked.ready():
                asked.wait(_LONGEST_WAIT)
            replies = asked.get()
        except BaseException:
            if end is not None:
                pool.terminate()
                _wait(pool.join, end)
            raise
        # No process is copied while there are threads (see ``processes``).
        pool.close()
        pool.join()
        return replies


def _wait(join: Callable[[], None], end: Callable[[], None]) -> None:
    """Wait until threads have ended, and cut short whatever they begin until then."""
    waiting = threading.Thread(target=join, daemon=True)
    with delay_signals():
        waiting.start()
        while waiting.is_alive():
            end()
            waiting.join(_MOMENT)
