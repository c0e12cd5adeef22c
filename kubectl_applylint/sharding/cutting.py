"""Cuts a sequence of work into one contiguous range for each shard."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sharding.shard import Shard


@dataclass(frozen=True, slots=True)
class Stretch:
    """Pieces of work with a common cost, ``opening``, in each shard that works on any of them."""

    opening: int
    weights: tuple[int, ...]


def cut(stretches: Sequence[Stretch], shard: Shard) -> tuple[tuple[int, int], ...]:
    """Return the pieces of a shard in their order, each as the index of its stretch and its index in the stretch.

    Every piece is in exactly one shard, and the largest load of a shard is minimal.
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
        if max(_shards_of_pieces(stretches, pieces, middle), default=0) < shard.count:
            most = middle
        else:
            least = middle
    each = groupby(zip(_shards_of_pieces(stretches, pieces, most), pieces, strict=True), key=lambda one: one[0])
    mine = (list(members) for number, members in each if number == shard.number - 1)
    return tuple((number, place) for members in mine for _, (number, place, _) in members)


def _shards_of_pieces(stretches: Sequence[Stretch], pieces: Sequence[tuple[int, int, int]], most: int) -> Iterator[int]:
    """Yield the shard of each piece, from 0; each shard takes pieces up to a cost of ``most``, at least one piece."""
    shard, load, last = 0, 0, -1
    for number, _, weight in pieces:
        cost = weight + (stretches[number].opening if number != last else 0)
        if load and load + cost > most:
            shard, load, cost = shard + 1, 0, weight + stretches[number].opening
        load, last = load + cost, number
        yield shard
