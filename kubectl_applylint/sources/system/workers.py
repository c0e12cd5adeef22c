"""Runs several requests at a time, in threads."""

import threading
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

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
    # Takes as long to import as the interpreter to start (30 ms), and a run without a cluster does not need it.
    from multiprocessing.pool import ThreadPool  # noqa: PLC0415

    with ThreadPool(min(at_once, len(questions))) as pool:
        try:
            pending = pool.map_async(ask, questions, chunksize=1)
            while not pending.ready():
                pending.wait(_LONGEST_WAIT)
            replies = pending.get()
        except BaseException:
            if end is not None:
                pool.terminate()
                _wait(pool.join, end)
            raise
        # Processes must not be forked while there are threads (see ``processes``).
        pool.close()
        pool.join()
        return replies


def _wait(join: Callable[[], None], end: Callable[[], None]) -> None:
    """Wait until the threads have ended, and cancel whatever they begin until then."""
    waiting = threading.Thread(target=join, daemon=True)
    with delay_signals():
        waiting.start()
        while waiting.is_alive():
            end()
            waiting.join(_MOMENT)
