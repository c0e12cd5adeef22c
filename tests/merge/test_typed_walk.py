"""What server-side apply owns, finds different, merges and removes, on a custom resource with every kind of list."""

import pytest

from kubectl_applylint.merge.fieldset import of_paths, parse, render
from kubectl_applylint.merge.typed import TypedError
from kubectl_applylint.merge.typed_check import check
from kubectl_applylint.merge.typed_walk import compare, field_set, merge, remove, with_named_fields
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.values import Json

TEXT = Node(Shape.STRING)
NUMBER = Node(Shape.INTEGER)
ITEM_FIELDS = {"a": TEXT, "b": Node(Shape.STRING, default="dd"), "n": NUMBER}
ITEM = Node(Shape.OBJECT, load_fields=lambda: ITEM_FIELDS)
SPEC_FIELDS = {
    "keyed": Node(Shape.LIST, item=ITEM, list_type="map", map_keys=("a", "b")),
    "set": Node(Shape.LIST, item=TEXT, list_type="set"),
    "atomic": Node(Shape.LIST, item=TEXT),
    "labels": Node(Shape.OBJECT, value=TEXT),
    "whole": Node(Shape.OBJECT, value=TEXT, map_type="atomic"),
    "free": Node(Shape.OBJECT, preserve_unknown=True),
    "on": Node(Shape.BOOLEAN),
    "size": NUMBER,
    "raw": Node(Shape.ANY, format="raw"),
    "amount": Node(Shape.STRING, format="quantity"),
}
SPEC = Node(Shape.OBJECT, load_fields=lambda: SPEC_FIELDS)


def owned(value: Json) -> Json:
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
def test_what_a_configuration_owns(value: Json, fields: Json) -> None:
    assert owned(value) == fields


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
def test_how_two_objects_differ(old: Json, new: Json, added: Json, modified: Json, removed: Json) -> None:
    found = compare(SPEC, old, new)
    sides = [[render(path) for path in side.paths()] for side in (found.added, found.modified, found.removed)]

    assert sides == [added, modified, removed]


@pytest.mark.parametrize(
    ("live", "config", "merged"),
    [
        ({"size": 1, "on": True}, {"size": 2}, {"size": 2, "on": True}),
        ({"labels": {"x": "1"}}, {"labels": {}}, {"labels": {"x": "1"}}),
        ({"labels": {"x": "1"}}, {"labels": None}, {"labels": {"x": "1"}}),
        ({"whole": {"x": "1"}}, {"whole": {"y": "2"}}, {"whole": {"y": "2"}}),
        ({"atomic": ["x"]}, {"atomic": None}, {"atomic": None}),
        ({"set": ["b", "a"]}, {"set": ["c", "a"]}, {"set": ["b", "c", "a"]}),
        ({"set": ["one", "two"]}, {"set": ["three", "one"]}, {"set": ["three", "one", "two"]}),
        ({"set": ["a", "b"]}, {"set": ["b", "a"]}, {"set": ["b", "a"]}),
        ({"set": ["a"]}, {"set": []}, {"set": ["a"]}),
        ({"set": None}, {"set": []}, {"set": []}),
        (
            {"keyed": [{"a": "q", "n": 1}, {"a": "r"}]},
            {"keyed": [{"a": "q", "b": "dd"}]},
            {"keyed": [{"a": "q", "n": 1, "b": "dd"}, {"a": "r"}]},
        ),
        ({"keyed": [{"a": "q", "n": 1}, {"a": "q", "n": 2}]}, {"keyed": [{"a": "q"}]}, {"keyed": [{"a": "q"}]}),
    ],
)
def test_how_a_configuration_merges(live: Json, config: Json, merged: Json) -> None:
    assert merge(SPEC, live, config) == merged


@pytest.mark.parametrize(
    ("gone", "left"),
    [
        ({"f:size": {}}, {"labels": {"x": "1"}, "set": ["a"], "keyed": [{"a": "q", "n": 1}]}),
        ({"f:labels": {"f:x": {}}}, {"size": 1, "labels": None, "set": ["a"], "keyed": [{"a": "q", "n": 1}]}),
        ({"f:set": {'v:"a"': {}}}, {"size": 1, "labels": {"x": "1"}, "set": None, "keyed": [{"a": "q", "n": 1}]}),
        (
            {"f:keyed": {'k:{"a":"q","b":"dd"}': {"f:n": {}}}},
            {"size": 1, "labels": {"x": "1"}, "set": ["a"], "keyed": [{"a": "q"}]},
        ),
    ],
)
def test_what_is_left_when_items_go(gone: Json, left: Json) -> None:
    value = {"size": 1, "labels": {"x": "1"}, "set": ["a"], "keyed": [{"a": "q", "n": 1}]}

    assert remove(SPEC, value, parse(gone)) == left


def test_a_struct_goes_with_its_last_field_but_a_map_entry_does_not() -> None:
    fields = of_paths([("f:labels", "f:x"), ("f:free", "f:m", "f:k")])

    assert with_named_fields(SPEC, fields).to_json() == {
        "f:labels": {".": {}, "f:x": {}},
        "f:free": {".": {}, "f:m": {"f:k": {}}},
    }


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"set": ["a", "b", "a"]}, '.set: duplicate entries for key [="a"]'),
        ({"keyed": [{"a": "q"}, {"a": "q", "b": "dd"}]}, '.keyed: duplicate entries for key [a="q",b="dd"]'),
        ({"keyed": [None]}, ".keyed: element 0: associative list with keys may not have a null element"),
        ({"keyed": ["x"]}, ".keyed: element 0: associative list with keys may not have non-map elements"),
        ({"set": [None]}, ".set: element 0: associative list without keys has an element that's an explicit null"),
        ({"set": [{}]}, ".set: element 0: associative list without keys has an element that's a map type"),
        ({"set": [[]]}, ".set: element 0: not supported: associative list with lists as elements"),
        ({"nope": 1}, ".nope: field not declared in schema"),
        ({"size": "x"}, ".size: expected numeric (int or float), got string"),
        ({"labels": "x"}, '.labels: expected map, got "x"'),
        ({"set": {}}, ".set: expected list, got &{{}}"),
        ({"on": 1}, ".on: expected boolean, got 1"),
        ({"amount": []}, ".amount: expected any scalar, got &{[]}"),
        ({"amount": 5, "free": {"x": [1]}, "raw": [1], "labels": None}, ""),
        (
            {"size": "x", "on": 1},
            "errors:\n  .size: expected numeric (int or float), got string\n  .on: expected boolean, got 1",
        ),
    ],
)
def test_what_is_wrong_with_a_configuration(value: Json, message: str) -> None:
    assert check(SPEC, value) == message


def test_an_element_without_keys_and_defaults_is_refused() -> None:
    bare = Node(Shape.LIST, item=Node(Shape.OBJECT, load_fields=lambda: {"a": TEXT}), list_type="map", map_keys=("a",))
    fields = {"x": bare}

    with pytest.raises(TypedError, match=r'omits all key fields \["a"\]'):
        field_set(Node(Shape.OBJECT, load_fields=lambda: fields), {"x": [{}]})


def test_what_is_stored_may_hold_duplicates() -> None:
    assert check(SPEC, {"set": ["a", "a"]}, duplicates=True) == ""
