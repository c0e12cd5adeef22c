"""Divides the pairs of a target and a unit among the shards of a run."""

from collections.abc import Mapping, Sequence

from kubectl_applylint.run.discover.unit_tasks import filter_by_root, select_units
from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.places import Place
from kubectl_applylint.sharding.cutting import Stretch, cut
from kubectl_applylint.sharding.shard import Shard
from kubectl_applylint.sharding.shares import NO_TIMINGS, unit_weights
from kubectl_applylint.units.model import Unit

_OPENING = 100
"""The cost of reading a target without timings, as a number of files."""
_FIRST: tuple[str, ...] = ()
"""The key of named files that belong to no unit."""


def requested_units(request: Request, place: Place) -> tuple[Unit, ...]:
    """Return the units of a request in their order, alternatives in a folder as one unit."""
    meant = select_units(place.side, place.units(request.units), place.paths)
    return tuple(sorted(filter_by_root(request.roots, meant), key=lambda unit: unit.place))


def unit_keys_in_shard(
    shard: Shard, targets: Mapping[str, Sequence[Unit]], timings: Mapping[str, float] = NO_TIMINGS
) -> Mapping[str, frozenset[tuple[str, ...]]]:
    """Return the targets of a shard, each with the keys of its units (``share_of_keys``).

    Neighbours stay together, so that few shards read the same target.
    """
    names = [*targets]
    found: dict[str, set[tuple[str, ...]]] = {}
    stretches = [_stretch(name, units, timings) for name, units in targets.items()]
    for number, place in cut(stretches, shard):
        keys = {targets[names[number]][place].key} if targets[names[number]] else set()
        found.setdefault(names[number], set()).update(keys, [_FIRST] if place == 0 else [])
    return {name: frozenset(keys) for name, keys in found.items()}


def _stretch(name: str, units: Sequence[Unit], timings: Mapping[str, float]) -> Stretch:
    """Return the units of a target as a stretch; a target without units, for one apply, is one piece."""
    prefix = f"{name}: "
    own = {root.removeprefix(prefix): took for root, took in timings.items() if root.startswith(prefix)}
    opening = round(1000 * timings.get(name, 0.0)) or (0 if own else _OPENING)
    return Stretch(opening, tuple(unit_weights(units, own)) or (1,))
