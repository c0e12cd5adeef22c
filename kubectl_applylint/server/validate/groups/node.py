"""RuntimeClass.

Mirrors ``pkg/apis/node/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.resources import CONTAINER_RESOURCES
from kubectl_applylint.server.validate.pods.scheduling import toleration

_resources = v.inside(CONTAINER_RESOURCES)


def _as_limits(fld: v.FieldContext) -> v.FieldErrors:
    """Check the overhead of a pod as if it were the limits of a container."""
    return _resources(fld.with_value({"limits": fld.get("podFixed")})) if fld.has("podFixed") else ()


_RUNTIME_CLASS: Final[v.Table] = {
    "handler": [v.required(), v.well_formed(v.dns_label), v.unchangeable],
    "overhead": [_as_limits],
    "scheduling.nodeSelector": [v.well_formed_labels],
    "scheduling.tolerations[*]": [toleration],
    "scheduling.tolerations": [v.unique("key", "operator", "value", "effect")],
}

KINDS: Final[v.Group] = {("node.k8s.io", "RuntimeClass"): v.Rules(_RUNTIME_CLASS)}
