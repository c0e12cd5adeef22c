"""RuntimeClass.

Mirrors ``pkg/apis/node/validation``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.constraints import required, unchangeable, unique, well_formed
from kubectl_applylint.server.validate.field_context import FieldContext, Table
from kubectl_applylint.server.validate.formats import dns_label
from kubectl_applylint.server.validate.metadata import well_formed_labels
from kubectl_applylint.server.validate.pods.resources import CONTAINER_RESOURCES
from kubectl_applylint.server.validate.pods.scheduling import toleration
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.walk import inside

_resources = inside(CONTAINER_RESOURCES)


def _as_limits(fld: FieldContext) -> Iterable[FieldError]:
    """What a pod takes in addition is looked at as if it were the limits of a container."""
    return _resources(fld.with_value({"limits": fld.get("podFixed")})) if fld.has("podFixed") else ()


_RUNTIME_CLASS: Final[Table] = {
    "handler": [required(), well_formed(dns_label), unchangeable],
    "overhead": [_as_limits],
    "scheduling.nodeSelector": [well_formed_labels],
    "scheduling.tolerations[*]": [toleration],
    "scheduling.tolerations": [unique("key", "operator", "value", "effect")],
}

KINDS: Final[Group] = {("node.k8s.io", "RuntimeClass"): Rules(_RUNTIME_CLASS)}
