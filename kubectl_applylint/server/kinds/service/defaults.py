"""Defaults of Services; mirrors pkg/apis/core/v1/defaults.go."""

from typing import Final

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, mapping
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.kinds.service.types import is_reachable_from_outside

_THREE_HOURS: Final = 10800


def _session_affinity(spec: JsonObject) -> dict[str, Json | Missing]:
    """Default affinity by client address to three hours; drop the configuration without affinity."""
    config = spec.get("sessionAffinityConfig")
    match spec.get("sessionAffinity"):
        case "None" if "sessionAffinityConfig" in spec:
            return {"sessionAffinityConfig": MISSING}
        case "ClientIP" if dig(config, "clientIP", "timeoutSeconds") in (MISSING, None):
            return {"sessionAffinityConfig": {"clientIP": {"timeoutSeconds": _THREE_HOURS}}}
        case _:
            return {}


def _external_traffic(spec: JsonObject) -> JsonObject:
    """Default ``externalTrafficPolicy`` to ``Cluster``, if the Service takes external traffic."""
    if spec.get("externalTrafficPolicy") or not is_reachable_from_outside(spec):
        return {}
    return {"externalTrafficPolicy": "Cluster"}


def _internal_traffic(spec: JsonObject) -> JsonObject:
    """Default ``internalTrafficPolicy`` to ``Cluster``, except for an external name."""
    if spec.get("internalTrafficPolicy") is not None or spec.get("type") == "ExternalName":
        return {}
    return {"internalTrafficPolicy": "Cluster"}


def _node_ports(spec: JsonObject) -> JsonObject:
    """Default to allocating node ports for a load balancer."""
    if spec.get("type") != "LoadBalancer" or spec.get("allocateLoadBalancerNodePorts") is not None:
        return {}
    return {"allocateLoadBalancerNodePorts": True}


def _target_port(port: JsonObject) -> JsonObject:
    """Default ``targetPort`` to the port."""
    return {} if port.get("targetPort") else {"targetPort": port.get("port") or 0}


def _address_mode(service: JsonObject) -> JsonObject:
    """Default the mode of load balancer addresses to ``VIP``."""
    status = mapping(service.get("status"))
    addresses = mapping(status.get("loadBalancer")).get("ingress") or []
    lacking = [address for address in addresses if address.get("ip") and address.get("ipMode") is None]
    if dig(service, "spec", "type") != "LoadBalancer" or not lacking:
        return {}
    ingress = [{**address, "ipMode": "VIP"} if address in lacking else address for address in addresses]
    return {"status": {**status, "loadBalancer": {**status["loadBalancer"], "ingress": ingress}}}


DEFAULTS: Final = Defaults(
    package="io.k8s.api.core",
    constant={"Service.spec": {"sessionAffinity": "None", "type": "ClusterIP"}, "ServicePort": {"protocol": "TCP"}},
    derived={
        "Service.spec": (
            Derived(("sessionAffinityConfig",), ("sessionAffinity",), _session_affinity),
            Derived(("externalTrafficPolicy",), ("type", "externalIPs"), _external_traffic),
            Derived(("internalTrafficPolicy",), ("type",), _internal_traffic),
            Derived(("allocateLoadBalancerNodePorts",), ("type",), _node_ports),
        ),
        "ServicePort": (Derived(("targetPort",), ("port",), _target_port),),
        "Service": (Derived(("status.loadBalancer.ingress.ipMode",), ("spec.type",), _address_mode),),
    },
)
