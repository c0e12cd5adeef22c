"""Validation of Services: ports, addresses, and the fields of each type.

Mirrors ``validateService`` and ``ValidateServiceUpdate``. Addresses and node ports that only the server knows are
assumed to be valid.
"""

import json
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, items
from kubectl_applylint.server.kinds.service.validate_addresses import allocation, immutable_addresses, is_headless
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import (
    address_faults,
    addresses,
    block_faults,
    is_strict,
    special_address_faults,
)
from kubectl_applylint.server.validate.pods.probes import port_number_or_name

TYPES: Final = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
_POLICIES: Final = ("Cluster", "Local")
_LONGEST_AFFINITY: Final = 86400
_STRICT_NAMES_UNTIL: Final = 35
"""The last minor in which the name of a Service has to begin with a letter."""
_KUBELET_PORT: Final = 10250
_NEAR_SINCE: Final = 34
_SOURCE_RANGES: Final = "service.beta.kubernetes.io/load-balancer-source-ranges"
_TOPOLOGY_MODE: Final = "service.kubernetes.io/topology-mode"
_TOPOLOGY_HINTS: Final = "service.kubernetes.io/topology-aware-hints"
_ONLY_FOR_BALANCERS: Final = "may only be used when `type` is 'LoadBalancer'"


def _is_balancer(spec: v.FieldContext) -> bool:
    return spec.text("type") == "LoadBalancer"


@v.always
def _ports_needed(fld: v.FieldContext) -> v.FieldErrors:
    """Require ports, unless the Service is headless or an external name."""
    spec = fld.nearest(".spec")
    needless = is_headless(spec) or spec.text("type") == "ExternalName"
    return (fld.required(),) if fld.empty and not needless else ()


def _fits_type(fld: v.FieldContext) -> v.FieldErrors:
    """Reject fields that the type of the Service does not allow; ``fld`` is the spec."""
    kind = fld.text("type")
    if kind in ("LoadBalancer", "NodePort") and is_headless(fld):
        words = f"may not be set to 'None' for {kind} services"
        yield fld.at("clusterIPs").with_step(".clusterIPs[0]").invalid(words, "None")
    if kind == "ExternalName":
        yield from _fits_external_name(fld)
    for name in ("allocateLoadBalancerNodePorts", "loadBalancerClass"):
        if fld.sets(name) and not _is_balancer(fld):
            yield fld.child(name).forbidden(_ONLY_FOR_BALANCERS)
    for port in fld.child("ports").items() if kind == "ClusterIP" else ():
        if v.is_known(port.get("nodePort")) and port.number("nodePort"):
            yield port.child("nodePort").forbidden("may not be used when `type` is 'ClusterIP'")


def _kubelet_port(fld: v.FieldContext) -> v.FieldErrors:
    """Up to 1.32, reject the port of the kubelet in a load balancer."""
    taken = fld.number("port") == _KUBELET_PORT and _is_balancer(fld.nearest(".spec"))
    words = f"may not expose port {_KUBELET_PORT} externally since it is used by kubelet"
    return (fld.invalid(words, fld.number("port")),) if taken else ()


def _fits_external_name(fld: v.FieldContext) -> v.FieldErrors:
    for name in ("clusterIPs", "ipFamilies", "ipFamilyPolicy"):
        if fld.has(name):
            yield fld.child(name).forbidden("may not be set for ExternalName services")
    name = fld.text("externalName").removesuffix(".")
    place = fld.child("externalName")
    yield from (place.invalid(fault, name) for fault in v.dns_subdomain(name)) if name else (place.required(),)


