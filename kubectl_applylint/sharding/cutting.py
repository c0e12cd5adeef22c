"""Work in a row, cut into as many runs of neighbours as there are machines."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sharding.shard import Shard


@dataclass(frozen=True, slots=True)
class Stretch:
    """Pieces that have something in common which costs ``opening`` wherever one of them is worked on."""

    opening: int
    weights: tuple[int, ...]


def cut(stretches: Sequence[Stretch], shard: Shard) -> tuple[tuple[int, int], ...]:
    """Return which pieces belong to a shard, each as the numbers of its stretch and in it, in their order.

    Every piece is in one shard, and the shard with most to do has as little to do as can be.
    """
    pieces = [
        (number, place, weight)
        for number, stretch in enumerate(stretches)
        for place, weight in enumerate(stretch.weights)
    ]
    most = sum(weight for _, _, weight in pieces) + sum(one.opening for one in stretches) * 2 + 1
    least = 0
    while most - least > 1:
        middle = (least + most) // 2
        if max(_shards(stretches, pieces, middle), default=0) < shard.count:
            most = middle
        else:
            least = middle
    each = groupby(zip(_shards(stretches, pieces, most), pieces, strict=True), key=lambda one: one[0])
    mine = (list(members) for number, members in each if number == shard.number - 1)
    return tuple((number, place) for members in mine for _, (number, place, _) in members)


def _shards(stretches: Sequence[Stretch], pieces: Sequence[tuple[int, int, int]], most: int) -> Iterator[int]:
    """Yield the shard of each piece, from 0, where each takes as many as cost ``most``, and at least one."""
    shard, load, last = 0, 0, -1
    for number, _, weight in pieces:
        cost = weight + (stretches[number].opening if number != last else 0)
        if load and load + cost > most:
            shard, load, cost = shard + 1, 0, weight + stretches[number].opening
        load, last = load + cost, number
        yield shard
