"""Validation of quotas and limits: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"hard": {"pods": "1"}},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"hard": {"pods": "-1"}}},
            ['spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0'],
            id="less than nothing",
        ),
        pytest.param(
            {"spec": {"hard": {"pods": "500m"}}},
            ['spec.hard[pods]: Invalid value: "500m": must be an integer'],
            id="no whole number",
        ),
        pytest.param(
            {"spec": {"hard": {"fish": "1"}}},
            [
                'spec.hard[fish]: Invalid value: "fish": must be a standard resource for quota',
                ('spec.hard[fish]: Invalid value: "fish": must be a standard resource type or fully qualified'),
            ],
            id="unknown resource",
        ),
        pytest.param(
            {"spec": {"scopes": ["Sometimes"]}},
            ['spec.scopes: Invalid value: ["Sometimes"]: unsupported scope'],
            id="scope",
        ),
        pytest.param(
            {"spec": {"scopes": ["BestEffort", "NotBestEffort"]}},
            ['spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes'],
            id="scopes that exclude each other",
        ),
        pytest.param(
            {"spec": {"scopes": ["BestEffort"], "hard": {"cpu": "1"}}},
            ['spec.scopes: Invalid value: ["BestEffort"]: unsupported scope applied to resource'],
            id="scope for another resource",
        ),
        pytest.param(
            {"spec": {"scopeSelector": {"matchExpressions": [{"scopeName": "PriorityClass", "operator": "In"}]}}},
            [
                (
                    "spec.scopeSelector.matchExpressions.values: Required value: must be at least "
                    "one value when `operator` is 'In' or 'NotIn' for scope selector"
                )
            ],
            id="no values",
        ),
    ],
)
def test_errors_of_quotas_and_limits(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
