"""Validation of policies of admission and their bindings: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import POLICY, rejection_messages, undeclared_reference

BASE: Final = POLICY


@pytest.mark.parametrize(
    ("patch", "errors"),
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
        pytest.param(
            {"spec": {"validations": [{"expression": "object.a == foo"}]}},
            undeclared_reference("spec.validations[0].expression", "object.a == foo", "foo"),
            id="name that nothing declares",
        ),
        pytest.param(
            {"spec": {"validations": [{"expression": "params.a == 1"}]}},
            undeclared_reference("spec.validations[0].expression", "params.a == 1", "params"),
            id="parameters where there are none",
        ),
        pytest.param(
            {"spec": {"validations": [{"expression": "variables.a == 1"}]}},
            undeclared_reference("spec.validations[0].expression", "variables.a == 1", "variables"),
            id="variables where there are none",
        ),
        pytest.param(
            {"spec": {"validations": [{"expression": "true", "messageExpression": "string(authorizer)"}]}},
            undeclared_reference("spec.validations[0].messageExpression", "string(authorizer)", "authorizer"),
            id="authorizer in a message",
        ),
        pytest.param(
            {"spec": {"auditAnnotations": [{"key": "a", "valueExpression": "self"}]}},
            undeclared_reference("spec.auditAnnotations[0].valueExpression", "self", "self"),
            id="self in an annotation",
        ),
        pytest.param(
            {
                "spec": {
                    "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
                    "variables": [{"name": "a", "expression": "params.data"}],
                    "validations": [{"expression": "variables.a == params.data"}],
                }
            },
            [],
            id="parameters and variables",
        ),
        pytest.param(
            {
                "spec": {
                    "variables": [{"name": "a", "expression": "1"}],
                    "matchConditions": [{"name": "a", "expression": "variables.a == 1"}],
                }
            },
            undeclared_reference("spec.matchConditions[0].expression", "variables.a == 1", "variables"),
            id="variables in a condition",
        ),
    ],
)
def test_errors_of_policies_of_admission_and_their_bindings(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
