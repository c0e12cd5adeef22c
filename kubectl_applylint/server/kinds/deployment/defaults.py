"""Defaults of Deployments."""

from typing import Final

from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived


def rolling_update(strategy: JsonObject, defaults: JsonObject) -> JsonObject:
    """Return a strategy's limits with defaults for empty ones, if the type is RollingUpdate."""
    given = mapping(strategy.get("rollingUpdate"))
    if strategy.get("type") != "RollingUpdate" or all(given.get(key) is not None for key in defaults):
        return {}
    return {"rollingUpdate": {**defaults, **{key: value for key, value in given.items() if value is not None}}}


def _deployment_rolling_update(strategy: JsonObject) -> JsonObject:
    """Default both limits to 25 %, if the type is RollingUpdate."""
    return rolling_update(strategy, {"maxUnavailable": "25%", "maxSurge": "25%"})


DEFAULTS: Final = Defaults(
    package="io.k8s.api.apps",
    constant={
        "Deployment.spec": {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600},
        "Deployment.spec.strategy": {"type": "RollingUpdate"},
    },
    derived={"Deployment.spec.strategy": (Derived(("rollingUpdate",), ("type",), _deployment_rolling_update),)},
)
"""Mirrors pkg/apis/apps/v1/defaults.go."""
