"""The units of a run that one shard examines."""

from collections.abc import Callable, Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.pairs import Pair


def _every_unit(meant: Sequence[Unit]) -> Callable[[Unit], bool]:
    return lambda unit: True


@dataclass(frozen=True, slots=True)
class Share:
    """A part of the units of a run."""

    units: Callable[[Sequence[Unit]], Callable[[Unit], bool]] = _every_unit
    """Returns, for the units of a run, the predicate whether a unit, or a part of one, belongs to the share."""
    pairs: Callable[[Sequence[Pair]], tuple[Pair, ...]] = tuple
    """Returns the changed units that belong to the share."""


WHOLE: Final = Share()
