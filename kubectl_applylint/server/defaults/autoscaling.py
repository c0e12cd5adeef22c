"""Defaults of autoscaling/v1 and v2; mirrors pkg/apis/autoscaling/v1 and v2, defaults.go and v1's conversion.go."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived

_CPU_PERCENT: Final = 80
_ALL_OF_IT: Final = {"type": "Percent", "value": 100, "periodSeconds": 15}
_UP: Final[JsonObject] = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [{"type": "Pods", "value": 4, "periodSeconds": 15}, _ALL_OF_IT],
}
_DOWN: Final[JsonObject] = {"selectPolicy": "Max", "policies": [_ALL_OF_IT]}
_METRICS: Final = [
    {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": _CPU_PERCENT}},
    }
]
_METRICS_ANNOTATION: Final = "autoscaling.alpha.kubernetes.io/metrics"


def _behavior(spec: JsonObject) -> JsonObject:
    """A behavior that is written at all gets both directions, and each of them what it lacks."""
    behavior = spec.get("behavior")
    if behavior is None:
        return {}
    both = {"scaleUp": _filled(behavior.get("scaleUp"), _UP), "scaleDown": _filled(behavior.get("scaleDown"), _DOWN)}
    return {} if all(behavior.get(key) == both[key] for key in both) else {"behavior": {**behavior, **both}}


def _filled(rules: Json, defaults: JsonObject) -> JsonObject:
    return {**defaults, **{key: value for key, value in mapping(rules).items() if value is not None}}


def _cpu_target(autoscaler: JsonObject) -> Mapping[str, Json]:
    """80 % of CPU, where neither this target nor (in an annotation) another metric is set."""
    spec = mapping(autoscaler.get("spec"))
    annotations = annotations_of(autoscaler)
    if spec.get("targetCPUUtilizationPercentage") is not None or _METRICS_ANNOTATION in annotations:
        return {}
    return {"spec": {**spec, "targetCPUUtilizationPercentage": _CPU_PERCENT}}


AUTOSCALING_V1: Final = Defaults(
    package="io.k8s.api.autoscaling",
    versions=("v1",),
    constant={"HorizontalPodAutoscaler.spec": {"minReplicas": 1}},
    derived={
        "HorizontalPodAutoscaler": (
            Derived(("spec.targetCPUUtilizationPercentage",), ("metadata.annotations",), _cpu_target),
        )
    },
)
AUTOSCALING_V2: Final = Defaults(
    package="io.k8s.api.autoscaling",
    versions=("v2",),
    constant={"HorizontalPodAutoscaler.spec": {"minReplicas": 1, "metrics": _METRICS}},
    derived={"HorizontalPodAutoscaler.spec": (Derived(("behavior",), ("behavior",), _behavior),)},
)
