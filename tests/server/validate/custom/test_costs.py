"""Costs of single calls in cel-go, and our common limits; ``costs.jsonl`` has whole expressions."""

from typing import Any

import pytest

from kubectl_applylint.server.validate.custom.costs import (
    PER_CALL,
    CostLimitError,
    Meter,
    WorkLimitError,
    call_cost,
    call_work,
    size,
    weight,
)
from kubectl_applylint.server.validate.custom.dialect import Namespace, Optional
from kubectl_applylint.server.validate.custom.kinds import FUNCTIONS

SETS = Namespace("sets")


def test_a_meter_stops_beyond_the_limit_only() -> None:
    meter = Meter()
    meter.add(PER_CALL)

    with pytest.raises(CostLimitError):
        meter.add(1)


def test_a_meter_stops_when_it_is_too_much_work() -> None:
    meter = Meter()
    meter.add_work(3_000_000)

    with pytest.raises(WorkLimitError):
        meter.add_work(1)
    assert meter.cost == 0


@pytest.mark.parametrize(
    ("value", "units"),
    [
        pytest.param("äb", 2, id="characters of a text"),
        pytest.param("äb".encode(), 3, id="bytes"),
        pytest.param([1, [2, 3]], 2, id="elements of a list"),
        pytest.param({}, 0, id="empty map"),
        pytest.param(Optional(("abc",)), 3, id="what is optional"),
        pytest.param(Optional(), 1, id="nothing"),
        pytest.param(FUNCTIONS["ip"]("1.1.1.1"), 4, id="IPv4"),
        pytest.param(FUNCTIONS["ip"]("::1"), 16, id="IPv6"),
        pytest.param(FUNCTIONS["cidr"]("10.0.0.0/9"), 2, id="block"),
        pytest.param(7, 1, id="number"),
    ],
)
def test_the_size_of_a_value(value: Any, units: int) -> None:
    assert size(value) == units


@pytest.mark.parametrize(
    ("value", "values"),
    [(1, 1), ("a" * 250, 3), ([1, [2]], 4), ({"k": [1]}, 3), (b"a" * 100, 2)],
    ids=["number", "text", "list", "map", "bytes"],
)
def test_the_weight_of_a_value_counts_its_parts(value: Any, values: int) -> None:
    assert weight(value) == values


@pytest.mark.parametrize(
    ("name", "values", "result", "cost"),
    [
        pytest.param("foo", [1], 1, 1, id="anything else"),
        pytest.param("_==_", ["a" * 11, "b" * 50], False, 2, id="the shorter text"),
        pytest.param("_==_", [FUNCTIONS["quantity"]("1"), FUNCTIONS["quantity"]("1")], True, 1, id="quantities"),
        pytest.param("_==_", ["", "b"], False, 0, id="an empty text"),
        pytest.param("_<_", ["a" * 21, "b" * 50], True, 3, id="order of texts"),
        pytest.param("_<_", [1, 2], True, 1, id="order of numbers"),
        pytest.param("_+_", ["a" * 10, "b"], "", 2, id="texts joined"),
        pytest.param("_+_", [[1] * 100, []], [], 1, id="lists joined"),
        pytest.param("_in_", [1, [1, 2, 3]], True, 3, id="in a list"),
        pytest.param("_in_", ["k", {"k": 1, "l": 2}], True, 1, id="in a map"),
        pytest.param("matches", ["a" * 19, "b" * 5], True, 4, id="pattern"),
        pytest.param("contains", ["a" * 20, "b" * 11], True, 4, id="text in a text"),
        pytest.param("contains", [SETS, [1, 2], [1, 2, 3]], True, 7, id="list in a list"),
        pytest.param("equivalent", [SETS, [1, 2], [1, 2, 3]], True, 13, id="sets"),
        pytest.param("intersects", [SETS, [1, 2], [1, 2, 3]], True, 7, id="sets that meet"),
        pytest.param("replace", ["a" * 11, "a", "b"], "", 3, id="twice through a text"),
        pytest.param("join", [["a"], ","], "a" * 11, 3, id="twice through the result"),
        pytest.param("string", [b"a" * 11], "", 2, id="bytes to text"),
        pytest.param("string", [7], "7", 1, id="number to text"),
        pytest.param("bytes", ["a" * 11], b"", 2, id="text to bytes"),
        pytest.param("ip", [FUNCTIONS["cidr"]("10.0.0.0/8")], None, 1, id="address of a block"),
        pytest.param("ip", ["10.0.0.0000000"], None, 2, id="address of a text"),
        pytest.param("sum", [[1, 2, 3]], 6, 3, id="through a list"),
        pytest.param("orValue", [Optional(), 1], 1, 0, id="for nothing"),
    ],
)
def test_the_cost_of_a_call(name: str, values: list[Any], result: Any, cost: int) -> None:
    assert call_cost(name, values, result) == cost


@pytest.mark.parametrize(
    ("name", "values", "work"),
    [
        pytest.param("_+_", [1, 2], 0, id="little"),
        pytest.param("_==_", [[1, 2], [1, 2, 3]], 12, id="every element with every other"),
        pytest.param("_==_", ["a", "b"], 0, id="texts"),
        pytest.param("_in_", [[1], [[1], [2]]], 9, id="in a list"),
        pytest.param("contains", [SETS, [1, 2], [1]], 3, id="sets"),
        pytest.param("replace", ["a" * 200, "a", "bb"], 6, id="a longer text"),
    ],
)
def test_the_work_of_a_call_depends_on_its_values(name: str, values: list[Any], work: int) -> None:
    assert call_work(name, values) == work


def test_texts_that_would_become_too_long_are_not_made() -> None:
    assert call_work("replace", ["a", "a", "b" * 9_999_999]) == 100_000
    with pytest.raises(WorkLimitError):
        call_work("replace", ["a", "a", "b" * 10_000_000])
    with pytest.raises(WorkLimitError):
        call_work("join", [["a" * 10_000_000], ""])
