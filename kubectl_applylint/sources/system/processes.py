"""Distributes work over the cores of the machine, with forked copies of this process."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn, TypeVar

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.system.signals import delay_signals, reset_signals

MOST: Final = 8
"""Maximum number of processes: each needs memory for all pages that it changes."""
LEAST: Final = 20
"""Minimum work per process, in applies to predict; a fork costs as much time as some five."""
_LENGTH: Final = 8
"""Size of an item's index in bytes."""
_MOST_QUEUED: Final = 512
"""The number of indices that fit into the smallest pipe of Linux."""
_CAN_FORK: Final = hasattr(os, "fork") and sys.platform != "darwin"

Item = TypeVar("Item")
Made = TypeVar("Made")


def map_in_processes(work: Callable[[Item], Made], items: Sequence[Item], *, applies: int) -> list[Made]:
    """Return ``work`` of each item, in their order, computed by several processes; results must be picklable.

    ``applies`` is the amount of work. If it is large enough, forked processes help: each takes the next item when it
    has finished one, so the largest should come first. The last item is done before forking, so that all processes
    share what is imported and cached for it. Results that a process does not return, because it was killed or ``work``
    failed there, are computed here, so that the result never depends on them.
    """
    number = max(1, min(_process_number(applies), len(items)))
    if number == 1:
        return [work(item) for item in items]
    last = len(items) - 1
    begun = {last: work(items[last])}
    # Existing objects live to the end: no forked process should collect them, which would copy their pages.
    gc.freeze()
    queue = _queue(last)
    copies: list[_Copy | None] = []
    try:
        for _ in range(1, number):
            with delay_signals():
                copies.append(_copy(work, items, last, queue))
        made = begun | _process_share(work, items, last, queue)
        for copy in filter(None, copies):
            made |= copy.made()
    finally:
        gc.unfreeze()
        os.close(queue)
        with delay_signals():
            for copy in filter(None, copies):
                copy.end()
    return [made[place] if place in made else work(item) for place, item in enumerate(items)]


def _queue(number: int) -> int:
    """Return a pipe of item indices; the process that reads one is the only one that gets it."""
    reading, writing = os.pipe()
    for place in range(min(number, _MOST_QUEUED)):
        os.write(writing, place.to_bytes(_LENGTH))
    os.close(writing)
    return reading


def _process_share(work: Callable[[Item], Made], items: Sequence[Item], number: int, queue: int) -> dict[int, Made]:
    """Return the results of the items that this process takes from the queue, by index."""
    made: dict[int, Made] = {}
    while place := os.read(queue, _LENGTH):
        # With more items than indices fit, one index represents several items.
        for at in range(int.from_bytes(place), number, _MOST_QUEUED):
            made[at] = work(items[at])
    return made


def is_worth_forking(applies: int) -> bool:
    """Return whether the amount of work is worth several processes."""
    return _process_number(applies) > 1


def _process_number(applies: int) -> int:
    """Return the number of processes, including this one; 1 if there are threads, whose locks a fork might wait for."""
    if not _CAN_FORK or threading.active_count() > 1:
        return 1
    return max(1, min(cores(), MOST, applies // LEAST))


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Copy:
    """A forked process, and the pipe for its results."""

    process: int
    pipe: int

    def made(self) -> dict[int, Any]:
        """Wait for the results, by item index; empty if the process failed."""
        import pickle  # noqa: PLC0415  it takes 5 ms to import, and runs over few files share nothing

        with os.fdopen(self.pipe, "rb", closefd=False) as stream:
            try:
                made: dict[int, Any] = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                return {}
        return made

    def end(self) -> None:
        """Terminate it, if it still runs."""
        os.close(self.pipe)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def _copy(work: Callable[[Item], Made], items: Sequence[Item], number: int, queue: int) -> _Copy | None:
    """Fork a process that takes items from a queue; ``None`` if the system allows no further process."""
    reading, writing = os.pipe()
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if process == 0:
        # If this process kept a reader, the pipe would not break when the parent is killed.
        os.close(reading)
        _send_results(lambda: _process_share(_end_with_parent(parent, work), items, number, queue), writing)
    os.close(writing)
    return _Copy(process, reading)


def _end_with_parent(parent: int, work: Callable[[Item], Made]) -> Callable[[Item], Made]:
    """Return ``work`` with a check that ends this process if the parent has ended, which may have been killed."""

    def work_or_end(item: Item) -> Made:
        if os.getppid() != parent:
            os._exit(0)
        return work(item)

    return work_or_end


def _send_results(taken: Callable[[], dict[int, Any]], pipe: int) -> NoReturn:
    """Write the results of this process, and exit in any case, without output or cleanup."""
    import pickle  # noqa: PLC0415  5 ms, as above

    try:
        reset_signals()
        with os.fdopen(pipe, "wb") as stream:
            pickle.dump(taken(), stream, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)
