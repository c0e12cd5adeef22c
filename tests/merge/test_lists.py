"""Lists of a strategic patch as a server merges them; whole objects are in test_strategic.py."""

import pytest

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.lists import Backing, ListRules, merge_list, ordered_list, without_directives


def laid_over(live: JsonObject, patch: JsonObject) -> JsonObject:
    return {**live, **patch}


BY_PORT = ListRules(merges=True, merge_key="port", merge_element=laid_over)
SCALARS = ListRules(merges=True, merge_key="", merge_element=laid_over)
REPLACED = ListRules(merges=False, merge_key="", merge_element=laid_over)
LIVE: list[Json] = [{"port": 1, "name": "a"}, {"port": 2, "name": "b"}]


@pytest.mark.parametrize(
    ("old", "new", "rules", "result"),
    [
        pytest.param(["a"], ["b"], REPLACED, ["b"], id="replaced"),
        pytest.param(["a"], [], REPLACED, [], id="replaced by an empty list"),
        pytest.param([], [], SCALARS, [], id="both empty"),
        pytest.param(["a"], [], SCALARS, ["a"], id="an empty patch changes nothing"),
        pytest.param(["a", "b"], ["c", "b"], SCALARS, ["c", "a", "b"], id="scalars once each"),
        pytest.param(LIVE, [], BY_PORT, LIVE, id="an empty patch of objects"),
        pytest.param(LIVE, [{"port": 2, "x": 1}], BY_PORT, [LIVE[0], {"port": 2, "name": "b", "x": 1}], id="laid over"),
        pytest.param(LIVE, [{"port": 9}], BY_PORT, [{"port": 9}, *LIVE], id="appended"),
        pytest.param(LIVE, [{"port": 1, "$patch": "delete"}], BY_PORT, [LIVE[1]], id="deleted"),
        pytest.param([LIVE[0], LIVE[0]], [{"port": 1, "$patch": "delete"}], BY_PORT, [], id="all of a key deleted"),
        pytest.param(LIVE, [{"port": 7, "$patch": "delete"}], BY_PORT, LIVE, id="nothing to delete"),
        pytest.param(LIVE, [{"port": 9}, {"$patch": "replace"}], BY_PORT, [{"port": 9}], id="replaced by directive"),
    ],
)
def test_lists_merge_by_their_rules(old: list[Json], new: list[Json], rules: ListRules, result: list[Json]) -> None:
    assert merge_list(old, new, rules).elements == result


@pytest.mark.parametrize(
    ("new", "rules", "message"),
    [
        pytest.param([{"port": 1}], SCALARS, "cannot merge lists without merge key for [map[port:1]]", id="no key"),
        pytest.param([{"$patch": "merge"}], BY_PORT, "merging lists cannot yet be specified in the patch", id="merge"),
        pytest.param([{"$patch": "x"}], BY_PORT, "unknown patch type: x in map: map[$patch:x]", id="no directive"),
        pytest.param(
            [{"$patch": "delete"}],
            BY_PORT,
            "map: map[$patch:delete] does not contain declared merge key: port",
            id="a deletion of nothing",
        ),
    ],
)
def test_a_patch_that_cannot_be_merged(new: list[Json], rules: ListRules, message: str) -> None:
    with pytest.raises(MergeError) as error:
        merge_list(LIVE, new, rules)

    assert error.value.message == message


def test_nothing_that_was_given_is_changed() -> None:
    live: list[Json] = [{"port": 1}]
    merge_list(live, [{"port": 1, "x": 1}, {"port": 2}], BY_PORT)

    assert live == [{"port": 1}]


def test_a_deletion_shifts_the_memory_and_leaves_the_last_cell() -> None:
    after = Backing(("a", "b", "c"), 3).without(0)

    assert after == Backing(("b", "c", "c"), 2)
    assert after.append("d") == Backing(("b", "c", "d"), 3)


def test_an_append_beyond_the_capacity_copies_the_cells() -> None:
    full = Backing(("a",), 1).append("b")

    assert full == Backing(("a",), 1, shared=False)
    assert full.without(0).shared
    assert Backing(("a", "b"), 1, shared=False).append("c").cells == ("a", "b")


@pytest.mark.parametrize(
    ("old", "new", "order", "result"),
    [
        pytest.param(MISSING, MISSING, [], None, id="neither side"),
        pytest.param(["b", "a"], MISSING, ["a", "b"], ["a", "b"], id="order alone"),
        pytest.param(MISSING, ["a"], ["a"], ["a"], id="a new list"),
        pytest.param(["x"], ["a"], ["a", "x"], ["a", "x"], id="both"),
        pytest.param(["x", "y"], ["a"], ["a"], ["a", "x", "y"], id="others behind"),
    ],
)
def test_a_patch_that_states_the_order(
    old: Json | Missing, new: Json | Missing, order: Json, result: list[Json] | None
) -> None:
    assert ordered_list(old, new, order, SCALARS) == result


@pytest.mark.parametrize(
    ("old", "new", "order", "message"),
    [
        pytest.param(None, MISSING, [], "expected a []interface {}, but received a <nil>", id="null is no list"),
        pytest.param(MISSING, {}, [], "received a map[string]interface {}", id="a map is none"),
        pytest.param([], [], [], "no elements in any of the given slices", id="both empty"),
        pytest.param(["a"], ["a", "b"], ["b", "a"], "The order in patch list:\n[a b]\n doesn't match", id="turned"),
        pytest.param(["a"], ["c"], ["a"], "doesn't match $setElementOrder list:\n[a]\n", id="not in the order"),
    ],
)
def test_an_order_that_is_not_valid(old: Json | Missing, new: Json | Missing, order: Json, message: str) -> None:
    with pytest.raises(MergeError) as error:
        ordered_list(old, new, order, SCALARS)

    assert message in error.value.message


def test_deletions_need_no_place_in_the_order() -> None:
    patch = [{"port": 2, "$patch": "delete"}, {"port": 3}]

    assert ordered_list(LIVE, patch, [{"port": 3}, {"port": 1}], BY_PORT) == [{"port": 3}, LIVE[0]]


@pytest.mark.parametrize(
    ("value", "left"),
    [
        ({"$patch": "delete"}, MISSING),
        ({"a": {"$patch": "replace", "x": 1}, "b": None}, {"b": None}),
        ([{"$patch": "delete"}, {"c": [{"$patch": "delete"}]}, 1], [{"c": []}, 1]),
        ("$patch", "$patch"),
    ],
    ids=["itself", "in a map", "in lists", "a text is none"],
)
def test_inserted_values_have_no_directives(value: Json, left: Json | Missing) -> None:
    assert without_directives(value) == left
