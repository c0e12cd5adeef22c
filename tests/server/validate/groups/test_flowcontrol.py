"""Validation of flow schemas and levels of priority: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

ASKED: Final[JsonObject] = {
    "subjects": [{"kind": "Group", "group": {"name": "system:authenticated"}}],
    "nonResourceRules": [{"verbs": ["*"], "nonResourceURLs": ["*"]}],
}
BASE: Final[JsonObject] = {
    "apiVersion": "flowcontrol.apiserver.k8s.io/v1",
    "kind": "FlowSchema",
    "metadata": {"name": "x"},
    "spec": {"priorityLevelConfiguration": {"name": "exempt"}, "matchingPrecedence": 100, "rules": [ASKED]},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"matchingPrecedence": 10001}},
            ["spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000"],
            id="precedence",
        ),
        pytest.param(
            {"spec": {"priorityLevelConfiguration": {"name": ""}}},
            ["spec.priorityLevelConfiguration.name: Required value: must reference a priority level"],
            id="no level",
        ),
        pytest.param(
            {"spec": {"rules": [{**ASKED, "subjects": []}]}},
            ["spec.rules[0].subjects: Required value: subjects must contain at least one value"],
            id="nobody",
        ),
        pytest.param(
            {"spec": {"rules": [{**ASKED, "subjects": [{"kind": "Robot"}]}]}},
            [
                (
                    'spec.rules[0].subjects[0].kind: Unsupported value: "Robot": supported values: '
                    '"Group", "ServiceAccount", "User"'
                )
            ],
            id="kind of subject",
        ),
        pytest.param(
            {"spec": {"distinguisherMethod": {"type": "Foo"}}},
            [
                'spec.distinguisherMethod.type: Unsupported value: {"Type":"Foo"}: supported values: '
                '"ByNamespace", "ByUser"'
            ],
            id="method",
        ),
        pytest.param(
            {"spec": {"rules": [{"subjects": [{"kind": "Group", "group": {"name": "system:authenticated"}}]}]}},
            ["spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty"],
            id="no requests",
        ),
    ],
)
def test_errors_of_flow_schemas_and_levels_of_priority(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
