"""Defaults of flowcontrol.apiserver.k8s.io; mirrors pkg/apis/flowcontrol, defaults.go of each version."""

from typing import Final

from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived

_SHARES: Final = 30
_KEEPS_ZERO: Final = "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares"
_COMMON: Final = {
    "FlowSchemaSpec": {"matchingPrecedence": 1000},
    "ExemptPriorityLevelConfiguration": {"nominalConcurrencyShares": 0, "lendablePercent": 0},
    "LimitedPriorityLevelConfiguration": {"lendablePercent": 0},
    "QueuingConfiguration": {"queues": 64, "handSize": 8, "queueLengthLimit": 50},
}


def _shares(level: JsonObject) -> JsonObject:
    """Zero shares count as absent, unless an annotation states that zero is intended."""
    spec = mapping(level.get("spec"))
    limited = spec.get("limited")
    annotations = annotations_of(level)
    if limited is None or limited.get("nominalConcurrencyShares") or _KEEPS_ZERO in annotations:
        return {}
    return {"spec": {**spec, "limited": {**limited, "nominalConcurrencyShares": _SHARES}}}


FLOW_CONTROL: Final = Defaults(
    package="io.k8s.api.flowcontrol",
    constant={
        **_COMMON,
        "LimitedPriorityLevelConfiguration": {"nominalConcurrencyShares": _SHARES, "lendablePercent": 0},
    },
)
FLOW_CONTROL_BETA: Final = Defaults(
    package="io.k8s.api.flowcontrol",
    versions=("v1beta3",),
    constant=_COMMON,
    derived={
        "PriorityLevelConfiguration": (
            Derived(("spec.limited.nominalConcurrencyShares",), ("metadata.annotations",), _shares),
        )
    },
)
