"""Sequences that are computed on first access."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

Item = TypeVar("Item")


class Deferred(Sequence[Item], Generic[Item]):
    """A sequence that calls ``make`` once, on first access; equal to a tuple of the same items."""

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Sequence[Item]]) -> None:
        self._make: Callable[[], Sequence[Item]] | None = make
        self._made: tuple[Item, ...] = ()

    @property
    def made(self) -> tuple[Item, ...]:
        """The items."""
        if self._make is not None:
            self._made, self._make = tuple(self._make()), None
        return self._made

    @overload
    def __getitem__(self, place: int) -> Item: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, place: int | slice) -> Item | tuple[Item, ...]:
        """Return one item, or a slice."""
        return self.made[place]

    def __len__(self) -> int:
        return len(self.made)

    def __iter__(self) -> Iterator[Item]:
        return iter(self.made)

    def __eq__(self, other: object) -> bool:
        return self.made == (other.made if isinstance(other, Deferred) else other)

    def __hash__(self) -> int:
        return hash(self.made)

    def __repr__(self) -> str:
        return repr(self.made)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the items, since another process may not be able to call ``make``."""
        return tuple, (self.made,)
