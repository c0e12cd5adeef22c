"""Metacontroller's merge; what it does is described in ``pkg/dynamic/apply`` of its sources."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.merge.dynamic import MERGE_KEYS, merge, merge_key

WEB, SIDECAR = {"name": "web"}, {"name": "sidecar"}


def merge_field(observed: Json, last_applied: Json, desired: Json) -> Json:
    """Return the merged value of one field."""
    return merge({"f": observed}, {"f": last_applied}, {"f": desired})["f"]


@pytest.mark.parametrize("key", MERGE_KEYS)
@pytest.mark.parametrize(
    ("observed", "last_applied", "desired", "after"),
    [
        pytest.param("ab", "a", "a", "ab", id="an item of others stays"),
        pytest.param("ab", "ab", "a", "a", id="an item that is no longer wanted goes"),
        pytest.param("a", "a", "ac", "ac", id="a new item comes last"),
        pytest.param("ba", "ab", "ab", "ba", id="the observed order stays"),
        pytest.param("bxa", "ab", "cba", "bxac", id="new items follow all others"),
        pytest.param("b", "ab", "ab", "ba", id="an item that somebody removed comes back at the end"),
        pytest.param("x", "a", "", "x", id="an empty list removes only what was applied"),
    ],
)
def test_items_with_a_conventional_key_merge(
    key: str, observed: str, last_applied: str, desired: str, after: str
) -> None:
    def items(names: str) -> list[Json]:
        return [{key: name} for name in names]

    assert merge_field(items(observed), items(last_applied), items(desired)) == items(after)


@pytest.mark.parametrize(("first", "second"), [*combinations(MERGE_KEYS, 2)])
def test_the_earlier_of_two_keys_distinguishes_items(first: str, second: str) -> None:
    assert merge_key([{second: 1, first: 2, "other": 3}]) == first


@pytest.mark.parametrize(
    ("lists", "key"),
    [
        pytest.param([[]], None, id="no items at all"),
        pytest.param([[], [], [WEB]], "name", id="one wanted item is enough"),
        pytest.param([[WEB], [], ["web"]], None, id="a scalar among objects"),
        pytest.param([[WEB], [[WEB]], []], None, id="a list among objects"),
        pytest.param([[WEB], [None], []], None, id="a null among objects"),
        pytest.param([[WEB], [{"image": "x"}], [WEB]], None, id="one item without the key, in what was applied"),
        pytest.param([[WEB, {"image": "x"}], [], [WEB]], None, id="one item without the key, from somebody else"),
        pytest.param([[{"name": None}], [], [WEB]], "name", id="a key that is null is there"),
        pytest.param([[{"key": "a"}], [], [{"key": "a"}]], None, id="a key that is no convention"),
        pytest.param([[{"type": "a"}], [], [{"type": "a"}]], None, id="conditions have no conventional key"),
        pytest.param([[{"name": "a", "port": 1}], [], [{"name": "a"}]], "name", id="the key has to be in all items"),
    ],
)
def test_a_list_is_a_map_if_all_items_share_a_conventional_key(lists: list[list[Json]], key: str | None) -> None:
    assert merge_key(*lists) == key


@pytest.mark.parametrize(
    ("observed", "last_applied", "desired", "after"),
    [
        pytest.param({"a": 1, "b": 2}, {"a": 1}, {"a": 3}, {"a": 3, "b": 2}, id="fields of others stay"),
        pytest.param({"a": 1, "b": 2}, {"a": 1}, {}, {"b": 2}, id="a field that is no longer wanted goes"),
        pytest.param({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, {}, {}, id="a map goes with what others put into it"),
        pytest.param({"a": {"x": 1}}, {"a": {"x": 1}}, {"a": {}}, {"a": {}}, id="a map that is emptied stays"),
        pytest.param({"a": 1}, None, {"a": None}, {"a": None}, id="a null over a scalar is stored"),
        pytest.param({}, None, {"a": None}, {"a": None}, id="a null over nothing is stored"),
        pytest.param({"a": {"x": 1}}, None, {"a": None}, {"a": {"x": 1}}, id="a null over a map changes nothing"),
        pytest.param({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, {"a": 5}, {"a": {"y": 2}}, id="a scalar over a map"),
        pytest.param({"a": {"x": 1}}, {"a": 5}, {"a": {"z": 1}}, {"a": {"x": 1, "z": 1}}, id="a scalar was applied"),
        pytest.param({"a": 5}, {"a": 5}, {"a": {"x": 1}}, {"a": {"x": 1}}, id="a map over a scalar"),
        pytest.param({"a": [1]}, {"a": [1]}, {"a": {"x": 1}}, {"a": None}, id="a map over a list of scalars"),
        pytest.param({"a": [1, 2]}, {"a": [1]}, {"a": [3]}, {"a": [3]}, id="a list of scalars is replaced"),
        pytest.param({"a": ["x"]}, None, {"a": ["y"]}, {"a": ["y"]}, id="finalizers of others are lost"),
        pytest.param({"a": [1]}, None, {"a": None}, {"a": None}, id="a null over a list of scalars"),
        pytest.param({"a": [WEB]}, None, {"a": None}, {"a": [WEB]}, id="a null over a list that is a map"),
        pytest.param({"a": [WEB]}, {"a": [WEB]}, {"a": None}, {"a": []}, id="a null over a list that was applied"),
        pytest.param({"a": []}, {"a": []}, {"a": []}, {"a": []}, id="an empty list stays empty"),
        pytest.param({"a": [1]}, {"a": [1]}, {"a": []}, {"a": []}, id="a list of scalars is emptied"),
        pytest.param(
            {"a": [[1]]}, {"a": [[1]]}, {"a": [[2], [3]]}, {"a": [[2], [3]]}, id="lists of lists are replaced"
        ),
        pytest.param({"a": 1}, {"a": 1}, {"a": True}, {"a": True}, id="true over 1"),
    ],
)
def test_maps_and_other_values(observed: Json, last_applied: Json, desired: Json, after: Json) -> None:
    assert equal(merge_field(observed, last_applied, desired), after)


@pytest.mark.parametrize(
    ("observed", "last_applied", "desired", "after"),
    [
        pytest.param(
            [{"name": "web", "image": "a", "tty": True}],
            [{"name": "web", "image": "a"}],
            [{"name": "web", "image": "b"}],
            [{"name": "web", "image": "b", "tty": True}],
            id="fields of others inside an item stay",
        ),
        pytest.param(
            [{"name": "web", "command": ["x"]}],
            [{"name": "web", "command": ["x"]}],
            [WEB],
            [WEB],
            id="a field inside an item goes",
        ),
        pytest.param(
            [{"port": 80, "name": "a"}, {"port": "80", "name": "b"}],
            [],
            [{"port": 80, "name": "c"}],
            [{"port": 80, "name": "c"}, {"port": 80, "name": "c"}],
            id="80 and its text are one key",
        ),
        pytest.param(
            [{"port": 80, "name": "a"}, {"port": 80, "name": "b"}],
            [],
            [{"port": 80, "name": "a"}, {"port": 80, "name": "b"}],
            [{"port": 80, "name": "b"}, {"port": 80, "name": "b"}],
            id="two ports with one number collapse",
        ),
        pytest.param(
            [{"port": 53, "protocol": "TCP"}],
            [{"port": 53, "protocol": "TCP"}],
            [{"port": 53, "protocol": "TCP"}, {"port": 53, "protocol": "UDP"}],
            [{"port": 53, "protocol": "UDP"}],
            id="the same port of another protocol takes the place",
        ),
        pytest.param(
            [WEB, SIDECAR, {"image": "injected"}],
            [WEB],
            [WEB],
            [WEB],
            id="one item without a key, and all that others added goes",
        ),
        pytest.param(
            [{"key": "a"}, {"key": "foreign"}],
            [{"key": "a"}],
            [{"key": "a"}],
            [{"key": "a"}],
            id="a list with another key is replaced",
        ),
    ],
)
def test_items(observed: Json, last_applied: Json, desired: Json, after: Json) -> None:
    assert merge_field(observed, last_applied, desired) == after


def test_the_order_of_a_list_never_changes() -> None:
    env = [{"name": "A", "value": "1"}, {"name": "B", "value": "$(A)"}]

    assert merge_field(env[::-1], env[::-1], env) == env[::-1]


NAMES = st.sampled_from("abc")
SCALARS = st.integers(0, 2) | st.booleans() | NAMES


def named_items(items: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Return lists of items with different names."""
    by_name = st.dictionaries(NAMES, items, max_size=3)
    return by_name.map(lambda each: [{**item, "name": name} for name, item in each.items()])


