"""Validation of paths through a schema: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import LAMP_VERSION, LAMPS, lamps, rejection_messages

BASE: Final = LAMPS


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {
                "spec": {
                    "versions": [
                        {
                            **LAMP_VERSION,
                            "schema": {
                                "openAPIV3Schema": {
                                    "type": "object",
                                    "properties": {"spec": {"type": "object", "properties": {"a": {"type": "string"}}}},
                                }
                            },
                            "selectableFields": [{"jsonPath": ".spec.a"}],
                        }
                    ]
                }
            },
            [],
            id="fits",
        ),
        pytest.param(
            {"spec": {"versions": [{**LAMP_VERSION, "selectableFields": [{"jsonPath": ".spec.b"}]}]}},
            [
                (
                    'spec.selectableFields[0].jsonPath: Invalid value: ".spec.b": is an invalid '
                    "path: does not refer to a valid field"
                )
            ],
            id="not there",
        ),
        pytest.param(
            {"spec": {"versions": [{**LAMP_VERSION, "selectableFields": [{"jsonPath": "spec"}]}]}},
            [
                (
                    'spec.selectableFields[0].jsonPath: Invalid value: "spec": is an invalid path: '
                    "expected [ or . but got: spec"
                )
            ],
            id="not a path",
        ),
        pytest.param(
            lamps(
                {
                    "type": "object",
                    "x-kubernetes-validations": [{"rule": "true", "fieldPath": ".b"}],
                }
            ),
            [
                (
                    "spec.validation.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].fie"
                    'ldPath: Invalid value: ".b": must be a valid path'
                )
            ],
            id="field of a rule",
        ),
    ],
)
def test_errors_of_paths_through_a_schema(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
