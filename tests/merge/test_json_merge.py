"""Merge patches of custom resources; numbers are rows observed with kubectl 1.36 on a custom resource."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json, without_nulls
from kubectl_applylint.merge.json_merge import merge, three_way, two_way

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=2),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=1), inner, max_size=3),
    max_leaves=8,
)
OBJECT = st.dictionaries(st.text("abc", max_size=1), JSON, max_size=4)


@pytest.mark.parametrize(
    ("original", "modified", "current", "patch"),
    [
        pytest.param(
            {"a": 1, "b": {"x": 1, "y": 2}},
            {"a": 2, "b": {"x": 1}},
            {"a": 1, "l": 1, "b": {"x": 1, "y": 2, "z": 3}},
            {"a": 2, "b": {"y": None}},
            id="87 live-only fields stay",
        ),
        pytest.param({"l": [1, 2]}, {"l": [1]}, {"l": [1, 3]}, {"l": [1]}, id="88 lists are replaced whole"),
        pytest.param({"n": None}, {"n": None}, {"n": 1}, {}, id="91 a null deletes only once"),
        pytest.param({"n": 1}, {"n": None}, {"n": 1}, {"n": None}, id="90 a null deletes what last-applied had"),
        pytest.param({}, {"l": [{"a": 1, "b": None}, None]}, {"l": [{"a": 1}, None]}, {"l": [{"a": 1}, None]}, id="92"),
        pytest.param({"a": 1}, {"a": 9007199254740993}, {"a": 9007199254740992}, {}, id="93 rounded numbers are equal"),
        pytest.param({}, {"a": 9007199254740993}, {}, {"a": 9007199254740992}, id="94 numbers are sent rounded"),
        pytest.param({"a": {"x": 1}}, {"a": {}}, {"a": {"x": 1}}, {"a": {"x": None}}, id="95 an empty map"),
        pytest.param({"a": 1}, {"a": 1, "m": {}, "l": []}, {"a": 1}, {"m": {}, "l": []}, id="96 empty values"),
        pytest.param({"a": {"x": 1}}, {}, {"a": {"l": 1, "x": 1}}, {"a": None}, id="97 a dropped map goes whole"),
        pytest.param({}, {"a": True}, {"a": 1}, {"a": True}, id="true is not 1"),
        pytest.param({}, {"a": 1.5}, {"a": 1.5}, {}, id="equal floats"),
    ],
)
def test_patches_as_observed(original: Json, modified: Json, current: Json, patch: Json) -> None:
    assert three_way(original, modified, current) == patch


@given(OBJECT, OBJECT)
def test_applying_what_was_applied_changes_nothing(original: Json, modified: Json) -> None:
    """Seed: "Fields present in the Resource Config that are also present in the Resource will be merged"."""
    modified = without_nulls(modified)
    once = merge(original, three_way(original, modified, original))

    assert three_way(modified, modified, once) == {} or _has_nulls(modified)


def _has_nulls(value: Json) -> bool:
    if isinstance(value, list):
        return any(item is None or _has_nulls(item) for item in value)
    return isinstance(value, dict) and any(_has_nulls(item) for item in value.values())


@given(OBJECT, OBJECT)
def test_a_merge_leaves_no_null_that_the_patch_brought(base: Json, patch: Json) -> None:
    """RFC 7386: null values in the merge patch are given special meaning to indicate the removal of existing values."""
    base = without_nulls(base)

    assert merge(base, patch) == without_nulls(merge(base, patch))


def test_a_scalar_merges_as_an_empty_object() -> None:
    assert merge("text", {"a": {"b": None}}) == {"a": {}}


def test_a_two_way_patch_does_not_depend_on_the_live_object() -> None:
    assert two_way({"a": 1, "b": {"x": 1}, "l": [1]}, {"a": 1, "b": {"x": 2}, "n": 3}) == {
        "b": {"x": 2},
        "l": None,
        "n": 3,
    }