def shaped_objects(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    """Return objects in which every field has one type."""
    maps, scalars = st.dictionaries(NAMES, SCALARS, max_size=3), st.lists(SCALARS, max_size=2)
    return st.fixed_dictionaries(
        {}, optional={"scalar": SCALARS, "map": maps, "object": inner, "items": named_items(inner), "list": scalars}
    )


OBJECTS = shaped_objects(shaped_objects(st.just({})))


@given(OBJECTS, OBJECTS, OBJECTS)
def test_a_second_sync_changes_nothing(observed: Json, last_applied: Json, desired: Json) -> None:
    """Seed: "it will update only the part you changed ..., and leave all those extra fields untouched"."""
    once = merge(observed, last_applied, desired)

    assert equal(merge(once, desired, desired), once)


@given(OBJECTS, OBJECTS, OBJECTS.map(lambda value: {"foreign": value}))
def test_the_fields_of_others_survive(last_applied: Json, desired: Json, foreign: Json) -> None:
    """Seed: "without overwriting any automated changes to properties you haven't specified"."""
    after = merge({**last_applied, **foreign}, last_applied, desired)

    assert {key: after[key] for key in foreign} == foreign


def test_a_change_of_type_takes_two_syncs() -> None:
    once = merge({"a": [1]}, {"a": [1]}, {"a": {"x": 1}})

    assert (once, merge(once, {"a": {"x": 1}}, {"a": {"x": 1}})) == ({"a": None}, {"a": {"x": 1}})


@given(OBJECTS, OBJECTS)
def test_a_field_that_is_no_longer_wanted_goes(last_applied: Json, desired: Json) -> None:
    """Seed: "apply the changes you've made"."""
    assert merge(last_applied, last_applied, desired).keys() == desired.keys()


@given(st.sets(NAMES), st.sets(NAMES), st.sets(NAMES))
def test_a_list_loses_applied_elements_and_keeps_those_of_others(
    observed: set[str], last_applied: set[str], desired: set[str]
) -> None:
    """Seed: an associative list is "treated as if it were a map"."""
    after = merge_field(*([{"name": name} for name in sorted(each)] for each in (observed, last_applied, desired)))

    assert {item["name"] for item in after} == (observed - last_applied) | desired
