"""Validation of the structure of a schema: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import LAMPS, lamps, rejection_messages

BASE: Final = LAMPS


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            lamps({"properties": {"a": {"type": "string"}}}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].type: Required value: must not "
                    "be empty for specified object fields"
                )
            ],
            id="no type",
        ),
        pytest.param(
            lamps({"type": "string", "pattern": "(?=a)"}),
            [
                (
                    'spec.validation.openAPIV3Schema.properties[spec].pattern: Invalid value: "(?=a)": must be a valid '
                    "regular expression, but isn't: error parsing regexp: invalid or unsupported Perl syntax: `(?=`"
                )
            ],
            id="pattern that Go cannot read",
        ),
        pytest.param(
            lamps({"type": "array", "items": {}}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].items.type: Required value: must "
                    "not be empty for specified array items"
                )
            ],
            id="elements of no type",
        ),
        pytest.param(
            lamps({"type": "object", "anyOf": [{"type": "object"}]}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].anyOf[0].type: Forbidden: must "
                    "be empty to be structural"
                )
            ],
            id="type in a part",
        ),
        pytest.param(
            lamps({"type": "object", "anyOf": [{"properties": {"a": {"minimum": 1}}}]}),
            [],
            id="undeclared in a part",
        ),
        pytest.param(
            lamps({"type": "string", "x-kubernetes-int-or-string": True}),
            [],
            id="whatever and typed",
        ),
        pytest.param(
            lamps({"type": "object", "x-kubernetes-embedded-resource": True}),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].properties: Required value: "
                    "must not be empty if x-kubernetes-embedded-resource is true without "
                    "x-kubernetes-preserve-unknown-fields"
                )
            ],
            id="metadata",
        ),
    ],
)
def test_errors_of_the_structure_of_a_schema(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
