"""Allocated values of a Service that an update keeps, and fields that a change of its type drops.

Mirrors ``patchAllocatedValues`` and ``normalizeClusterIPs`` of pkg/registry/core/service/storage and
``dropTypeDependentFields`` of its strategy: an allocated value is kept if the manifest has none, and dropped if the new
type does not use it, unless the manifest changes it.
"""

from collections.abc import Callable, Mapping
from typing import Final

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping
from kubectl_applylint.server.kinds.service.types import (
    gets_node_ports,
    has_cluster_ip,
    is_reachable_from_outside,
    needs_health_check,
    takes_node_ports,
)
from kubectl_applylint.server.manifests import with_fields

_CLUSTER_FIELDS: Final = ("clusterIP", "clusterIPs")


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a Service after its strategy."""
    spec = mapping(new.get("spec"))
    if old is None:
        return {**new, "spec": create(spec)}
    updated = {**new, "spec": update(spec, mapping(old.get("spec")))}
    status = mapping(updated.get("status"))
    if "loadBalancer" not in status or updated["spec"].get("type") == "LoadBalancer":
        return updated
    return {**updated, "status": {**status, "loadBalancer": {}}}


def create(spec: JsonObject) -> JsonObject:
    """Return the spec of a new Service with both ``clusterIP`` and ``clusterIPs``."""
    first = spec.get("clusterIP")
    return {**spec, "clusterIPs": [first]} if first and not spec.get("clusterIPs") else spec


def update(new: JsonObject, old: JsonObject) -> JsonObject:
    """Return the new spec of a Service with allocated values, and without fields that its type does not use."""
    return _without_unused(_with_matching_ips(_with_allocated(new, old), old), old)


def as_read(stored: JsonObject) -> JsonObject:
    """Return a stored Service as clients read it.

    Servers validate and store the internal traffic policy, but hide it for an external name.
    """
    spec = mapping(stored.get("spec"))
    return {**stored, "spec": spec if has_cluster_ip(spec) else with_fields(spec, {"internalTrafficPolicy": MISSING})}


def _with_allocated(new: JsonObject, old: JsonObject) -> JsonObject:
    kept: dict[str, Json] = {}
    if has_cluster_ip(old) and has_cluster_ip(new):
        kept = {field: old[field] for field in _CLUSTER_FIELDS if old.get(field) and not new.get(field)}
    if needs_health_check(old) and needs_health_check(new) and not new.get("healthCheckNodePort"):
        kept |= {field: old[field] for field in ("healthCheckNodePort",) if field in old}
    if gets_node_ports(old) and gets_node_ports(new):
        kept |= {"ports": _with_node_ports(new.get("ports") or [], old.get("ports") or [])} if new.get("ports") else {}
    return {**new, **kept}


def _with_node_ports(new: list[JsonObject], old: list[JsonObject]) -> list[JsonObject]:
    """Return the new ports with the node ports of the old ones of the same name, unless those are used already."""
    by_name = {port.get("name", ""): port.get("nodePort") for port in old}
    used = [port["nodePort"] for port in new if port.get("nodePort")]

    def with_node_port(port: JsonObject) -> JsonObject:
        known = by_name.get(port.get("name", ""))
        return port if port.get("nodePort") or not known or known in used else {**port, "nodePort": known}

    return [with_node_port(port) for port in new]


def _with_matching_ips(new: JsonObject, old: JsonObject) -> JsonObject:
    """Return the new spec with ``clusterIPs`` adapted to ``clusterIP``, if only the latter changed."""
    before, after = old.get("clusterIP"), new.get("clusterIP")
    if before == after or new.get("clusterIPs") != old.get("clusterIPs"):
        return new
    return with_fields(new, {"clusterIPs": [after] if after else MISSING})


def _without_unused(new: JsonObject, old: JsonObject) -> JsonObject:
    """Return the new spec without unchanged fields that its new type does not use."""
    changes: dict[str, Json | Missing] = {}
    if has_cluster_ip(old) and not has_cluster_ip(new):
        if all(new.get(field) == old.get(field) for field in _CLUSTER_FIELDS):
            changes |= dict.fromkeys(_CLUSTER_FIELDS, MISSING)
        changes |= {f: MISSING for f in ("ipFamilies", "ipFamilyPolicy") if new.get(f) == old.get(f)}
    if takes_node_ports(old) and not takes_node_ports(new) and _node_ports(new) <= _node_ports(old):
        changes["ports"] = [with_fields(port, {"nodePort": MISSING}) for port in new.get("ports") or []] or MISSING
    for field, applies in _TYPE_FIELDS.items():
        if applies(old) and not applies(new) and new.get(field) == old.get(field):
            changes[field] = MISSING
    return with_fields(new, changes) if changes else new


def _node_ports(spec: JsonObject) -> set[Json]:
    return {port["nodePort"] for port in spec.get("ports") or [] if port.get("nodePort")}


def _is_load_balancer(spec: JsonObject) -> bool:
    return spec.get("type") == "LoadBalancer"


_TYPE_FIELDS: Final[Mapping[str, Callable[[JsonObject], bool]]] = {
    "healthCheckNodePort": needs_health_check,
    "allocateLoadBalancerNodePorts": _is_load_balancer,
    "loadBalancerClass": _is_load_balancer,
    "externalTrafficPolicy": is_reachable_from_outside,
}
"""Fields that are dropped with the type that uses them, unless they are changed at the same time."""
