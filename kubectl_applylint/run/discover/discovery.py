"""The result of a discovery: the units of a run, and how they are loaded and joined."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.sides.side import Side

T = TypeVar("T")


class UnknownRootError(ValueError):
    """No unit has a root that was asked for; the message names it."""


class UnknownPathError(ValueError):
    """Neither revision of a change has a path that was named; the message names it."""


def _declare_nothing(runs: Sequence[LoadedUnit]) -> Sequence[T]:
    return ()


@dataclass(frozen=True, slots=True)
class DiscoveredUnits(Generic[T]):
    """The units of a run, each as a ``T``."""

    units: Iterable[T]
    load: Callable[[T], LoadedUnit | None]
    """Loads a unit and the state to compare it with; returns ``None`` for a unit without objects."""
    join: Callable[[Sequence[LoadedUnit]], LoadedUnits]
    """Joins the loaded units to one run, with its notes."""
    declared_by: Callable[[Sequence[LoadedUnit]], Iterable[T]] = _declare_nothing
    """Returns the units that the objects of loaded units declare; they are loaded in the next round."""
    cached: Sequence[LoadedUnit] = ()
    """The units with cached results, which ``join`` adds; those that their objects declare are loaded."""
    static: Side | None = None
    """The files, if the results depend only on them: then worker processes load and evaluate the units."""
