"""What a server says of policies of admission and their bindings: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.values import JsonObject
from tests.server.validate.objects import POLICY, refused

BASE: Final = POLICY


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"validations": []}},
            [
                (
                    "spec.auditAnnotations: Required value: validations or auditAnnotations must "
                    "contain at least one item"
                ),
                ("spec.validations: Required value: validations or auditAnnotations must contain at least one item"),
            ],
            id="nothing to do",
        ),
        pytest.param(
            {"spec": {"validations": [{"expression": " "}]}},
            ["spec.validations[0].expression: Required value: expression is not specified"],
            id="no expression",
        ),
        pytest.param(
            {"spec": {"validations": [{"expression": "true", "message": "a\nb"}]}},
            ['spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks'],
            id="message of two lines",
        ),
        pytest.param(
            {"spec": {"validations": [{"expression": "true", "reason": "Gone"}]}},
            [
                (
                    'spec.validations[0].reason: Unsupported value: "Gone": supported values: '
                    '"Forbidden", "Invalid", "RequestEntityTooLarge"'
                )
            ],
            id="unknown reason",
        ),
        pytest.param(
            {"spec": {"variables": [{"name": "a-b", "expression": "1"}]}},
            ['spec.variables[0].name: Invalid value: "a-b": must be a valid CEL identifier'],
            id="name of a variable",
        ),
        pytest.param(
            {"spec": {"failurePolicy": "Sometimes"}},
            ['spec.failurePolicy: Unsupported value: "Sometimes": supported values: "Fail", "Ignore"'],
            id="failure policy",
        ),
    ],
)
def test_what_is_said_of_policies_of_admission_and_their_bindings(patch: JsonObject, said: list[str]) -> None:
    assert refused(BASE, patch) == said
