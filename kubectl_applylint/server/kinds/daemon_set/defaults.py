"""Defaults of DaemonSets."""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.kinds.deployment.defaults import rolling_update


def _daemon_set_rolling_update(strategy: JsonObject) -> JsonObject:
    """Default to ``maxUnavailable: 1`` and ``maxSurge: 0`` for the type RollingUpdate."""
    return rolling_update(strategy, {"maxUnavailable": 1, "maxSurge": 0})


DEFAULTS: Final = Defaults(
    package="io.k8s.api.apps",
    constant={
        "DaemonSet.spec": {"revisionHistoryLimit": 10},
        "DaemonSet.spec.updateStrategy": {"type": "RollingUpdate"},
    },
    derived={"DaemonSet.spec.updateStrategy": (Derived(("rollingUpdate",), ("type",), _daemon_set_rolling_update),)},
)
"""Mirrors pkg/apis/apps/v1/defaults.go."""
