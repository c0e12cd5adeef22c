"""The sizes that apiserver's ``pkg/cel/common`` assumes of values; ``estimates.jsonl`` has the resulting costs."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.validate.custom.decls import LARGEST_REQUEST, Decl, declared_type

INTEGER: JsonObject = {"type": "integer"}
UNBOUNDED = LARGEST_REQUEST - 2


@pytest.mark.parametrize(
    ("schema", "decl"),
    [
        pytest.param({"type": "boolean"}, Decl("bool", 0, 4), id="true is the shortest boolean"),
        pytest.param({"type": "number"}, Decl("double", 0, 1), id="number"),
        pytest.param(INTEGER, Decl("int", 0, 1), id="integer"),
        pytest.param({"type": "string"}, Decl("string", UNBOUNDED, 2), id="text without bound"),
        pytest.param({"type": "string", "maxLength": 5}, Decl("string", 20, 2), id="four bytes for a character"),
        pytest.param({"type": "string", "maxLength": -1}, Decl("string", 0, 2), id="bound below zero"),
        pytest.param({"type": "string", "enum": ["a", "äö", 7]}, Decl("string", 4, 2), id="the longest of an enum"),
        pytest.param({"type": "string", "enum": ["a"], "maxLength": 1}, Decl("string", 4, 2), id="a bound goes first"),
        pytest.param({"type": "string", "format": "byte"}, Decl("bytes", UNBOUNDED, 2), id="bytes"),
        pytest.param({"type": "string", "format": "byte", "maxLength": 9}, Decl("bytes", 9, 2), id="bounded bytes"),
        pytest.param({"type": "string", "format": "duration"}, Decl("duration", 32, 3), id="duration"),
        pytest.param({"type": "string", "format": "date", "maxLength": 99}, Decl("timestamp", 12, 12), id="date"),
        pytest.param({"type": "string", "format": "date-time"}, Decl("timestamp", 32, 21), id="time"),
        pytest.param({"x-kubernetes-int-or-string": True}, Decl("dyn", UNBOUNDED, 1), id="int or string"),
        pytest.param(
            {"x-kubernetes-int-or-string": True, "maxLength": 3}, Decl("dyn", 12, 1), id="bounded int or string"
        ),
        pytest.param(
            {"type": "array", "items": INTEGER}, Decl("list", UNBOUNDED // 2, 2, {}, Decl("int", 0, 1)), id="list"
        ),
        pytest.param(
            {"type": "array", "items": INTEGER, "maxItems": 0}, Decl("list", 0, 2, {}, Decl("int", 0, 1)), id="no items"
        ),
        pytest.param(
            {"type": "object", "additionalProperties": INTEGER},
            Decl("map", UNBOUNDED // 7, 2, {}, Decl("int", 0, 1), Decl("string", 0, 2)),
            id="map",
        ),
        pytest.param(
            {"type": "object", "additionalProperties": INTEGER, "maxProperties": 3},
            Decl("map", 3, 2, {}, Decl("int", 0, 1), Decl("string", 0, 2)),
            id="bounded map",
        ),
        pytest.param({"type": "object"}, Decl("object", 0, 2), id="object"),
        pytest.param({}, None, id="anything"),
        pytest.param({"type": "array"}, None, id="list of anything"),
        pytest.param({"type": "object", "additionalProperties": {}}, None, id="map of anything"),
    ],
)
def test_the_type_of_a_schema(schema: JsonObject, decl: Decl | None) -> None:
    assert declared_type(schema) == decl


@pytest.mark.parametrize(
    ("field", "least"),
    [
        pytest.param(INTEGER, 2 + len("n") + 1 + 4, id="required"),
        pytest.param({**INTEGER, "default": 0}, 2, id="a default sets it"),
    ],
)
def test_required_fields_take_bytes(field: JsonObject, least: int) -> None:
    decl = declared_type({"type": "object", "required": ["n", "x"], "properties": {"n": field, "m": INTEGER}})

    assert decl is not None
    assert decl.least == least


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("a-b.c/d", "a__dash__b__dot__c__slash__d"),
        ("a__b", "a__underscores__b"),
        ("in", "__in__"),
        ("index", "index"),
    ],
)
def test_fields_are_spelled_as_in_expressions(name: str, spelled: str) -> None:
    decl = declared_type({"type": "object", "properties": {name: INTEGER, "free": {}}})

    assert decl is not None
    assert [*decl.fields] == [spelled]


def test_an_embedded_object_has_a_type_and_a_name() -> None:
    inner = {"type": "object", "x-kubernetes-embedded-resource": True}
    decl = declared_type({"type": "array", "items": inner})

    assert decl is not None
    assert decl.element is not None
    assert [*decl.element.fields] == ["apiVersion", "kind", "metadata"]
    assert [*decl.element.fields["metadata"].fields] == ["name", "generateName"]
