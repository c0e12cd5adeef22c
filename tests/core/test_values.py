import copy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import (
    MISSING,
    Json,
    JsonObject,
    dig,
    equal,
    int64,
    mapping,
    objects_at,
    reuse,
    text_at,
    texts_at,
    without_nulls,
)

SCALARS = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from([0.5, 1.0]) | st.sampled_from("ab")
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("xyz"), inner), max_leaves=12
)


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (1, 1, True),
        (1, 1.0, False),
        (1, True, False),
        (0, None, False),
        ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, True),
        ({"a": None}, {}, False),
        ({"a": None}, {"b": None}, False),
        ([1], [True], False),
        ([1, 2], [1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
    ],
)
def test_equal_distinguishes_types(left: Json, right: Json, same: bool) -> None:
    assert equal(left, right) is same
    assert equal(right, left) is same


def test_without_nulls_keeps_null_list_elements_and_emptied_maps() -> None:
    value = {"a": None, "b": {"c": None}, "d": [None, {"e": None, "f": 1}]}

    assert without_nulls(value) == {"b": {}, "d": [None, {"f": 1}]}
    assert value["a"] is None


@pytest.mark.parametrize(
    ("keys", "found"), [(("a", "b"), None), (("a", "c"), MISSING), (("a", "b", "c"), MISSING), (("x",), MISSING)]
)
def test_dig_distinguishes_null_from_missing(keys: tuple[str, ...], found: Json) -> None:
    assert dig({"a": {"b": None}}, *keys) is found


def test_mapping_reads_anything_else_as_empty() -> None:
    assert [mapping(None), mapping([1]), mapping({"a": 1})] == [{}, {}, {"a": 1}]


LISTED: JsonObject = {"a": {"t": "x", "l": ["x", 1, None], "o": [{"b": 1}, 7]}}


def test_values_of_another_type_are_not_read() -> None:
    assert (text_at(LISTED, "a", "t"), text_at(LISTED, "a", "l"), text_at("x")) == ("x", "", "x")
    assert (texts_at(LISTED, "a", "l"), texts_at(LISTED, "a", "t"), texts_at(LISTED, "b")) == (("x",), (), ())
    assert (objects_at(LISTED, "a", "o"), objects_at(LISTED, "a", "t")) == ([{"b": 1}, {}], [])


def test_reuse_takes_over_what_did_not_change() -> None:
    old = {"a": {"b": [1, {"c": 2}]}, "d": {"e": 1}, "f": 1}

    new = reuse(old, {"a": {"b": [1, {"c": 2}]}, "d": {"e": 1.0}, "f": True})

    assert new["a"] is old["a"]
    assert equal(new, {"a": {"b": [1, {"c": 2}]}, "d": {"e": 1.0}, "f": True})


@given(VALUES, VALUES)
def test_reuse_changes_no_value(old: Json, new: Json) -> None:
    assert equal(reuse(old, new), new)


@given(VALUES)
def test_reuse_returns_the_old_value_for_an_equal_one(value: Json) -> None:
    assert reuse(value, copy.deepcopy(value)) is value or not isinstance(value, (dict, list))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("-07", -7),
        ("+7", 7),
        ("0" * 9_000 + "7", 7),
        (str(2**63 - 1), 2**63 - 1),
        (str(-(2**63)), -(2**63)),
        (str(2**63), None),
        ("9" * 9_000, None),
        ("", None),
        ("-", None),
        ("+-7", None),
        ("7.0", None),
        ("\N{SUPERSCRIPT TWO}", None),
    ],
    ids=str,
)
def test_texts_are_integers_of_64_bits(text: str, value: int | None) -> None:
    assert int64(text) == value
