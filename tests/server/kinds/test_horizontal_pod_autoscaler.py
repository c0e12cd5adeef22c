"""Defaults and annotations of autoscalers, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.horizontal_pod_autoscaler import convert
from tests.server.defaults.support import defaulted_spec

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
    ("annotations", "after"),
    [
        pytest.param({"autoscaling.alpha.kubernetes.io/metrics": "[]"}, None, id="metrics"),
        pytest.param({"autoscaling.alpha.kubernetes.io/behavior": "{}", "a": "b"}, {"a": "b"}, id="behavior"),
        pytest.param({"a": "b"}, {"a": "b"}, id="others"),
    ],
)
def test_annotations_that_carried_fields_of_an_autoscaler(annotations: JsonObject, after: JsonObject | None) -> None:
    autoscaler = {"metadata": {"annotations": annotations}}

    assert convert(autoscaler)["metadata"].get("annotations") == after
