"""Defaults of networking.k8s.io and discovery.k8s.io; mirrors pkg/apis/networking and discovery, defaults.go."""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived


def _policy_types(spec: JsonObject) -> JsonObject:
    """A policy applies to ingress, and to egress if it has egress rules; it keeps that if the rules are removed."""
    if spec.get("policyTypes"):
        return {}
    return {"policyTypes": ["Ingress", "Egress"] if spec.get("egress") else ["Ingress"]}


NETWORKING: Final = Defaults(
    package="io.k8s.api.networking",
    constant={"NetworkPolicyPort": {"protocol": "TCP"}, "IngressClass.spec.parameters": {"scope": "Cluster"}},
    derived={"NetworkPolicy.spec": (Derived(("policyTypes",), ("egress",), _policy_types),)},
)
DISCOVERY: Final = Defaults(package="io.k8s.api.discovery", constant={"EndpointPort": {"name": "", "protocol": "TCP"}})
