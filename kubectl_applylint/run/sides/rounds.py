"""Chooses the declared units of each round, so that declarations without end are not followed without end."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, TypeVar

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.units.model import Unit

T = TypeVar("T")

ENDLESS: Final = "each object declares another one of the same kind without end"
_MOST_LEVELS: Final = 4
"""Maximum number of rounds with units that are declared at the same place, such as a template that renders itself."""
_MOST_UNITS: Final = 100
"""Maximum number of units that one file declares in more than two rounds: such a template multiplies itself."""
_LEVELS_OF_MANY: Final = 2


class Rounds:
    """The units of all rounds so far. An object, because each round depends on those before."""

    def __init__(self) -> None:
        self.endless: list[Unit] = []
        """The units that are left out."""
        self._known: set[object] = set()
        self._levels = Counter[str]()
        self._units = Counter[str]()

    def add(self, units: Iterable[Unit]) -> None:
        """Add units that are known without being declared."""
        self._known.update(unit.key for unit in units)

    def following(self, declared: Iterable[T], unit_of: Callable[[T], Unit]) -> Sequence[T]:
        """Return the declared units that are new; units that are declared without end are left out."""
        new = [one for one in declared if unit_of(one).key not in self._known]
        self._known.update(unit_of(one).key for one in new)
        reasons = [unit_of(one).applied.reason for one in new]
        self._levels.update({one.place for one in reasons})
        self._units.update(one.file for one in reasons)
        self.endless += filter(self._is_endless, map(unit_of, new))
        return [one for one in new if not self._is_endless(unit_of(one))]

    def _is_endless(self, unit: Unit) -> bool:
        why = unit.applied.reason
        levels, multiplies = self._levels[why.place], self._units[why.file] > _MOST_UNITS
        return levels > _MOST_LEVELS or (levels > _LEVELS_OF_MANY and multiplies)


def endless_problems(endless: Iterable[Unit]) -> Iterator[Problem]:
    """Yield a problem for each place that declares units without end; ``endless`` are the units that are left out."""
    places: dict[str, list[Unit]] = {}
    for unit in endless:
        places.setdefault(unit.applied.reason.place, []).append(unit)
    for place, units in places.items():
        more = f" and {len(units) - 1} more are" if len(units) > 1 else " is"
        message = f"{ENDLESS}: {units[0].shown}{more} not examined"
        yield Problem(place, message, "end the recursion")
