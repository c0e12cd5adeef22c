"""The patch that kubectl computes from two objects, field by field."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.strategic_diff import CHANGES, DELETIONS, EVERYTHING, DiffParts, diff
from kubectl_applylint.schema.types import Node, Shape

TEXT = Node(Shape.STRING)
PORT = Node(Shape.OBJECT, load_fields=lambda: {"port": Node(Shape.INTEGER), "name": TEXT}, struct="Port")
FIELDS = {
    "text": TEXT,
    "size": Node(Shape.INTEGER),
    "labels": Node(Shape.OBJECT, value=TEXT),
    "whole": Node(Shape.OBJECT, value=TEXT, patch_strategy=("replace",)),
    "union": Node(Shape.OBJECT, value=TEXT, patch_strategy=("retainKeys",)),
    "atomic": Node(Shape.LIST, item=TEXT),
    "names": Node(Shape.LIST, item=TEXT, patch_strategy=("merge",)),
    "ports": Node(Shape.LIST, item=PORT, patch_strategy=("merge",), merge_key="port"),
}
SPEC = Node(Shape.OBJECT, struct="io.k8s.Spec", load_fields=lambda: FIELDS)


def ports(*numbers: int) -> list[Json]:
    return [{"port": number} for number in numbers]


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        pytest.param({"text": "a"}, {"text": "a"}, {}, id="equal"),
        pytest.param({}, {"text": "a", "size": None}, {"text": "a", "size": None}, id="new, null too"),
        pytest.param({"text": "a"}, {"text": "b"}, {"text": "b"}, id="changed"),
        pytest.param({"size": 1}, {"size": 1.0}, {"size": 1.0}, id="another type"),
        pytest.param({"size": 1}, {"size": None}, {"size": None}, id="null instead of a number"),
        pytest.param({"text": "a"}, {}, {}, id="gone: the other half says so"),
        pytest.param({"labels": {"a": "1"}}, {"labels": {"a": "1", "b": "2"}}, {"labels": {"b": "2"}}, id="a map"),
        pytest.param({"labels": {"a": "1"}}, {"labels": {}}, {}, id="an empty map"),
        pytest.param(
            {"whole": {"a": "1"}}, {"whole": {"a": "1", "b": "2"}}, {"whole": {"a": "1", "b": "2"}}, id="whole"
        ),
        pytest.param({"whole": {"a": "1"}}, {"whole": {"a": "1"}}, {"whole": {"a": "1"}}, id="whole though equal"),
        pytest.param({"atomic": ["a"]}, {"atomic": ["a", "b"]}, {"atomic": ["a", "b"]}, id="a list that is replaced"),
        pytest.param({"atomic": ["a"]}, {"atomic": ["a"]}, {}, id="an equal list"),
        pytest.param({"names": []}, {"names": ["a"]}, {"names": ["a"]}, id="the first elements"),
        pytest.param(
            {"names": ["a"]}, {"names": ["b", "a"]}, {"names": ["b"], "$setElementOrder/names": ["b", "a"]}, id="added"
        ),
        pytest.param({"names": ["a", "b"]}, {"names": ["a", "b"]}, {}, id="sorted and equal"),
        pytest.param(
            {"names": ["b", "a"]}, {"names": ["b", "a"]}, {"$setElementOrder/names": ["b", "a"]}, id="equal, not sorted"
        ),
        pytest.param(
            {"ports": ports(80)},
            {"ports": [{"port": 80, "name": "web"}]},
            {"ports": [{"port": 80, "name": "web"}], "$setElementOrder/ports": ports(80)},
            id="an element changed",
        ),
        pytest.param(
            {"ports": ports(80, 9)},
            {"ports": ports(9, 80)},
            {"$setElementOrder/ports": ports(9, 80)},
            id="elements in another order",
        ),
        pytest.param(
            {"ports": ports(80)},
            {"ports": ports(80, 9)},
            {"ports": ports(9), "$setElementOrder/ports": ports(80, 9)},
            id="an element added",
        ),
    ],
)
def test_changes_of_a_patch_are_new_and_other_values(old: JsonObject, new: JsonObject, patch: JsonObject) -> None:
    assert diff(old, new, SPEC, CHANGES) == patch


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        pytest.param({"text": "a", "size": None}, {}, {"text": None, "size": None}, id="keys, null ones too"),
        pytest.param({"text": "a"}, {"text": "b", "size": 1}, {}, id="changes are the other half"),
        pytest.param({"labels": {"a": "1", "b": "2"}}, {"labels": {"b": "3"}}, {"labels": {"a": None}}, id="in a map"),
        pytest.param({"whole": {"a": "1"}}, {"whole": {}}, {}, id="in a map that is replaced"),
        pytest.param({"atomic": ["a"]}, {"atomic": []}, {}, id="in a list that is replaced"),
        pytest.param(
            {"names": ["b", "a", "b"]},
            {"names": ["a"]},
            {"$deleteFromPrimitiveList/names": ["b"], "$setElementOrder/names": ["a"]},
            id="scalars, each once",
        ),
        pytest.param(
            {"ports": ports(80, 9)},
            {"ports": ports(9)},
            {"ports": [{"$patch": "delete", "port": 80}], "$setElementOrder/ports": ports(9)},
            id="elements",
        ),
    ],
)
def test_deletions_of_a_patch_are_removed_keys_and_elements(
    old: JsonObject, new: JsonObject, patch: JsonObject
) -> None:
    assert diff(old, new, SPEC, DELETIONS) == patch


def test_a_patch_for_conflicts_has_no_order_of_elements() -> None:
    found = diff({"ports": ports(80, 9), "text": "a"}, {"ports": ports(7, 9)}, SPEC, EVERYTHING)

    assert found == {"ports": [{"port": 7}, {"$patch": "delete", "port": 80}], "text": None}


@pytest.mark.parametrize(
    ("old", "new", "patch"),
    [
        pytest.param({"a": "1"}, {"b": "2"}, {"b": "2", "$retainKeys": ["b"]}, id="switched"),
        pytest.param({"a": "1"}, {"a": "1"}, {}, id="equal"),
        pytest.param({"a": "1", "b": "2"}, {"a": "1"}, {"$retainKeys": ["a"]}, id="a member dropped"),
        pytest.param({"a": "1", "b": None}, {"a": "1"}, {}, id="a null member dropped"),
        pytest.param({"a": "1"}, {"b": None}, {"b": None}, id="nothing left to keep"),
    ],
)
def test_a_union_names_the_keys_that_stay(old: JsonObject, new: JsonObject, patch: JsonObject) -> None:
    assert diff({"union": old}, {"union": new}, SPEC, CHANGES) == ({"union": patch} if patch else {})


@pytest.mark.parametrize("parts", [CHANGES, DELETIONS, EVERYTHING], ids=["changes", "deletions", "everything"])
def test_a_field_that_no_schema_knows_may_be_the_same_on_both_sides(parts: DiffParts) -> None:
    assert diff({"x": {"a": 1}, "y": [1]}, {"x": {"a": 1}, "y": [1]}, SPEC, parts) == {}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        pytest.param({"x": {}}, {"x": {"a": 1}}, "unable to find api field in struct Spec", id="an unknown map"),
        pytest.param({"x": []}, {"x": [1]}, "unable to find api field in struct Spec", id="an unknown list"),
        pytest.param({"$patch": 1}, {"$patch": "x"}, "invalid value for special key: $patch", id="no directive"),
        pytest.param({"names": ["a"]}, {"names": [1]}, "list element types are not identical", id="mixed types"),
    ],
)
def test_unknown_fields_and_invalid_elements_are_errors(old: JsonObject, new: JsonObject, message: str) -> None:
    with pytest.raises(MergeError) as error:
        diff(old, new, SPEC, CHANGES)

    assert message in error.value.message


def test_a_directive_in_a_file_is_sent_where_it_differs() -> None:
    assert diff({"$patch": "a"}, {"$patch": "b"}, SPEC, DELETIONS) == {"$patch": "b"}
    assert diff({"$patch": "a"}, {"$patch": "a"}, SPEC, CHANGES) == {}
