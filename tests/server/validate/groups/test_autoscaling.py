"""Validation of autoscalers: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"},
        "minReplicas": 1,
        "maxReplicas": 3,
        "metrics": [
            {
                "type": "Resource",
                "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}},
            }
        ],
    },
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"maxReplicas": 0}},
            [
                ("spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`"),
                "spec.maxReplicas: Required value: must be set and greater than 0",
            ],
            id="none at most",
        ),
        pytest.param(
            {"spec": {"minReplicas": 4}},
            ["spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`"],
            id="more at least than at most",
        ),
        pytest.param(
            {"spec": {"scaleTargetRef": {"name": ""}}}, ["spec.scaleTargetRef.name: Required value"], id="no target"
        ),
        pytest.param(
            {"spec": {"metrics": [{"type": "Pods"}]}},
            ["spec.metrics[0].pods: Required value: must populate information for the given metric source"],
            id="metric without source",
        ),
        pytest.param(
            {
                "spec": {
                    "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization"}}}]
                }
            },
            [
                (
                    "spec.metrics[0].resource.target.averageUtilization: Required value: must set "
                    "either a target raw value or a target utilization"
                )
            ],
            id="nothing to reach",
        ),
        pytest.param(
            {"spec": {"behavior": {"scaleDown": {"stabilizationWindowSeconds": 3601}}}},
            [
                (
                    "spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 3601: must "
                    "be less than or equal to 3600"
                )
            ],
            id="window",
        ),
        pytest.param(
            {"spec": {"behavior": {"scaleUp": {"policies": []}}}},
            ["spec.behavior.scaleUp.policies: Required value: must specify at least one Policy"],
            id="no policies instead of the default ones",
        ),
    ],
)
def test_errors_of_autoscalers(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
