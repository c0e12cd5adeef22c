"""What a Service has by its type: addresses, node ports, a health check, traffic from outside."""

from typing import Final

from kubectl_applylint.core.values import JsonObject

HEADLESS: Final = "None"
"""The cluster IP of a Service that has none."""


def is_reachable_from_outside(spec: JsonObject) -> bool:
    """Tell whether a Service takes traffic from outside the cluster, by its type or by external addresses."""
    service_type = spec.get("type")
    return service_type in ("NodePort", "LoadBalancer") or (
        service_type == "ClusterIP" and bool(spec.get("externalIPs"))
    )


def takes_node_ports(spec: JsonObject) -> bool:
    """Tell whether a Service's type has node ports at all."""
    return spec.get("type") in ("NodePort", "LoadBalancer")


def gets_node_ports(spec: JsonObject) -> bool:
    """Tell whether a server allocates the node ports that a Service does not name."""
    wanted = spec.get("allocateLoadBalancerNodePorts") is not False
    return takes_node_ports(spec) and (wanted or spec.get("type") == "NodePort")


def needs_health_check(spec: JsonObject) -> bool:
    """Tell whether a Service has a port at which nodes say whether they take its traffic."""
    return spec.get("type") == "LoadBalancer" and spec.get("externalTrafficPolicy") == "Local"


def has_cluster_ip(spec: JsonObject) -> bool:
    """Tell whether a Service has an address or says that it has none; only an external name does neither."""
    return spec.get("type") != "ExternalName"
