"""Assigns the units of a run to shards; alternatives in a folder and both sides of a change stay together."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.run.discover.share import Share
from kubectl_applylint.sharding.shard import Shard, balanced_share
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.pairs import Pair

NO_TIMINGS: Final[Mapping[str, float]] = {}


def unit_weights(units: Sequence[Unit], timings: Mapping[str, float]) -> list[int]:
    """Return the weight of each unit: the milliseconds that it took, or else the number of its files.

    If only some units have timings, the weight of the others is the average time for a file, multiplied by their files.
    """
    seconds = [_seconds(unit, timings) for unit in units]
    known = [(took, len(unit.files)) for took, unit in zip(seconds, units, strict=True) if took]
    one = 1000 * sum(took for took, _ in known) / max(sum(files for _, files in known), 1) if known else 1
    return [round(1000 * took or one * len(unit.files)) for took, unit in zip(seconds, units, strict=True)]


def _seconds(unit: Unit, timings: Mapping[str, float]) -> float:
    """Return the seconds that a unit took, or all alternatives in a folder; 0 if unknown."""
    return timings.get(unit.shown, 0.0) or sum(timings.get(path, 0.0) for path in unit.files if timings)


def share_of_shard(shard: Shard, timings: Mapping[str, float] = NO_TIMINGS) -> Share:
    """Return the units of a run that a shard examines, balanced by the seconds that they took in an earlier run.

    Named files that belong to no unit are examined by the first shard.
    """

    def units(meant: Sequence[Unit]) -> Callable[[Unit], bool]:
        weights = dict(zip((unit.key for unit in meant), unit_weights(meant, timings), strict=True))
        return unit_filter(balanced_share(weights, shard), meant, is_first=shard.number == 1)

    return Share(units, partial(_pairs_of_shard, shard, timings))


def share_of_keys(keys: Collection[tuple[str, ...]]) -> Share:
    """Return the share with the units of these keys; the key ``()`` is for named files that belong to no unit."""
    return Share(lambda meant: unit_filter(keys, meant, is_first=() in keys))


def _pairs_of_shard(shard: Shard, timings: Mapping[str, float], pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    larger = [max(filter(None, pair), key=lambda unit: len(unit.files)) for pair in pairs]
    mine = balanced_share(dict(enumerate(unit_weights(larger, timings))), shard)
    return tuple(pair for number, pair in enumerate(pairs) if number in mine)


def unit_filter(mine: Collection[tuple[str, ...]], meant: Sequence[Unit], *, is_first: bool) -> Callable[[Unit], bool]:
    """Return a predicate for the units with the keys ``mine``; it returns ``is_first`` for units not in ``meant``."""
    known = {unit.key for unit in meant}
    folders = {path: unit.key for unit in meant if unit.form is Form.FOLDER for path in unit.files}

    def is_mine(unit: Unit) -> bool:
        key = unit.key if unit.key in known else folders.get(min(unit.files, default=""))
        return key in mine if key else is_first

    return is_mine
