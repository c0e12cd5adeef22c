"""Features of a Service by its type: addresses, node ports, a health check, external traffic."""

from typing import Final

from kubectl_applylint.core.values import JsonObject

HEADLESS: Final = "None"
"""The cluster IP of a headless Service."""


def is_reachable_from_outside(spec: JsonObject) -> bool:
    """Return whether a Service takes external traffic, by its type or by external addresses."""
    service_type = spec.get("type")
    return service_type in ("NodePort", "LoadBalancer") or (
        service_type == "ClusterIP" and bool(spec.get("externalIPs"))
    )


def takes_node_ports(spec: JsonObject) -> bool:
    """Return whether a Service's type has node ports at all."""
    return spec.get("type") in ("NodePort", "LoadBalancer")


def gets_node_ports(spec: JsonObject) -> bool:
    """Return whether a server allocates node ports that a Service does not set."""
    wanted = spec.get("allocateLoadBalancerNodePorts") is not False
    return takes_node_ports(spec) and (wanted or spec.get("type") == "NodePort")


def needs_health_check(spec: JsonObject) -> bool:
    """Return whether a Service has a health check port for its nodes."""
    return spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"


def has_cluster_ip(spec: JsonObject) -> bool:
    """Return whether a Service has a cluster IP, which may be ``None``; only an external name has none."""
    return spec.get("type") != "ExternalName"
