"""Division of the units of a run over machines."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.sharding.shard import Shard, balanced_share, parse_shard


@pytest.mark.parametrize(
    ("text", "environment", "expected"),
    [
        ("2/4", {}, Shard(2, 4)),
        ("auto", {"APPLYLINT_SHARD": "3/8"}, Shard(3, 8)),
        ("auto", {"CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "2"}, Shard(1, 2)),
        ("auto", {"JOB_COMPLETION_INDEX": "0", "APPLYLINT_SHARDS": "16"}, Shard(1, 16)),
    ],
    ids=["typed", "own variable", "GitLab", "Indexed Job"],
)
def test_a_shard_is_typed_or_set(text: str, environment: dict[str, str], expected: Shard) -> None:
    assert parse_shard(text, environment) == expected


@pytest.mark.parametrize(
    ("text", "environment"),
    [
        ("0/4", {}),
        ("5/4", {}),
        ("2", {}),
        ("a/b", {}),
        ("auto", {}),
        ("auto", {"CI_NODE_INDEX": "1"}),
        ("auto", {"JOB_COMPLETION_INDEX": "4", "APPLYLINT_SHARDS": "4"}),
    ],
)
def test_an_invalid_shard_is_named(text: str, environment: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=f"^{text}.* is not a valid shard; use I/N"):
        parse_shard(text, environment)


def test_no_shard_of_many_takes_much_longer_than_the_others() -> None:
    """2,000 units on 64 machines: some take eighty times as long as others."""
    chance = random.Random(20261125)
    weights = {number: min(int(100 * chance.paretovariate(1.5)), 8000) for number in range(2000)}
    loads = [sum(weights[key] for key in balanced_share(weights, Shard(number, 64))) for number in range(1, 65)]

    assert max(loads) <= 1.3 * sum(loads) / len(loads)


WEIGHTS = st.dictionaries(st.text(max_size=5), st.integers(0, 50), max_size=30)


@given(WEIGHTS, st.integers(1, 9))
def test_each_thing_is_in_one_shard(weights: dict[str, int], count: int) -> None:
    every = [balanced_share(weights, Shard(number, count)) for number in range(1, count + 1)]

    assert sorted(key for part in every for key in part) == sorted(weights)


@given(WEIGHTS, st.integers(1, 9))
def test_no_shard_has_more_than_the_mean_and_one_thing(weights: dict[str, int], count: int) -> None:
    loads = [
        sum(max(weights[key], 1) for key in balanced_share(weights, Shard(number, count)))
        for number in range(1, count + 1)
    ]

    assert max(loads) <= sum(loads) / count + max([1, *weights.values()])
