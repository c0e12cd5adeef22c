"""Validation of the rules of webhooks and policies: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import POLICY, RULE, rejection_messages

BASE: Final = POLICY


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"matchConstraints": {"resourceRules": [{**RULE, "apiGroups": []}]}}},
            ["spec.matchConstraints.resourceRules[0].apiGroups: Required value"],
            id="no groups",
        ),
        pytest.param(
            {"spec": {"matchConstraints": {"resourceRules": [{**RULE, "operations": ["*", "CREATE"]}]}}},
            [
                (
                    "spec.matchConstraints.resourceRules[0].operations: Invalid value: "
                    '["*","CREATE"]: if \'*\' is present, must not specify other operations'
                )
            ],
            id="all and one",
        ),
        pytest.param(
            {"spec": {"matchConstraints": {"resourceRules": [{**RULE, "operations": ["PATCH"]}]}}},
            [
                (
                    "spec.matchConstraints.resourceRules[0].operations[0]: Unsupported value: "
                    '"PATCH": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"'
                )
            ],
            id="unknown operation",
        ),
        pytest.param(
            {"spec": {"matchConstraints": {"resourceRules": [{**RULE, "scope": "Here"}]}}},
            [
                (
                    'spec.matchConstraints.resourceRules[0].scope: Unsupported value: "Here": '
                    'supported values: "*", "Cluster", "Namespaced"'
                )
            ],
            id="unknown scope",
        ),
        pytest.param(
            {"spec": {"matchConditions": [{"name": "", "expression": "true"}]}},
            ["spec.matchConditions[0].name: Required value"],
            id="condition without name",
        ),
        pytest.param(
            {"spec": {"matchConditions": [{"name": "a", "expression": "true"}, {"name": "a", "expression": "true"}]}},
            ['spec.matchConditions[1].name: Duplicate value: "a"'],
            id="one name twice",
        ),
    ],
)
def test_errors_of_the_requests_that_webhooks_and_policies_are_about(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
