"""Defaults of StatefulSets."""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived


def _stateful_set_strategy(strategy: JsonObject) -> JsonObject:
    """Default to RollingUpdate with a ``rollingUpdate`` block; an explicit type gets no block."""
    if strategy.get("type"):
        return {}
    return {"type": "RollingUpdate", "rollingUpdate": strategy.get("rollingUpdate") or {}}


def _stateful_set_partition(strategy: JsonObject) -> JsonObject:
    """Default to partition 0, if the type is RollingUpdate and a ``rollingUpdate`` block exists."""
    return _within_rolling_update(strategy, "partition", 0)


def _stateful_set_max_unavailable(strategy: JsonObject) -> JsonObject:
    """Default to one unavailable pod, under the same conditions."""
    return _within_rolling_update(strategy, "maxUnavailable", 1)


def _within_rolling_update(strategy: JsonObject, field: str, default: int) -> JsonObject:
    given = strategy.get("rollingUpdate")
    if strategy.get("type") != "RollingUpdate" or given is None or given.get(field) is not None:
        return {}
    return {"rollingUpdate": {**given, field: default}}


def _typed_claims(spec: JsonObject) -> JsonObject:
    """Set kind and version of the claims of a StatefulSet, whatever was written."""
    typed = {"apiVersion": "v1", "kind": "PersistentVolumeClaim"}
    claims = spec.get("volumeClaimTemplates") or []
    if all(typed.items() <= claim.items() for claim in claims):
        return {}
    return {"volumeClaimTemplates": [{**claim, **typed} for claim in claims]}


DEFAULTS: Final = Defaults(
    package="io.k8s.api.apps",
    constant={
        "StatefulSet.spec": {
            "replicas": 1,
            "podManagementPolicy": "OrderedReady",
            "revisionHistoryLimit": 10,
            "persistentVolumeClaimRetentionPolicy": {},
        },
        "StatefulSet.spec.persistentVolumeClaimRetentionPolicy": {"whenDeleted": "Retain", "whenScaled": "Retain"},
    },
    derived={
        "StatefulSet.spec.updateStrategy": (
            Derived(("type", "rollingUpdate"), ("type",), _stateful_set_strategy),
            Derived(("rollingUpdate.partition",), ("type",), _stateful_set_partition),
            Derived(("rollingUpdate.maxUnavailable",), ("type",), _stateful_set_max_unavailable),
        ),
        "StatefulSet.spec": (Derived(("volumeClaimTemplates",), (), _typed_claims),),
    },
)
"""Mirrors pkg/apis/apps/v1/defaults.go."""