def _distinct_ports(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the ports of a Service differ in name, number and node port."""
    names: set[str] = set()
    node_ports: set[tuple[str, Json]] = set()
    numbers: set[tuple[str, int]] = set()
    several = fld.size() > 1
    for port in fld.items():
        name, protocol = port.child("name"), port.text("protocol")
        if several and not name.text():
            yield name.required()
        elif name.text() in names:
            yield name.duplicate()
        node_port = _node_port(port)
        if (protocol, node_port) in node_ports:
            yield port.child("nodePort").duplicate()
        if (protocol, port.number("port")) in numbers:
            yield _duplicate_port(port)
        names.update(filter(None, [name.text()]))
        node_ports.update([(protocol, node_port)] if node_port else [])
        numbers.add((protocol, port.number("port")))


def _duplicate_port(port: v.FieldContext) -> FieldError:
    """Return the server's error, which prints its internal type with only the fields that have to differ."""
    protocol, number = json.dumps(port.text("protocol")), port.number("port")
    shown = f'"Name":"","Protocol":{protocol},"AppProtocol":null,"Port":{number},"TargetPort":0,"NodePort":0'
    return replace(port.duplicate(), message=f"Duplicate value: {{{shown}}}")


def _node_port(port: v.FieldContext) -> Json:
    """Return the node port; an unknown port that the server allocates is one per port number, not per element."""
    return port.number("nodePort") if v.is_known(port.get("nodePort")) else f"for {port.number('port')}"


_PORT: Final[v.Table] = {
    "": [v.until(32, _kubelet_port)],
    "name": [v.well_formed(v.dns_label)],
    "port": [v.or_zero(v.between(1, 65535))],
    "protocol": [v.required_and_one_of("SCTP", "TCP", "UDP")],
    "targetPort": [port_number_or_name],
    "appProtocol": [v.well_formed(v.qualified_name, even_empty=True)],
}


def _has_session_affinity(fld: v.FieldContext) -> bool:
    return fld.nearest(".spec").text("sessionAffinity") == "ClientIP"


def _external_addresses(fld: v.FieldContext) -> v.FieldErrors:
    """Reject special addresses as external ones; stored ones may keep their spelling."""
    kept = items(fld.old)
    for item in fld.items():
        faults = [] if item.value in kept else address_faults(item.text(), strict=is_strict(item))
        yield from (item.invalid(fault) for fault in faults or special_address_faults(item.text()))


def _source_ranges(fld: v.FieldContext) -> v.FieldErrors:
    """Validate source ranges, in the field or the deprecated annotation; only load balancers may have them."""
    spec, ranges = fld.child("spec"), fld.at("spec", "loadBalancerSourceRanges").with_step(".LoadBalancerSourceRanges")
    annotation = fld.at("metadata", "annotations").entry(_SOURCE_RANGES)
    place = annotation if ranges.empty else ranges
    if place.there and not _is_balancer(spec):
        yield place.forbidden(_ONLY_FOR_BALANCERS)
    if not ranges.empty:
        yield from addresses(blocks=True)(ranges)
    elif annotation.text().strip() and not annotation.unchanged:
        blocks = [block.strip() for block in annotation.text().strip().split(",")]
        faults = (fault for block in blocks for fault in block_faults(block, strict=is_strict(fld)))
        yield from (annotation.invalid(fault) for fault in faults)


def _same_topology(fld: v.FieldContext) -> v.FieldErrors:
    annotations = fld.at("metadata", "annotations")
    mode, hints = annotations.entry(_TOPOLOGY_MODE), annotations.entry(_TOPOLOGY_HINTS)
    if not mode.there or not hints.there or mode.value == hints.value:
        return ()
    return (mode.invalid(f"must match annotations[{_TOPOLOGY_HINTS}] when both are specified"),)


def _is_reached_from_outside(spec: v.FieldContext) -> bool:
    return spec.text("type") in ("LoadBalancer", "NodePort") or (
        spec.text("type") == "ClusterIP" and spec.has("externalIPs")
    )


def _needs_health_check(spec: v.FieldContext) -> bool:
    return _is_balancer(spec) and spec.text("externalTrafficPolicy") == "Local"


def _external_traffic_policy(fld: v.FieldContext) -> v.FieldErrors:
    """Allow ``externalTrafficPolicy`` only for Services with external traffic; ``fld`` is the spec."""
    policy = fld.child("externalTrafficPolicy")
    if not _is_reached_from_outside(fld):
        words = "may only be set for externally-accessible services"
        yield from (policy.invalid(words),) if policy.text() else ()
    else:
        yield from v.one_of(*_POLICIES)(policy)
    yield from _health_check(fld)


def _health_check(fld: v.FieldContext) -> v.FieldErrors:
    """Validate the health check port, which only some load balancers may have."""
    port, old = fld.child("healthCheckNodePort"), fld.before()
    if not v.is_known(port.value):
        return
    if not _needs_health_check(fld):
        words = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
        yield from (port.invalid(words),) if port.number() else ()
        return
    # Without a value the server has allocated one before it validates.
    yield from (port.invalid(fault) for fault in (v.port_number(port.number()) if port.number() else ()))
    if not fld.creating and _needs_health_check(old) and port.number() != old.number("healthCheckNodePort"):
        yield port.forbidden("field is immutable")


@v.always
def _internal_traffic_policy(fld: v.FieldContext) -> v.FieldErrors:
    kind = fld.nearest(".spec").text("type")
    if not fld.there:
        return (fld.required(),) if kind in ("NodePort", "LoadBalancer", "ClusterIP") else ()
    return v.one_of(*_POLICIES)(fld)


@v.always
def _load_balancer_class(fld: v.FieldContext) -> v.FieldErrors:
    """Reject an invalid or changed load balancer class."""
    spec = fld.nearest(".spec")
    if not fld.creating and _is_balancer(spec) and _is_balancer(spec.before()) and fld.value != fld.before().value:
        yield fld.invalid("may not change once set")
    if fld.there and _is_balancer(spec):
        yield from (fld.invalid(fault) for fault in v.qualified_name(fld.text()))


_SERVICE: Final[v.Table] = {
    "": [_source_ranges, _same_topology],
    "metadata.name": [v.until(_STRICT_NAMES_UNTIL, v.on_create(v.well_formed(v.dns_1035_label, even_empty=True)))],
    "spec": [v.struct, _fits_type, _external_traffic_policy, immutable_addresses],
    "spec.ports": [_ports_needed, _distinct_ports],
    "spec.ports[*]": _PORT,
    "spec.selector": [v.well_formed_labels],
    "spec.sessionAffinity": [v.required_and_one_of("ClientIP", "None")],
    "spec.sessionAffinityConfig.clientIP.timeoutSeconds": [
        v.when(
            _has_session_affinity,
            v.between(1, _LONGEST_AFFINITY, f"must be greater than 0 and less than {_LONGEST_AFFINITY}"),
        )
    ],
    "spec.externalIPs": [_external_addresses],
    "spec.type": [v.required_and_one_of(*TYPES)],
    "spec.internalTrafficPolicy": [_internal_traffic_policy],
    "spec.trafficDistribution": [
        v.until(_NEAR_SINCE - 1, v.one_of("PreferClose")),
        v.since(_NEAR_SINCE, v.one_of("PreferClose", "PreferSameZone", "PreferSameNode")),
    ],
    "spec.loadBalancerClass": [_load_balancer_class],
}

KINDS: Final[v.Group] = {("", "Service"): v.Rules(_SERVICE, name=v.dns_label, first={"spec": [v.struct, allocation]})}
"""The rules of Services."""
