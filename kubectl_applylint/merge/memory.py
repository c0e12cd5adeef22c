"""A memory of the last objects that a function was given: a prediction reads the managers of one object five times."""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

_REMEMBERED: Final = 64


def remembering(make: Callable[[Item], Made]) -> Callable[[Item], Made]:
    """Return ``make`` with a memory. Objects are told apart by identity, so those that it is given may never change."""
    known: dict[int, tuple[Item, Made]] = {}

    @wraps(make)
    def remembered(item: Item) -> Made:
        found = known.get(id(item))
        # What is remembered is kept alive: so nothing else can come by its id.
        if found is None:
            if len(known) >= _REMEMBERED:
                known.clear()
            found = known[id(item)] = item, make(item)
        return found[1]

    return remembered
