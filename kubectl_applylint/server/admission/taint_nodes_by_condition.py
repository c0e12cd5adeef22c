"""TaintNodesByCondition: taints a new node as not ready.

Mirrors ``plugin/pkg/admission/nodetaint``.
"""

from typing import Final

from kubectl_applylint.core.values import mapping
from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation, with_spec

_TAINT: Final = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a new node with the taint of nodes that are not ready."""
    taints = mapping(attributes.new.get("spec")).get("taints") or []
    if not attributes.creating or any(_TAINT.items() <= other.items() for other in taints):
        return Mutation(attributes.new)
    return Mutation(with_spec(attributes.new, {"taints": [*taints, _TAINT]}))
