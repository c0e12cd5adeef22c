"""Addresses and ports that a server allocates for a Service.

Each becomes ``Unknown`` with the reason; predictable values are set (a headless Service gets no address). Mirrors
pkg/registry/core/service/storage/alloc.go, for a cluster with one IP family, IPv4.
"""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.kinds.service import types

CLUSTER_IP: Final = Unknown("a free address of the cluster's range for Services", (types.HEADLESS,))
NODE_PORT: Final = Unknown("a free port of the cluster's range for node ports")
_SINGLE: Final = "SingleStack"
_BOTH: Final = "RequireDualStack"
_PREFER: Final = "PreferDualStack"


def allocate(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """Return a Service with ``Unknown`` for addresses and ports that the server allocates."""
    spec, before = mapping(new.get("spec")), mapping(old.get("spec")) if old is not None else None
    return {**new, "spec": _with_ports(_with_ips(spec, before), before)}


def _with_ips(spec: JsonObject, old: JsonObject | None) -> JsonObject:
    """Return the spec with its IP families and an address for each."""
    if not types.has_cluster_ip(spec) or (old is not None and _keeps_preferring(spec, old)):
        return spec
    policy = spec.get("ipFamilyPolicy") or _policy(spec, old)
    given = spec.get("clusterIPs") or []
    families = _families(spec, policy, given)
    if policy == _SINGLE and old is not None:
        given, families = _first_if_same(given, old, "clusterIPs"), _first_if_same(families, old, "ipFamilies")
    chosen = {**spec, "ipFamilyPolicy": policy, "ipFamilies": families}
    if given[:1] == [types.HEADLESS] or _had_no_ip(old):
        return {**chosen, "clusterIPs": given} if given else chosen
    addresses = [*given, *[CLUSTER_IP] * (len(families) - len(given))]
    return {**chosen, "clusterIP": addresses[0], "clusterIPs": addresses}


def _keeps_preferring(spec: JsonObject, old: JsonObject) -> bool:
    """Return whether a Service has ``PreferDualStack`` and the same type, cluster IPs and families as before."""
    same = all(spec.get(field) == old.get(field) for field in ("type", "clusterIPs", "ipFamilies"))
    return same and spec.get("ipFamilyPolicy") == _PREFER and old.get("ipFamilyPolicy") == _PREFER


def _policy(spec: JsonObject, old: JsonObject | None) -> Json:
    if old is not None and old.get("ipFamilyPolicy"):
        return old["ipFamilyPolicy"]
    return _BOTH if _takes_any_endpoint(spec) else _SINGLE


def _takes_any_endpoint(spec: JsonObject) -> bool:
    """Return whether a headless Service has no selector, so that it may have both families."""
    return spec.get("clusterIP") == types.HEADLESS and not spec.get("selector")


def _families(spec: JsonObject, policy: Json, given: Sequence[Json]) -> list[Json]:
    families: list[Json] = list(spec.get("ipFamilies") or [])
    if given[:1] != [types.HEADLESS]:
        families += [_family(address) for address in given[len(families) :]]
    families = families or ["IPv4"]
    if len(families) == 1 and policy != _SINGLE and _takes_any_endpoint(spec):
        families.append("IPv6" if families == ["IPv4"] else "IPv4")
    return families


def _family(address: Json) -> str:
    return "IPv6" if ":" in str(address) else "IPv4"


def _first_if_same(values: list[Json], old: JsonObject, field: str) -> list[Json]:
    """Return only the first value of an unchanged list, for a Service that becomes single-stack."""
    return values[:1] if values == old.get(field) else values


def _had_no_ip(old: JsonObject | None) -> bool:
    return old is not None and (old.get("clusterIPs") or [])[:1] == [types.HEADLESS]


def _with_ports(spec: JsonObject, old: JsonObject | None) -> JsonObject:
    """Return the spec with node ports and the port of the health check."""
    result = spec
    if types.needs_health_check(spec) and not spec.get("healthCheckNodePort") and not _had_health_check(old):
        result = {**result, "healthCheckNodePort": NODE_PORT}
    ports = spec.get("ports") or []
    if not types.gets_node_ports(spec) or all(port.get("nodePort") for port in ports):
        return result
    shared = _by_port(ports) if old is None else {}
    return {**result, "ports": [_with_node_port(port, shared) for port in ports]}


def _had_health_check(old: JsonObject | None) -> bool:
    return old is not None and types.needs_health_check(old)


def _by_port(ports: Sequence[JsonObject]) -> JsonObject:
    """Return the requested node ports; at creation, ports of one number share theirs."""
    return {str(port.get("port")): port["nodePort"] for port in reversed(ports) if port.get("nodePort")}


def _with_node_port(port: JsonObject, shared: JsonObject) -> JsonObject:
    return port if port.get("nodePort") else {**port, "nodePort": shared.get(str(port.get("port")), NODE_PORT)}
