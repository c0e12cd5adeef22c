"""Defaults of the first version of autoscalers, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults


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
    spec = fields_with_defaults("autoscaling/v1", "HorizontalPodAutoscaler", autoscaler)["spec"]

    assert (spec["minReplicas"], spec.get("targetCPUUtilizationPercentage")) == (1, target)
