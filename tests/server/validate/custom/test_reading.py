"""Schemas that are malformed: what cannot be read counts as absent."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate.custom.reading import (
    flag,
    marks_in,
    number,
    part,
    sub,
    text,
    type_of,
    types,
)

ODD: JsonObject = {"t": "text", "n": 1, "f": 1.5, "b": True, "o": {"a": 1}, "l": ["x", 1, None], "null": None}
OBJECT: JsonObject = {"properties": {"a": {"type": "string"}, "odd": 7}, "additionalProperties": {"type": "integer"}}


@pytest.mark.parametrize(
    ("name", "read_text", "read_number", "read_flag", "read_sub"),
    [
        ("t", "text", None, False, {}),
        ("n", "", 1, False, {}),
        ("f", "", 1.5, False, {}),
        ("b", "", None, True, {}),
        ("o", "", None, False, {"a": 1}),
        ("l", "", None, False, {}),
        ("null", "", None, False, {}),
        ("absent", "", None, False, {}),
    ],
)
def test_a_field_of_another_type_counts_as_absent(
    name: str, read_text: str, read_number: float | None, read_flag: bool, read_sub: JsonObject
) -> None:
    assert (text(ODD, name), number(ODD, name)) == (read_text, read_number)
    assert (flag(ODD, name), sub(ODD, name)) == (read_flag, read_sub)


@pytest.mark.parametrize(
    ("schema", "name", "found"),
    [
        pytest.param(OBJECT, "a", {"type": "string"}, id="declared"),
        pytest.param(OBJECT, "b", {"type": "integer"}, id="any other"),
        pytest.param(OBJECT, "odd", {}, id="declared, malformed"),
        pytest.param({"additionalProperties": True}, "b", {}, id="anything"),
        pytest.param({}, "b", {}, id="nothing"),
    ],
)
def test_the_schema_of_a_member(schema: JsonObject, name: str, found: JsonObject) -> None:
    assert part(schema, name) == found


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        ({"type": "string"}, ("string",)),
        ({}, ()),
        ({"type": ["string", "null"]}, ()),
        ({"x-kubernetes-int-or-string": True, "type": "string"}, ("integer", "string")),
        ({"x-kubernetes-int-or-string": "true"}, ()),
    ],
    ids=["one", "none", "a list is no type in Kubernetes", "int or string", "no flag"],
)
def test_the_types_of_a_schema(schema: JsonObject, found: tuple[str, ...]) -> None:
    assert types(schema) == found


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (None, "null"),
        (True, "boolean"),
        (0, "integer"),
        (0.0, "number"),
        ("", "string"),
        ([], "array"),
        ({}, "object"),
    ],
)
def test_the_type_of_a_value(value: Json, name: str) -> None:
    assert type_of(value) == name


def test_extensions_are_found_wherever_a_schema_has_schemas() -> None:
    schema: JsonObject = {
        "x-kubernetes-map-type": "atomic",
        "properties": {"a": {"items": {"x-kubernetes-list-type": "set"}}},
        "additionalProperties": {"x-kubernetes-int-or-string": False},
        "allOf": [{"x-kubernetes-validations": []}],
        "default": {"x-kubernetes-embedded-resource": True},
    }

    assert marks_in(schema) == {
        "x-kubernetes-map-type",
        "x-kubernetes-list-type",
        "x-kubernetes-int-or-string",
        "x-kubernetes-validations",
    }
