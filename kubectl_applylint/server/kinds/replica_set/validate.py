"""What is refused of ReplicaSets, and of the templates of what makes them.

Mirrors ``pkg/apis/apps/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate.constraints import at_least, unchangeable
from kubectl_applylint.server.validate.field_context import Table, struct
from kubectl_applylint.server.validate.pods.spec import template_of
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import (
    LABEL_SELECTOR,
    if_selector_is_usable,
    matches_template,
    required_selector,
)

_UNSELECTABLE: Final = "invalid label selector"

TEMPLATE_OF_REPLICAS: Final = if_selector_is_usable(
    _UNSELECTABLE, {"": [matches_template], "template": [struct, template_of("ReplicaSet")]}
)
"""The constraints of a spec with a template for replicas."""

_REPLICA_SET: Final[Table] = {
    "spec": [struct, TEMPLATE_OF_REPLICAS],
    "spec.replicas": [at_least(0)],
    "spec.minReadySeconds": [at_least(0)],
    "spec.selector": [required_selector("deployment"), unchangeable, LABEL_SELECTOR],
}

KINDS: Final[Group] = {("apps", "ReplicaSet"): Rules(_REPLICA_SET)}
"""The rules of ReplicaSets."""
