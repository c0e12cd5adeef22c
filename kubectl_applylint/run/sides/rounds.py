"""Chooses the declared units of each round, so that declarations without end are not followed without end."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.units.model import Unit

T = TypeVar("T")

_MOST_LEVELS: Final = 4
"""Maximum number of rounds with units that are declared at the same place, such as a template that renders itself."""


class Rounds:
    """The units of all rounds so far. An object, because each round depends on those before."""

    def __init__(self) -> None:
        self.endless: list[Unit] = []
        """The units that are left out."""
        self._known: set[object] = set()
        self._levels = Counter[str]()

    def add(self, units: Iterable[Unit]) -> None:
        """Add units that are known without being declared."""
        self._known.update(unit.key for unit in units)

    def following(self, declared: Iterable[T], unit_of: Callable[[T], Unit]) -> Sequence[T]:
        """Return the declared units that are new; units that are declared without end are left out."""
        new = [one for one in declared if unit_of(one).key not in self._known]
        self._known.update(unit_of(one).key for one in new)
        self._levels.update({unit_of(one).applied.reason.place for one in new})
        self.endless += filter(self._is_endless, map(unit_of, new))
        return [one for one in new if not self._is_endless(unit_of(one))]

    def _is_endless(self, unit: Unit) -> bool:
        return self._levels[unit.applied.reason.place] > _MOST_LEVELS


def endless_problems(endless: Iterable[Unit]) -> Iterator[Problem]:
    """Yield a problem for each place that declares units without end; ``endless`` are the units that are left out."""
    places: dict[str, list[Unit]] = {}
    for unit in endless:
        places.setdefault(unit.applied.reason.place, []).append(unit)
    for place, units in places.items():
        more = f" and {len(units) - 1} more are" if len(units) > 1 else " is"
        message = f"each object declares another one of the same kind without end: {units[0].shown}{more} not examined"
        yield Problem(place, message, "end the recursion")
