"""Validation of ReplicaSets, and of templates for replicas.

Mirrors ``pkg/apis/apps/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.spec import template_of

_UNSELECTABLE: Final = "invalid label selector"

TEMPLATE_OF_REPLICAS: Final = v.if_selector_is_usable(
    _UNSELECTABLE, {"": [v.matches_template], "template": [v.struct, template_of("ReplicaSet")]}
)
"""The constraints of a spec with a template for replicas."""

_REPLICA_SET: Final[v.Table] = {
    "spec": [v.struct, TEMPLATE_OF_REPLICAS],
    "spec.replicas": [v.at_least(0)],
    "spec.minReadySeconds": [v.at_least(0)],
    "spec.selector": [v.required_selector("deployment"), v.unchangeable, v.LABEL_SELECTOR],
}

KINDS: Final[v.Group] = {("apps", "ReplicaSet"): v.Rules(_REPLICA_SET)}
"""The rules of ReplicaSets."""
