"""A memory of the last objects that a function was given: a prediction reads the managers of one object five times."""

from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

_REMEMBERED: Final = 64
_MEMORIES: Final[list[dict[int, Any]]] = []


class remembering(Generic[Item, Made]):
    """Gives a function a memory. Objects are told apart by identity: who changes one has to ``forget`` first."""

    def __init__(self, make: Callable[[Item], Made]) -> None:
        """Remember what ``make`` makes."""
        self._make = make
        self._known: dict[int, tuple[Item, Made]] = {}
        self.__doc__ = make.__doc__
        _MEMORIES.append(self._known)

    def __call__(self, item: Item) -> Made:
        """Return what is made of an object."""
        found = self._known.get(id(item))
        return self.learn(item, self._make(item)) if found is None else found[1]

    def learn(self, item: Item, made: Made) -> Made:
        """Remember what is made of an object without making it: whoever made the object of it knows."""
        # What is remembered is kept alive: so nothing else can come by its id.
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known[id(item)] = item, made
        return made


def forget() -> None:
    """Forget all objects: those of a caller may have changed since."""
    for known in _MEMORIES:
        known.clear()
