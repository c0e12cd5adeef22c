"""Paths that server-side apply finds in a value, and between two values."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.fieldset import EMPTY, render
from kubectl_applylint.merge.typed import TypedError
from kubectl_applylint.merge.typed_walk import Comparison, compare, field_set
from kubectl_applylint.schema.types import Node, Shape
from tests.merge.samples import SPEC, TEXT


def owned_fields(value: Json) -> Json:
    return field_set(SPEC, value).to_json()


@pytest.mark.parametrize(
    ("value", "fields"),
    [
        ({"size": 1}, {"f:size": {}}),
        ({"labels": {"x": "1"}}, {"f:labels": {"f:x": {}}}),
        ({"labels": {}}, {"f:labels": {}}),
        ({"labels": None}, {"f:labels": {}}),
        ({"whole": {"x": "1"}}, {"f:whole": {}}),
        ({"atomic": ["x"]}, {"f:atomic": {}}),
        ({"set": ["x"]}, {"f:set": {'v:"x"': {}}}),
        ({"set": []}, {}),
        ({"keyed": None}, {"f:keyed": {}}),
        ({"keyed": [{"a": "q", "n": 1}]}, {"f:keyed": {'k:{"a":"q","b":"dd"}': {".": {}, "f:a": {}, "f:n": {}}}}),
        ({"keyed": [{"a": "q"}, {"a": "q", "n": 2}]}, {"f:keyed": {'k:{"a":"q","b":"dd"}': {}}}),
        ({"free": {"m": {"k": [1]}}}, {"f:free": {"f:m": {".": {}, "f:k": {}}}}),
        ({"raw": {"m": 1}}, {"f:raw": {}}),
    ],
)
def test_a_configuration_owns_its_paths(value: Json, fields: Json) -> None:
    assert owned_fields(value) == fields


@pytest.mark.parametrize(
    ("old", "new", "added", "modified", "removed"),
    [
        ({"size": 1}, {"size": 2}, [], [".size"], []),
        ({"size": 1}, {"size": 1.0}, [], [], []),
        ({"on": True}, {"on": 1}, [], [".on"], []),
        ({}, {"labels": {"x": "1"}}, [".labels", ".labels.x"], [], []),
        ({"labels": {"x": "1"}}, {}, [], [], [".labels", ".labels.x"]),
        ({"labels": {}}, {"labels": None}, [], [".labels"], []),
        ({"set": ["x", "y"]}, {"set": ["y", "z"]}, ['.set[="z"]'], [], ['.set[="x"]']),
        ({"atomic": ["x"]}, {"atomic": ["x", "y"]}, [], [".atomic"], []),
        ({"keyed": [{"a": "q", "n": 1}]}, {"keyed": [{"a": "q", "n": 2}]}, [], ['.keyed[a="q",b="dd"].n'], []),
        ({"keyed": [{"a": "q"}] * 2}, {"keyed": [{"a": "q"}] * 2}, [], [], []),
        ({"keyed": [{"a": "q"}] * 2}, {"keyed": [{"a": "q"}] * 3}, [], ['.keyed[a="q",b="dd"]'], []),
    ],
)
def test_two_objects_differ_in_added_modified_and_removed_paths(
    old: Json, new: Json, added: Json, modified: Json, removed: Json
) -> None:
    found = compare(SPEC, old, new)
    sides = [[render(path) for path in side.paths()] for side in (found.added, found.modified, found.removed)]

    assert sides == [added, modified, removed]


def test_a_comparison_is_empty_where_nothing_differs() -> None:
    assert compare(SPEC, {"size": 1, "labels": {"a": "b"}}, {"labels": {"a": "b"}, "size": 1}) == Comparison()


def test_a_leaf_has_no_paths_inside() -> None:
    assert field_set(TEXT, "x") == EMPTY


def test_an_element_without_keys_and_defaults_is_rejected() -> None:
    bare = Node(Shape.LIST, item=Node(Shape.OBJECT, load_fields=lambda: {"a": TEXT}), list_type="map", map_keys=("a",))
    fields = {"x": bare}

    with pytest.raises(TypedError, match=r'omits all key fields \["a"\]'):
        field_set(Node(Shape.OBJECT, load_fields=lambda: fields), {"x": [{}]})
