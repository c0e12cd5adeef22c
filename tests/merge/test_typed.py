"""Values for server-side apply by OpenAPI's marks: the rules of structured-merge-diff and kube-openapi."""

import pytest

from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.merge.typed import (
    DEDUCED,
    MergeForm,
    TypedError,
    below,
    duplicates,
    element_of,
    elements_of,
    form_of,
    is_declared,
    is_open,
    item_of,
    keys_of,
    member_of,
)
from kubectl_applylint.schema.types import Node, Shape
from tests.merge.samples import ITEM, SPEC, SPEC_FIELDS, TEXT


@pytest.mark.parametrize(
    ("field", "value", "form"),
    [
        ("labels", None, MergeForm.MAP),
        ("whole", {}, MergeForm.ATOMIC),
        ("keyed", None, MergeForm.KEYED),
        ("set", [], MergeForm.SET),
        ("atomic", [], MergeForm.ATOMIC),
        ("patched", [], MergeForm.KEYED),
        ("texts", [], MergeForm.SET),
        ("size", 1, MergeForm.SCALAR),
        ("size", {}, MergeForm.SCALAR),
        ("raw", {}, MergeForm.ATOMIC),
        ("any", {}, MergeForm.MAP),
        ("any", [], MergeForm.ATOMIC),
        ("any", "x", MergeForm.SCALAR),
        ("any", None, MergeForm.SCALAR),
        ("any", MISSING, MergeForm.SCALAR),
        ("port", {}, MergeForm.SCALAR),
        ("either", {}, MergeForm.MAP),
    ],
)
def test_a_value_has_a_merge_form(field: str, value: Json | Missing, form: MergeForm) -> None:
    assert form_of(SPEC_FIELDS[field], value) is form


def test_the_type_of_a_list_goes_before_its_patch_strategy() -> None:
    node = Node(Shape.LIST, item=ITEM, list_type="atomic", patch_strategy=("merge",), merge_key="a")

    assert form_of(node, []) is MergeForm.ATOMIC


@pytest.mark.parametrize(("field", "is_it"), [("any", True), ("either", True), ("port", False), ("free", False)])
def test_only_open_fields_take_any_type(field: str, is_it: bool) -> None:
    """Only a custom resource's int-or-string does: the built-in one is a type of its own."""
    assert is_open(SPEC_FIELDS[field]) == is_it


@pytest.mark.parametrize(("field", "keys"), [("keyed", ("a", "b")), ("patched", ("n",)), ("set", ())])
def test_the_keys_of_a_list(field: str, keys: tuple[str, ...]) -> None:
    assert keys_of(SPEC_FIELDS[field]) == keys


@pytest.mark.parametrize(
    ("node", "name", "found"),
    [
        pytest.param(SPEC, "size", SPEC_FIELDS["size"], id="a declared field"),
        pytest.param(SPEC, "x", None, id="a field that is not declared"),
        pytest.param(SPEC_FIELDS["labels"], "x", TEXT, id="an entry of a map"),
        pytest.param(SPEC_FIELDS["free"], "x", DEDUCED, id="what is kept though unknown"),
        pytest.param(SPEC_FIELDS["any"], "x", DEDUCED, id="no schema"),
        pytest.param(Node(Shape.OBJECT), "x", DEDUCED, id="a type without fields"),
    ],
)
def test_the_schema_of_a_member(node: Node, name: str, found: Node | None) -> None:
    assert member_of(node, name) == found


def test_preserved_unknown_fields_include_nested_ones() -> None:
    kept = Node(Shape.OBJECT, preserve_unknown=True, load_fields=lambda: {"sub": Node(Shape.OBJECT)})
    items = Node(Shape.LIST, preserve_unknown=True, item=Node(Shape.OBJECT))

    assert member_of(kept, "sub") == Node(Shape.OBJECT, preserve_unknown=True)
    assert item_of(items) == Node(Shape.OBJECT, preserve_unknown=True)
    assert item_of(Node(Shape.LIST)) == DEDUCED


def test_a_field_is_declared_an_entry_of_a_map_is_not() -> None:
    assert is_declared(SPEC, "labels")
    assert not is_declared(SPEC_FIELDS["labels"], "x")


@pytest.mark.parametrize(
    ("field", "item", "element"),
    [
        pytest.param("set", "x", 'v:"x"', id="a scalar"),
        pytest.param("set", True, "v:true", id="a boolean"),
        pytest.param("keyed", {"a": "q", "b": "r"}, 'k:{"a":"q","b":"r"}', id="by keys"),
        pytest.param("keyed", {"a": "q"}, 'k:{"a":"q","b":"dd"}', id="a default of a key"),
        pytest.param("keyed", {"a": None}, 'k:{"a":null,"b":"dd"}', id="a null key"),
        pytest.param("keyed", {}, 'k:{"b":"dd"}', id="only the default"),
        pytest.param("patched", {"n": 1}, 'k:{"n":1}', id="by merge key"),
    ],
)
def test_an_element_is_identified_by_value_or_keys(field: str, item: Json, element: str) -> None:
    assert element_of(SPEC_FIELDS[field], item) == element


@pytest.mark.parametrize(
    ("field", "item", "message"),
    [
        pytest.param("keyed", None, "associative list with keys may not have a null element", id="null"),
        pytest.param("keyed", "x", "associative list with keys may not have non-map elements", id="no map"),
        pytest.param("patched", {"a": "x"}, 'has an element that omits all key fields ["n"]', id="no key"),
        pytest.param("set", {}, "associative list without keys has an element that's a map type", id="a map"),
        pytest.param("set", [], "not supported: associative list with lists as elements", id="a list"),
        pytest.param("set", None, "has an element that's an explicit null", id="null in a set"),
    ],
)
def test_elements_without_keys_are_errors(field: str, item: Json, message: str) -> None:
    with pytest.raises(TypedError) as error:
        element_of(SPEC_FIELDS[field], item)

    assert message in str(error.value)


def test_elements_that_stand_in_a_list_more_than_once() -> None:
    assert duplicates(elements_of(SPEC_FIELDS["set"], ["a", "b", "a", "c", "c", "c"])) == {'v:"a"', 'v:"c"'}
    assert duplicates(elements_of(SPEC_FIELDS["set"], ["1", 1, True])) == frozenset()


@pytest.mark.parametrize(
    ("field", "element", "found"),
    [("labels", "f:x", TEXT), ("set", 'v:"x"', TEXT), ("keyed", 'k:{"a":"q"}', ITEM), ("sub", "f:z", DEDUCED)],
    ids=["a map", "a set", "a keyed list", "a field that is not declared"],
)
def test_a_path_element_leads_to_its_node(field: str, element: str, found: Node) -> None:
    assert below(SPEC_FIELDS[field], element) == found
