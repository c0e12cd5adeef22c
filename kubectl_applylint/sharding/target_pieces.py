"""The pairs of a target and a unit that a run means, and which of them one of several machines looks at."""

from collections.abc import Mapping, Sequence

from kubectl_applylint.run.discover.unit_tasks import filter_by_root, select_units
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.places import Place
from kubectl_applylint.sharding.cutting import Stretch, cut
from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sharding.shares import NO_TIMINGS, unit_weights
from kubectl_applylint.units.model import Unit

_OPENING = 100
"""What it costs to read a target, in files of a unit, where no timings say more."""
_FIRST: tuple[str, ...] = ()
"""The key of what is named and in no unit."""


def requested_units(request: Request, place: Place) -> tuple[Unit, ...]:
    """Return the units that a request means, alternatives in a folder as one, in the order of their runs."""
    meant = select_units(place.side, place.units(request.units), place.paths)
    return tuple(sorted(filter_by_root(request.roots, meant), key=lambda unit: unit.place))


def unit_keys_in_shard(
    shard: Shard, targets: Mapping[str, Sequence[Unit]], timings: Mapping[str, float] = NO_TIMINGS
) -> Mapping[str, frozenset[tuple[str, ...]]]:
    """Return the targets that a shard looks at, each with the keys of its units (``share_of_keys``).

    Neighbours stay together, so that few machines read the same target.
    """
    names = [*targets]
    found: dict[str, set[tuple[str, ...]]] = {}
    stretches = [_stretch(name, units, timings) for name, units in targets.items()]
    for number, place in cut(stretches, shard):
        keys = {targets[names[number]][place].key} if targets[names[number]] else set()
        found.setdefault(names[number], set()).update(keys, [_FIRST] if place == 0 else [])
    return {name: frozenset(keys) for name, keys in found.items()}


def _stretch(name: str, units: Sequence[Unit], timings: Mapping[str, float]) -> Stretch:
    """Return a target as work in a row; one that has no units, as one apply has not, is a piece all the same."""
    prefix = f"{name}: "
    own = {root.removeprefix(prefix): took for root, took in timings.items() if root.startswith(prefix)}
    opening = round(1000 * timings.get(name, 0.0)) or (0 if own else _OPENING)
    return Stretch(opening, tuple(unit_weights(units, own)) or (1,))
