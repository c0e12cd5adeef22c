"""HorizontalPodAutoscalers of autoscaling/v2: defaults of metrics and behavior, and annotations of older versions.

Mirrors pkg/apis/autoscaling/v2/defaults.go and the conversions next to it.
"""

from typing import Final

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import MISSING, Json, JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.kind_behaviour import KindBehaviour
from kubectl_applylint.server.manifests import in_metadata

CPU_PERCENT: Final = 80
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
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": CPU_PERCENT}},
    }
]
_CARRIED: Final = frozenset(
    f"autoscaling.alpha.kubernetes.io/{field}"
    for field in ("metrics", "behavior", "current-metrics", "conditions", "scale-down-tolerance", "scale-up-tolerance")
)
"""Annotations in which older versions store fields that they do not have."""


def _behavior(spec: JsonObject) -> JsonObject:
    """Set the defaults of both directions of a behavior, if it is present."""
    behavior = spec.get("behavior")
    if behavior is None:
        return {}
    both = {
        "scaleUp": _with_defaults(behavior.get("scaleUp"), _UP),
        "scaleDown": _with_defaults(behavior.get("scaleDown"), _DOWN),
    }
    return {} if all(behavior.get(key) == both[key] for key in both) else {"behavior": {**behavior, **both}}


def _with_defaults(rules: Json, defaults: JsonObject) -> JsonObject:
    return {**defaults, **{key: value for key, value in mapping(rules).items() if value is not None}}


def convert(new: JsonObject) -> JsonObject:
    """Drop annotations that store fields of newer versions, if the version has those fields."""
    annotations = annotations_of(new)
    kept = {name: text for name, text in annotations.items() if name not in _CARRIED}
    return new if len(kept) == len(annotations) else in_metadata(new, {"annotations": kept or MISSING})


_DEFAULTS: Final = Defaults(
    package="io.k8s.api.autoscaling",
    versions=("v2",),
    constant={"HorizontalPodAutoscaler.spec": {"minReplicas": 1, "metrics": _METRICS}},
    derived={"HorizontalPodAutoscaler.spec": (Derived(("behavior",), ("behavior",), _behavior),)},
)

KIND: Final = KindBehaviour(
    gvk=("autoscaling/v2", "HorizontalPodAutoscaler"),
    defaults=_DEFAULTS,
    convert=convert,
    generation=("spec",),
    generation_since=37,
)
