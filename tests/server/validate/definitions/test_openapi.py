"""Validation of the keywords of a schema: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import LAMPS, lamps, rejection_messages, undeclared_reference

BASE: Final = LAMPS
RULE: Final = "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0]"


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            lamps({"type": "object", "x-kubernetes-validations": [{"rule": "has(selff.a)"}]}),
            undeclared_reference(
                f"{RULE}.rule",
                "has(selff.a)",
                "selff",
                shown='{"Rule":"has(selff.a)","Message":"","MessageExpression":"",'
                '"Reason":null,"FieldPath":"","OptionalOldSelf":null}',
            ),
            id="rule about what nothing declares",
        ),
        pytest.param(
            lamps(
                {"type": "object", "x-kubernetes-validations": [{"rule": "1 > 0", "messageExpression": "'a' + foo"}]}
            ),
            undeclared_reference(
                f"{RULE}.messageExpression",
                "'a' + foo",
                "foo",
                shown='{"Rule":"1 \\u003e 0","Message":"","MessageExpression":"\'a\' + foo",'
                '"Reason":null,"FieldPath":"","OptionalOldSelf":null}',
                words="messageExpression compilation failed",
            ),
            id="message about what nothing declares",
        ),
        pytest.param(
            lamps({"type": "map"}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value: "
                    '"map": supported values: "array", "boolean", "integer", "number", "object", '
                    '"string"'
                )
            ],
            id="unknown type",
        ),
        pytest.param(
            lamps({"type": "null"}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].type: Forbidden: type cannot "
                    "be set to null, use nullable as an alternative"
                ),
                (
                    "spec.validation.openAPIV3Schema.properties[spec].type: Unsupported value: "
                    '"null": supported values: "array", "boolean", "integer", "number", "object", '
                    '"string"'
                ),
            ],
            id="null",
        ),
        pytest.param(
            lamps({"type": "array", "uniqueItems": True, "items": {"type": "string"}}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].uniqueItems: Forbidden: "
                    "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
                )
            ],
            id="unique items",
        ),
        pytest.param(
            lamps({"type": "array"}),
            ["spec.validation.openAPIV3Schema.properties[spec].items: Required value: must be specified"],
            id="no type of items",
        ),
        pytest.param(
            lamps(
                {
                    "type": "array",
                    "items": {"type": "string"},
                    "x-kubernetes-list-type": "bag",
                }
            ),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: "
                    'Unsupported value: "bag": supported values: "atomic", "set", "map"'
                )
            ],
            id="list type",
        ),
        pytest.param(
            lamps(
                {
                    "type": "array",
                    "items": {"type": "string"},
                    "x-kubernetes-list-map-keys": ["a"],
                }
            ),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-list-type: "
                    "Required value: must be map if x-kubernetes-list-map-keys is non-empty"
                )
            ],
            id="keys without map",
        ),
    ],
)
def test_errors_of_the_contents_of_a_schema(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
