"""Several questions at a time."""

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

WORKERS: Final = 8
"""How many questions may be under way."""

Question = TypeVar("Question")
Reply = TypeVar("Reply")


def ask_all(ask: Callable[[Question], Reply], questions: Sequence[Question], *, at_once: int = WORKERS) -> list[Reply]:
    """Return the replies in the order of the questions, ``at_once`` of which are under way at most.

    An exception of ``ask`` is raised here.

    The threads are daemons, unlike those of ``concurrent.futures``: whoever interrupts the program does not wait
    until a server that hangs has had its time.
    """
    if len(questions) < 2:
        return [ask(question) for question in questions]
    # Takes as long to import as the interpreter to start (30 ms), and a run that asks no cluster does without.
    from multiprocessing.pool import ThreadPool  # noqa: PLC0415

    with ThreadPool(min(at_once, len(questions))) as pool:
        replies = pool.map(ask, questions, chunksize=1)
        # No process is copied while there are threads (see ``processes``).
        pool.close()
        pool.join()
        return replies
