"""Validation of defaults in a schema: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import LAMPS, lamps, rejection_messages

BASE: Final = LAMPS

EMBEDDED: JsonObject = {
    "type": "object",
    "x-kubernetes-embedded-resource": True,
    "properties": {"foo": {"type": "string"}, "metadata": {"type": "object", "default": {"name": "foo"}}},
    "default": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "foo"}, "foo": "abc"},
}


def templates(**default: object) -> JsonObject:
    """Return what makes the spec of a lamp hold an embedded object with a default."""
    schema = {**EMBEDDED, "default": {**EMBEDDED["default"], **default}}
    return lamps({"type": "object", "properties": {"template": schema}})


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            lamps(
                {
                    "type": "object",
                    "properties": {"a": {"type": "integer", "default": 1}},
                }
            ),
            [],
            id="fits",
        ),
        pytest.param(
            lamps({"type": "object", "properties": {"a": {"type": "intger", "default": 1}}}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid "
                    'value: "integer":  in body must be of type intger: "integer"'
                ),
                (
                    "spec.validation.openAPIV3Schema.properties[spec].properties[a].type: Unsupported "
                    'value: "intger": supported values: "array", "boolean", "integer", "number", "object", "string"'
                ),
            ],
            id="no such type",
        ),
        pytest.param(
            lamps(
                {
                    "type": "object",
                    "properties": {"a": {"type": "integer", "default": "b"}},
                }
            ),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid "
                    'value: "string":  in body must be of type integer: "string"'
                )
            ],
            id="wrong type",
        ),
        pytest.param(
            lamps(
                {
                    "type": "object",
                    "properties": {"a": {"type": "integer", "maximum": 1, "default": 2}},
                }
            ),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].properties[a].default: Invalid "
                    "value: 2:  in body should be less than or equal to 1"
                )
            ],
            id="out of bounds",
        ),
        pytest.param(
            lamps(
                {
                    "type": "object",
                    "default": {"b": 1},
                    "properties": {"a": {"type": "integer"}},
                }
            ),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].default: Invalid value: "
                    '{"b":1}: must not have unknown fields'
                )
            ],
            id="undeclared",
        ),
        pytest.param(templates(), [], id="fields that every object has"),
        pytest.param(
            templates(bar=1),
            [
                "spec.validation.openAPIV3Schema.properties[spec].properties[template].default: Invalid value: "
                '{"apiVersion":"v1","bar":1,"foo":"abc","kind":"Pod","metadata":{"name":"foo"}}: must not have unknown'
                " fields"
            ],
            id="fields that an embedded object does not have",
        ),
    ],
)
def test_errors_of_defaults_in_a_schema(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
