"""HorizontalPodAutoscalers of autoscaling/v1, which have one metric.

Mirrors pkg/apis/autoscaling/v1, defaults.go and conversion.go.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.kinds.horizontal_pod_autoscaler import CPU_PERCENT

_METRICS_ANNOTATION: Final = "autoscaling.alpha.kubernetes.io/metrics"


def _cpu_target(autoscaler: JsonObject) -> Mapping[str, Json]:
    """Default to 80 % of CPU, if neither this target nor (in an annotation) another metric is set."""
    spec = mapping(autoscaler.get("spec"))
    annotations = annotations_of(autoscaler)
    if spec.get("targetCPUUtilizationPercentage") is not None or _METRICS_ANNOTATION in annotations:
        return {}
    return {"spec": {**spec, "targetCPUUtilizationPercentage": CPU_PERCENT}}


_DEFAULTS: Final = Defaults(
    package="io.k8s.api.autoscaling",
    constant={"HorizontalPodAutoscaler.spec": {"minReplicas": 1}},
    derived={
        "HorizontalPodAutoscaler": (
            Derived(("spec.targetCPUUtilizationPercentage",), ("metadata.annotations",), _cpu_target),
        )
    },
)

KIND: Final = KindBehaviour(
    gvk=("autoscaling/v1", "HorizontalPodAutoscaler"), defaults=_DEFAULTS, generation=("spec",), generation_since=37
)
