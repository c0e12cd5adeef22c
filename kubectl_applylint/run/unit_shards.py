"""Which units of a run belong to a shard: each with all that a folder or a change makes of it."""

from collections.abc import Callable, Sequence

from kubectl_applylint.run.unit_changes import Pair
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.shards import Shard, shared


def in_shard(shard: Shard | None, meant: Sequence[Unit]) -> Callable[[Unit], bool]:
    """Return what tells whether a unit is looked at of those that are ``meant``, or of the files of one.

    What is named and in none of them belongs to the first shard.
    """
    if shard is None:
        return lambda unit: True
    weights = {unit.key: len(unit.files) for unit in meant}
    folders = {path: unit.key for unit in meant if unit.form is Form.FOLDER for path in unit.files}
    mine = shared(weights, shard)

    def is_mine(unit: Unit) -> bool:
        key = unit.key if unit.key in weights else folders.get(min(unit.files, default=""))
        return key in mine if key else shard.number == 1

    return is_mine


def pairs_in_shard(shard: Shard | None, pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """Return the changed units that a shard looks at."""
    if shard is None:
        return tuple(pairs)
    weights = {number: max(len(unit.files) for unit in pair if unit) for number, pair in enumerate(pairs)}
    mine = shared(weights, shard)
    return tuple(pair for number, pair in enumerate(pairs) if number in mine)
