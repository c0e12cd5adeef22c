"""Stored values that ``CorrelatedObject`` of apiserver 1.36 finds for written ones."""

import pytest

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.server.validate.custom.correlation import Pair, matching

TEXT: JsonObject = {"type": "string"}
ITEM: JsonObject = {"type": "object", "properties": {"k": TEXT, "v": TEXT}}
KEYED: JsonObject = {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["k"], "items": ITEM}
OBJECT: JsonObject = {"properties": {"a": TEXT, "l": KEYED}, "additionalProperties": {"type": "integer"}}


@pytest.mark.parametrize(
    ("new", "old", "name", "found"),
    [
        pytest.param({"a": "x"}, {"a": "y"}, "a", Pair("x", "y", TEXT), id="on both sides"),
        pytest.param({"a": None}, {"a": "y"}, "a", Pair(None, "y", TEXT), id="null is a value"),
        pytest.param({"b": 1}, {"b": 2}, "b", Pair(1, 2, {"type": "integer"}), id="an entry"),
        pytest.param({"a": "x"}, {}, "a", None, id="new"),
        pytest.param({}, {"a": "x"}, "a", None, id="gone"),
        pytest.param(["a"], {"a": "x"}, "a", None, id="no object any more"),
        pytest.param({"a": "x"}, None, "a", None, id="null was stored"),
    ],
)
def test_the_pair_of_a_member(new: Json, old: Json, name: str, found: Pair | None) -> None:
    assert Pair(new, old, OBJECT).key(name) == found


def test_a_member_without_a_schema_has_no_pair() -> None:
    assert Pair({"a": 1}, {"a": 1}, {}).key("a") is None


@pytest.mark.parametrize(
    ("schema", "stored", "element", "found"),
    [
        pytest.param(KEYED, [{"k": "b"}, {"k": "a", "v": "1"}], {"k": "a"}, {"k": "a", "v": "1"}, id="the same key"),
        pytest.param(KEYED, [{"k": "b"}], {"k": "a"}, MISSING, id="another key"),
        pytest.param(KEYED, [{}], {}, MISSING, id="no key"),
        pytest.param(KEYED, [{"k": True}], {"k": 1}, MISSING, id="true is not 1"),
        pytest.param(KEYED, [{"k": {}}], {"k": {}}, MISSING, id="a key that is no scalar"),
        pytest.param(KEYED, None, {"k": "a"}, MISSING, id="no list"),
        pytest.param({**KEYED, "x-kubernetes-list-type": "set"}, ["a"], "a", MISSING, id="a set"),
        pytest.param({"x-kubernetes-list-type": "map"}, [{"k": "a"}], {"k": "a"}, MISSING, id="no keys declared"),
    ],
)
def test_the_stored_element_of_a_keyed_list(
    schema: JsonObject, stored: Json, element: Json, found: Json | Missing
) -> None:
    assert matching(schema, stored, element) == found


def test_the_pair_of_an_element() -> None:
    new, old = [{"k": "a", "v": "2"}, {"k": "c"}], [{"k": "b"}, {"k": "a", "v": "1"}]

    assert Pair(new, old, KEYED).index(0) == Pair(new[0], old[1], ITEM)
    assert Pair(new, old, KEYED).index(1) is None
    assert Pair(new, None, KEYED).index(0) is None
    assert Pair(new, old, {**KEYED, "items": True}).index(0) is None


@pytest.mark.parametrize(
    ("new", "old", "schema", "is_same"),
    [
        pytest.param("a", "a", TEXT, True, id="scalars"),
        pytest.param(1, True, TEXT, False, id="true is not 1"),
        pytest.param({"a": "x", "b": 1}, {"b": 1, "a": "x"}, OBJECT, True, id="objects in any order"),
        pytest.param({"a": "x"}, {"a": "x", "b": 1}, OBJECT, False, id="a member less"),
        pytest.param({"a": "x"}, {"a": "y"}, OBJECT, False, id="a member changed"),
        pytest.param({"z": 1}, {"z": 1}, {}, False, id="a member without a schema counts as changed"),
        pytest.param({}, {}, {}, True, id="empty"),
        pytest.param(["a", "b"], ["a", "b"], {"items": TEXT}, True, id="lists"),
        pytest.param(["b", "a"], ["a", "b"], {"items": TEXT}, False, id="lists in another order"),
        pytest.param([{"k": "a"}, {"k": "b"}], [{"k": "b"}, {"k": "a"}], KEYED, True, id="keyed lists in any order"),
        pytest.param([{"k": "a"}], [{"k": "a"}, {"k": "b"}], KEYED, False, id="an element less"),
        pytest.param([{"k": "a", "v": "1"}], [{"k": "a", "v": "2"}], KEYED, False, id="an element changed"),
        pytest.param({}, [], OBJECT, False, id="another type"),
    ],
)
def test_a_pair_is_the_same_if_its_values_are_equal(new: Json, old: Json, schema: JsonObject, is_same: bool) -> None:
    assert Pair(new, old, schema).same == is_same
