"""Work that is shared among the cores of the machine, by copies of this process."""

import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn, TypeVar

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.system.signals import as_usual, delay_signals

MOST: Final = 8
"""How many processes share the work at most: each of them keeps what it changes of the memory."""
LEAST: Final = 20
"""How much a process gets to do at least, in applies to predict; a copy of it costs as much time as some five."""
_LENGTH: Final = 8
"""The bytes of a place of an item."""
_MOST_QUEUED: Final = 512
"""How many places fit into the smallest pipe that Linux gives."""
_CAN_FORK: Final = hasattr(os, "fork") and sys.platform != "darwin"

Item = TypeVar("Item")
Made = TypeVar("Made")


def map_in_processes(work: Callable[[Item], Made], items: Sequence[Item], *, applies: int) -> list[Made]:
    """Return what ``work`` makes of each item, in their order; what it makes has to be something that pickles.

    ``applies`` says how much there is to do. Where it pays, copies of this process help: who has finished an item takes
    the next one, so the largest should come first. The last one is done before there are copies: they all have what is
    imported and looked up for it. What one of them does not hand back, because it was killed or because ``work`` fails
    there, is worked on here, so that the result never depends on them.
    """
    number = max(1, min(_copies_for(applies), len(items)))
    if number == 1:
        return [work(item) for item in items]
    last = len(items) - 1
    begun = {last: work(items[last])}
    # What is there lives to the end: no copy looks for garbage in it, for which it would need pages of its own.
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
    """Return a pipe of places of items; a process that reads one takes it, and no other gets it."""
    reading, writing = os.pipe()
    for place in range(min(number, _MOST_QUEUED)):
        os.write(writing, place.to_bytes(_LENGTH))
    os.close(writing)
    return reading


def _process_share(work: Callable[[Item], Made], items: Sequence[Item], number: int, queue: int) -> dict[int, Made]:
    """Return what is made of those of the first items that this process has taken from the queue, by their places."""
    made: dict[int, Made] = {}
    while place := os.read(queue, _LENGTH):
        # Of more items than places, one place stands for several.
        for at in range(int.from_bytes(place), number, _MOST_QUEUED):
            made[at] = work(items[at])
    return made


def is_worth_forking(applies: int) -> bool:
    """Return whether so much work is worth several processes."""
    return _copies_for(applies) > 1


def _copies_for(applies: int) -> int:
    """Return how many processes share so much work, with this one; threads forbid it: a copy might wait for one."""
    if not _CAN_FORK or threading.active_count() > 1:
        return 1
    return max(1, min(cores(), MOST, applies // LEAST))


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Copy:
    """A running copy of this process, and where it writes what it has made."""

    process: int
    pipe: int

    def made(self) -> dict[int, Any]:
        """Wait for what it has made, by the places of the items; empty where it came to nothing."""
        import pickle  # noqa: PLC0415  it takes 5 ms to import, and runs over few files share nothing

        with os.fdopen(self.pipe, "rb", closefd=False) as stream:
            try:
                made: dict[int, Any] = pickle.load(stream)
            except (EOFError, pickle.UnpicklingError):
                return {}
        return made

    def end(self) -> None:
        """End it, if it has not done so."""
        os.close(self.pipe)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        os.waitpid(self.process, 0)


def _copy(work: Callable[[Item], Made], items: Sequence[Item], number: int, queue: int) -> _Copy | None:
    """Start a copy that takes items from a queue, ``None`` where the system allows no further process."""
    reading, writing = os.pipe()
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return None
    if process == 0:
        # With a reader of its own, the pipe would not break when the parent is killed.
        os.close(reading)
        _send_results(lambda: _process_share(_end_with_parent(parent, work), items, number, queue), writing)
    os.close(writing)
    return _Copy(process, reading)


def _end_with_parent(parent: int, work: Callable[[Item], Made]) -> Callable[[Item], Made]:
    """Return ``work`` so that it ends this process if the parent has ended, which may have been killed."""

    def work_or_end(item: Item) -> Made:
        if os.getppid() != parent:
            os._exit(0)
        return work(item)

    return work_or_end


def _send_results(taken: Callable[[], dict[int, Any]], pipe: int) -> NoReturn:
    """Write what this process makes, and end it whatever happens: it says nothing and cleans nothing up."""
    import pickle  # noqa: PLC0415  5 ms, as above

    try:
        as_usual()
        with os.fdopen(pipe, "wb") as stream:
            pickle.dump(taken(), stream, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)
