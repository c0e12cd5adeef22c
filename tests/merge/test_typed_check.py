"""Errors of a server about a configuration before the merge, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.merge.fieldset import render
from kubectl_applylint.merge.typed_check import check, type_errors
from tests.merge.samples import SPEC


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
        ({"labels": "x"}, ".labels: expected map, got &{x}"),
        ({"set": {}}, ".set: expected list, got &{map[]}"),
        ({"on": 1}, ".on: expected boolean, got &{1}"),
        ({"amount": []}, ".amount: expected any scalar, got &{[]}"),
        ({"atomic": [1]}, ".atomic[0]: expected string, got &value.valueUnstructured{Value:1}"),
        (
            {"atomic": [{"a": [True, None, "x"]}]},
            '.atomic[0]: expected string, got &value.valueUnstructured{Value:map[string]interface {}{"a":[]interface {}'
            '{true, interface {}(nil), "x"}}}',
        ),
        ({"size": {}}, ".size: expected numeric (int or float), got map[string]interface {}"),
        ({"size": []}, ".size: expected numeric (int or float), got []interface {}"),
        ({"size": True}, ".size: expected numeric (int or float), got bool"),
        ({"wait": 5}, ".wait: expected string, got &value.valueUnstructured{Value:5}"),
        ({"uuid": 5, "port": True, "either": {"a": [1]}, "any": {"a": {"b": 1}}}, ""),
        ({"port": {}}, ".port: expected any scalar, got &{map[]}"),
        ({"keyed": [{"a": "q", "nope": 1}]}, '.keyed[a="q",b="dd"].nope: field not declared in schema'),
        ({"amount": 5, "free": {"x": [1]}, "raw": [1], "labels": None}, ""),
        (
            {"size": "x", "on": 1},
            "errors:\n  .size: expected numeric (int or float), got string\n  .on: expected boolean, got &{1}",
        ),
    ],
)
def test_an_invalid_configuration_has_the_message_of_the_server(value: Json, message: str) -> None:
    assert check(SPEC, value) == message


def test_stored_sets_may_have_duplicates() -> None:
    assert check(SPEC, {"set": ["a", "a"]}, duplicates=True) == ""


def test_unknown_values_fit_every_type() -> None:
    assert check(SPEC, {"size": Unknown("a free port"), "atomic": [Unknown("a name")]}) == ""


def test_the_server_stops_at_an_undeclared_field_and_a_list_of_all_errors_does_not() -> None:
    value: Json = {"nope": 1, "never": 2, "keyed": [{"a": "q", "none": 1, "not": 2}]}

    assert check(SPEC, value) == ".nope: field not declared in schema"
    assert [(render(trail), message) for trail, message in type_errors(SPEC, value)] == [
        (".nope", "field not declared in schema"),
        (".never", "field not declared in schema"),
        ('.keyed[a="q",b="dd"].none', "field not declared in schema"),
        ('.keyed[a="q",b="dd"].not', "field not declared in schema"),
    ]
