"""Defaults of autoscalers."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted, defaulted_spec

CPU = [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}]
PERCENT = {"type": "Percent", "value": 100, "periodSeconds": 15}
UP = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, PERCENT],
}
DOWN = {"selectPolicy": "Max", "policies": [PERCENT]}


@pytest.mark.parametrize("metrics", [{}, {"metrics": []}], ids=["none", "empty list"])
def test_without_metrics_cpu_counts(metrics: JsonObject) -> None:
    assert defaulted_spec("autoscaling/v2", "HorizontalPodAutoscaler", metrics) == {"minReplicas": 1, "metrics": CPU}


@pytest.mark.parametrize(
    ("behavior", "expected"),
    [
        pytest.param({}, {"scaleUp": UP, "scaleDown": DOWN}, id="empty"),
        pytest.param(
            {"scaleDown": {"stabilizationWindowSeconds": 60}},
            {"scaleUp": UP, "scaleDown": {**DOWN, "stabilizationWindowSeconds": 60}},
            id="one side",
        ),
        pytest.param(
            {"scaleUp": {"policies": []}, "scaleDown": DOWN},
            {"scaleUp": {**UP, "policies": []}, "scaleDown": DOWN},
            id="no policies are policies",
        ),
    ],
)
def test_a_behavior_is_filled_in(behavior: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("autoscaling/v2", "HorizontalPodAutoscaler", {"behavior": behavior})["behavior"] == expected


@pytest.mark.parametrize(
    ("autoscaler", "target"),
    [
        pytest.param({"spec": {}}, 80, id="none"),
        pytest.param({"spec": {"targetCPUUtilizationPercentage": 50}}, 50, id="written"),
        pytest.param(
            {"metadata": {"annotations": {"autoscaling.alpha.kubernetes.io/metrics": "[]"}}, "spec": {}},
            None,
            id="other metrics",
        ),
    ],
)
def test_the_old_versions_target(autoscaler: JsonObject, target: int | None) -> None:
    spec = defaulted("autoscaling/v1", "HorizontalPodAutoscaler", autoscaler)["spec"]

    assert (spec["minReplicas"], spec.get("targetCPUUtilizationPercentage")) == (1, target)
