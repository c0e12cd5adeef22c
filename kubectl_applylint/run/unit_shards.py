"""Which units of a run belong to a shard: each with all that a folder or a change makes of it."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.sides import Side
from kubectl_applylint.run.unit_changes import Pair, Revisions
from kubectl_applylint.secrets.secret_places import is_secret
from kubectl_applylint.units.model import Form, Unit
from kubectl_applylint.units.shards import Shard, shared

NO_TIMINGS: Final[Mapping[str, float]] = {}
SECRETS: Final = ("Secret",)
"""What a file with a Secret has in it."""


def weights_of(units: Sequence[Unit], timings: Mapping[str, float]) -> list[int]:
    """Return how much there is to do in each unit: the milliseconds that it took, or else how many files it has.

    Where only some units are known, the others take for each file what these took on average.
    """
    seconds = [_seconds(unit, timings) for unit in units]
    known = [(took, len(unit.files)) for took, unit in zip(seconds, units, strict=True) if took]
    one = 1000 * sum(took for took, _ in known) / max(sum(files for _, files in known), 1) if known else 1
    return [round(1000 * took or one * len(unit.files)) for took, unit in zip(seconds, units, strict=True)]


def _seconds(unit: Unit, timings: Mapping[str, float]) -> float:
    """Return how long a unit took, or all the alternatives in a folder."""
    return timings.get(unit.shown, 0.0) or sum(timings.get(path, 0.0) for path in unit.files if timings)


def in_shard(
    shard: Shard | None, meant: Sequence[Unit], timings: Mapping[str, float] = NO_TIMINGS
) -> Callable[[Unit], bool]:
    """Return what tells whether a unit is looked at of those that are ``meant``, or of the files of one.

    What is named and in none of them belongs to the first shard.
    """
    if shard is None:
        return lambda unit: True
    weights = dict(zip((unit.key for unit in meant), weights_of(meant, timings), strict=True))
    return among(shared(weights, shard), meant, is_first=shard.number == 1)


def mine_of(
    shard: Shard | None,
    keys: Collection[tuple[str, ...]] | None,
    meant: Sequence[Unit],
    timings: Mapping[str, float] = NO_TIMINGS,
) -> Callable[[Unit], bool]:
    """Return what tells whether a unit is one of those with ``keys``, or without any in the shard.

    Who has the key ``()`` has what is named and in none of the units that are meant.
    """
    return in_shard(shard, meant, timings) if keys is None else among(keys, meant, is_first=() in keys)


def among(mine: Collection[tuple[str, ...]], meant: Sequence[Unit], *, is_first: bool) -> Callable[[Unit], bool]:
    """Return the same for units that are known by their keys; ``is_first`` takes what is in none of those meant."""
    known = {unit.key for unit in meant}
    folders = {path: unit.key for unit in meant if unit.form is Form.FOLDER for path in unit.files}

    def is_mine(unit: Unit) -> bool:
        key = unit.key if unit.key in known else folders.get(min(unit.files, default=""))
        return key in mine if key else is_first

    return is_mine


def pairs_in_shard(
    shard: Shard | None, pairs: Sequence[Pair], timings: Mapping[str, float] = NO_TIMINGS
) -> tuple[Pair, ...]:
    """Return the changed units that a shard looks at."""
    if shard is None:
        return tuple(pairs)
    larger = [max(filter(None, pair), key=lambda unit: len(unit.files)) for pair in pairs]
    mine = shared(dict(enumerate(weights_of(larger, timings))), shard)
    return tuple(pair for number, pair in enumerate(pairs) if number in mine)


def secrets_of(found: Revisions, pairs: Sequence[Pair]) -> Iterator[JsonObject]:
    """Yield the Secrets of both sides in changed units that other shards look at."""
    for number, side in enumerate(found.sides):
        yield from secrets_in(side, filter(None, (pair[number] for pair in pairs)))


def secrets_in(side: Side, units: Iterable[Unit]) -> Iterator[JsonObject]:
    """Yield the Secrets in the files of units: what other shards look at may be repeated in the units of this one.

    What only rendering makes is not known.
    """
    files = frozenset(chain.from_iterable(unit.files for unit in units))
    named = sorted(files & side.mentioning(SECRETS)) if files else []
    yield from (document.object for document in side.read(named).documents if is_secret(document.ref))
