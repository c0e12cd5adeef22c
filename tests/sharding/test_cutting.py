"""Work in a row, cut for several machines."""

import random

from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.sharding.cutting import Stretch, cut
from kubectl_applylint.sharding.shard import Shard

STRETCHES = st.lists(
    st.builds(Stretch, st.integers(0, 9), st.lists(st.integers(0, 9), max_size=6).map(tuple)), max_size=6
)


@given(STRETCHES, st.integers(1, 9))
def test_each_piece_is_in_one_shard_and_they_keep_their_order(stretches: list[Stretch], count: int) -> None:
    every = [piece for number in range(1, count + 1) for piece in cut(stretches, Shard(number, count))]

    assert every == [(number, place) for number, one in enumerate(stretches) for place in range(len(one.weights))]


def load(stretches: list[Stretch], pieces: tuple[tuple[int, int], ...]) -> int:
    openings = sum(stretches[number].opening for number in {number for number, _ in pieces})
    return openings + sum(stretches[number].weights[place] for number, place in pieces)


def test_expensive_stretches_are_opened_once() -> None:
    stretches = [Stretch(100, (1, 1, 1)), Stretch(100, (1, 1, 1))]

    assert [cut(stretches, Shard(number, 2)) for number in (1, 2)] == [
        ((0, 0), (0, 1), (0, 2)),
        ((1, 0), (1, 1), (1, 2)),
    ]


def test_no_shard_of_64_takes_much_longer_than_the_others() -> None:
    """1,000 pairs of 50 targets: each target takes as long to open as ten of its twenty units."""
    chance = random.Random(20261125)
    stretches = [
        Stretch(500, tuple(min(int(30 * chance.paretovariate(1.5)), 400) for _ in range(20))) for _ in range(50)
    ]
    loads = [load(stretches, cut(stretches, Shard(number, 64))) for number in range(1, 65)]

    assert max(loads) <= 1.3 * sum(loads) / len(loads)


def test_without_pieces_there_is_nothing_to_do() -> None:
    assert cut([], Shard(1, 2)) == cut([Stretch(1, ())], Shard(1, 2)) == ()
