"""Validation of policies that change objects: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import RULE, rejection_messages, undeclared_reference

BASE: Final[JsonObject] = {
    "apiVersion": "admissionregistration.k8s.io/v1",
    "kind": "MutatingAdmissionPolicy",
    "metadata": {"name": "x"},
    "spec": {
        "matchConstraints": {"resourceRules": [RULE]},
        "reinvocationPolicy": "Never",
        "mutations": [
            {
                "patchType": "ApplyConfiguration",
                "applyConfiguration": {"expression": "Object{spec: Object.spec{replicas: object.spec.replicas}}"},
            }
        ],
    },
}


def policy_with_patch(expression: str) -> JsonObject:
    return {"spec": {"mutations": [{"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}]}}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(policy_with_patch("[JSONPatch{op: 'remove', path: '/spec/replicas'}]"), [], id="valid patch"),
        pytest.param(
            policy_with_patch("[JSONPatch{op: 'add', path: '/a', value: objct.x}]"),
            undeclared_reference(
                "spec.mutations[0].jsonPatch.expression", "[JSONPatch{op: 'add', path: '/a', value: objct.x}]", "objct"
            ),
            id="name that nothing declares",
        ),
        pytest.param(
            policy_with_patch("[ ]"),
            [
                (
                    'spec.mutations[0].jsonPatch.expression: Invalid value: "[ ]": must evaluate to list(JSONPatch) '
                    "but got list(dyn)"
                )
            ],
            id="list of nothing",
        ),
    ],
)
def test_errors_of_policies_that_change_objects(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
