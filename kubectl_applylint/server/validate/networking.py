"""Ingress, IngressClass and NetworkPolicy.

Mirrors ``pkg/apis/networking/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import Refusal
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.validate.addresses import block_faults, is_strict, parse_address
from kubectl_applylint.server.validate.blocks import Block, parse_block
from kubectl_applylint.server.validate.conditions import beside, had_bad_values, where
from kubectl_applylint.server.validate.constraints import (
    between,
    forbidden,
    no_longer_than,
    on_create,
    one_of,
    required,
    set_at_all,
    unchangeable,
    unless,
    well_formed,
    when,
)
from kubectl_applylint.server.validate.formats import (
    dns_1035_label,
    dns_label,
    dns_subdomain,
    domain_prefixed_path,
    path_segment,
    port_name,
)
from kubectl_applylint.server.validate.names import wildcard_subdomain
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import selector_table
from kubectl_applylint.server.validate.spots import Spot, Table, always, struct
from kubectl_applylint.server.validate.walk import inside

_CLASS_ANNOTATION: Final = "kubernetes.io/ingress.class"
_CONTROLLER_LIMIT: Final = 250
_PATH_TYPES: Final = ("Exact", "ImplementationSpecific", "Prefix")
_NOT_IN_PATHS: Final = ("//", "/./", "/../", "%2f", "%2F")
_NOT_AT_THE_END: Final = ("/..", "/.")
_RELAXED_SERVICE_NAMES: Final = 36
"""The first minor in which the names of Services may begin with a digit."""
_POLICY_TYPES: Final = ("Ingress", "Egress")
_port_number: Final = between(1, 65535)


@always
def _some_backend(spot: Spot) -> Iterable[Refusal]:
    """An Ingress sends what comes in somewhere."""
    if spot.has("rules") or spot.sets("defaultBackend"):
        return ()
    return (spot.invalid("either `defaultBackend` or `rules` must be specified", None),)


def _tls_host(spot: Spot) -> Iterable[Refusal]:
    """The host is a name, be it one for all names of a domain (``*.example.com``)."""
    form = wildcard_subdomain if "*" in spot.text() else dns_subdomain
    return [spot.invalid(fault) for fault in form(spot.text())]


def _host(spot: Spot) -> Iterator[Refusal]:
    if spot.empty:
        return
    if parse_address(spot.text()) is not None:
        yield spot.invalid("must be a DNS name, not an IP address")
    yield from _tls_host(spot)


def _path(spot: Spot) -> Iterator[Refusal]:
    """What the path of a rule may be depends on its type."""
    kind, text, path = spot.text("pathType"), spot.text("path"), spot.child("path")
    if kind not in _PATH_TYPES:
        yield spot.child("pathType").unsupported(_PATH_TYPES)
    elif (text or kind != "ImplementationSpecific") and not text.startswith("/"):
        yield path.invalid("must be an absolute path", text)
    if kind in ("Exact", "Prefix"):
        yield from (path.invalid(f"must not contain '{part}'") for part in _NOT_IN_PATHS if part in text)
        yield from (path.invalid(f"cannot end with '{part}'") for part in _NOT_AT_THE_END if text.endswith(part))


def _backend(spot: Spot) -> Iterable[Refusal]:
    """A backend is a port of a Service, or some other object."""
    match spot.sets("resource"), spot.sets("service"):
        case True, True:
            return (spot.invalid("cannot set both resource and service backends", ""),)
        case True, False:
            return _RESOURCE_BACKEND(spot.child("resource"))
        case False, True:
            return [*_SERVICE_BACKEND(spot.child("service")), *_service_port(spot)]
        case _:
            return (spot.invalid("resource or service backend is required", ""),)


def _service_port(spot: Spot) -> Iterable[Refusal]:
    """The port of a backend's Service has a name or a number; what lacks is said of the backend."""
    name, number = spot.text("service", "port", "name"), spot.number("service", "port", "number")
    port = spot.at("service", "port")
    if name and number:
        return (spot.invalid("cannot set both port name & port number", ""),)
    if name:
        return [port.child("name").invalid(fault) for fault in port_name(name)]
    return _port_number(port.child("number")) if number else (spot.required("port name or number is required"),)


def _relaxed_service_names(spot: Spot) -> bool:
    """Return whether Services may have names that begin with a digit, because the stored Ingress has such a one."""
    if spot.occasion.minor >= _RELAXED_SERVICE_NAMES:
        return True
    stored = spot.root.before().child("spec")
    return any(dns_1035_label(name) and not dns_label(name) for name in _service_names(stored))


def _service_names(spec: Spot) -> Iterator[str]:
    yield spec.text("defaultBackend", "service", "name")
    for rule in spec.child("rules").items():
        yield from (path.text("backend", "service", "name") for path in rule.at("http", "paths").items())


_REFERENCE: Final[Table] = {
    "apiGroup": [well_formed(dns_subdomain, even_empty=True)],
    "kind": [required(), well_formed(path_segment)],
    "name": [required(), well_formed(path_segment)],
}
_RESOURCE_BACKEND: Final = inside(_REFERENCE)
_SERVICE_BACKEND: Final = inside(
    {
        "name": [
            required(),
            when(_relaxed_service_names, well_formed(dns_label)),
            unless(_relaxed_service_names, well_formed(dns_1035_label)),
        ]
    }
)
_HTTP: Final = inside(
    {
        "paths": [required()],
        "paths[*].pathType": [set_at_all("pathType must be specified")],
        "paths[*]": [where(lambda path: path.sets("pathType"), {"": [_path], "backend": [struct, _backend]})],
    }
)


def _rule(spot: Spot) -> Iterable[Refusal]:
    http = spot.child("http")
    return () if not http.there or (_is_wildcard(spot) and _may_stay_wrong(spot)) else _HTTP(http)


def _is_wildcard(rule: Spot) -> bool:
    return "*" in rule.text("host")


def _may_stay_wrong(spot: Spot) -> bool:
    """Return whether rules for all names of a domain are not looked at: the stored Ingress has a bad one."""
    stored = spot.root.before().at("spec", "rules").items()
    return any(_is_wildcard(rule) and rule.sets("http") and any(_HTTP(rule.child("http"))) for rule in stored)


def _had_bad_secret_name(spot: Spot) -> bool:
    stored = spot.root.before().at("spec", "tls").items()
    return any(tls.text("secretName") and dns_subdomain(tls.text("secretName")) for tls in stored)


def _one_class(spot: Spot) -> Iterable[Refusal]:
    """The class that is given by annotation, as it used to be, is that of the field; the path lacks ``metadata``."""
    annotation, name = spot.get("metadata", "annotations", _CLASS_ANNOTATION), spot.get("spec", "ingressClassName")
    if not isinstance(annotation, str) or not isinstance(name, str) or annotation == name:
        return ()
    words = "must match `ingressClassName` when both are specified"
    return (spot.at("annotations", _CLASS_ANNOTATION).invalid(words, annotation),)


_INGRESS: Final[Table] = {
    "": [on_create(_one_class)],
    "spec": [struct, _some_backend],
    "spec.defaultBackend": [_backend],
    "spec.rules[*]": [_rule],
    "spec.rules[*].host": [_host],
    "spec.tls[*].hosts[*]": [_tls_host],
    "spec.tls[*].secretName": [unless(_had_bad_secret_name, well_formed(dns_subdomain))],
    "spec.ingressClassName": [well_formed(dns_subdomain, even_empty=True)],
}

_INGRESS_CLASS: Final[Table] = {
    "spec": [struct],
    "spec.controller": [
        required(),
        no_longer_than(_CONTROLLER_LIMIT),
        well_formed(domain_prefixed_path),
        unchangeable,
    ],
    "spec.parameters": {
        **_REFERENCE,
        "scope": [set_at_all(), one_of("Cluster", "Namespace")],
        "namespace": [
            when(
                beside("scope", "Namespace"),
                set_at_all("`parameters.scope` is set to 'Namespace'"),
                well_formed(dns_label, even_empty=True),
            ),
            when(beside("scope", "Cluster"), forbidden("`parameters.scope` is set to 'Cluster'")),
        ],
    },
}


def _policy_port(spot: Spot) -> Iterable[Refusal]:
    """The port is a number or a name."""
    if isinstance(spot.value, str):
        return [spot.invalid(fault) for fault in port_name(spot.value)]
    return _port_number(spot)


def _end_port(spot: Spot) -> Iterator[Refusal]:
    """The last port of a range follows the first one, which is a number."""
    match spot.up.get("port") if spot.up else MISSING:
        case int(first):
            if spot.number() < first:
                yield spot.invalid("must be greater than or equal to `port`", first)
            yield from _port_number(spot)
        case str():
            yield spot.invalid("may not be specified when `port` is non-numeric")
        case _:
            yield spot.invalid("may not be specified when `port` is not specified")


def _peer(spot: Spot) -> Iterable[Refusal]:
    """What is let through is named: pods, namespaces, both, or addresses."""
    named = [name for name in ("podSelector", "namespaceSelector", "ipBlock") if spot.sets(name)]
    if not named:
        return (spot.required("must specify a peer"),)
    mixed = len(named) > 1 and "ipBlock" in named
    return (spot.forbidden("may not specify both ipBlock and another peer"),) if mixed else ()


def _stored_blocks(spot: Spot) -> Iterator[str]:
    """Yield the blocks of the stored policy, which may stay whatever they look like."""
    spec = spot.root.before().child("spec")
    for rules, peers in (("ingress", "from"), ("egress", "to")):
        for peer in (peer for rule in spec.child(rules).items() for peer in rule.child(peers).items()):
            block = peer.child("ipBlock")
            yield from (part.text() for part in (block.child("cidr"), *block.child("except").items()) if block.there)


def _block(spot: Spot) -> Iterable[Refusal]:
    if spot.text() in _stored_blocks(spot):
        return ()
    return [spot.invalid(fault) for fault in block_faults(spot.text(), strict=is_strict(spot))]


def _outer_block(spot: Spot) -> Iterable[Refusal]:
    return () if spot.empty else _block(spot)


def _exceptions(spot: Spot) -> Iterator[Refusal]:
    """What is left out of a block of addresses are smaller blocks of it; ``spot`` is the block."""
    outer = parse_block(spot.text("cidr"))
    for item in spot.child("except").items() if outer is not None else ():
        inner = parse_block(item.text())
        yield from _block(item)
        if inner is not None and not _is_part(inner, outer):
            yield item.invalid("must be a strict subset of `cidr`")


def _is_part(inner: Block, outer: Block | None) -> bool:
    """Return whether a block is a smaller one inside another."""
    if outer is None or inner.version != outer.version:
        return False
    return inner.network_address in outer and inner.prefixlen > outer.prefixlen


def _at_most_two(spot: Spot) -> Iterable[Refusal]:
    if spot.size() > len(_POLICY_TYPES):
        return (spot.invalid("may not specify more than two policyTypes"),)
    return [item.unsupported(_POLICY_TYPES) for item in spot.items() if item.value not in _POLICY_TYPES]


_SELECTOR: Final = selector_table(tolerant=had_bad_values("spec", "podSelector"))
_PORT: Final[Table] = {"protocol": [one_of("TCP", "UDP", "SCTP")], "port": [_policy_port], "endPort": [_end_port]}
_PEER: Final[Table] = {
    "": [_peer],
    "podSelector": _SELECTOR,
    "namespaceSelector": _SELECTOR,
    "ipBlock": [_exceptions],
    "ipBlock.cidr": [required(), _outer_block],
}
_NETWORK_POLICY: Final[Table] = {
    "spec.podSelector": _SELECTOR,
    "spec.ingress[*].ports[*]": _PORT,
    "spec.ingress[*].from[*]": _PEER,
    "spec.egress[*].ports[*]": _PORT,
    "spec.egress[*].to[*]": _PEER,
    "spec.policyTypes": [_at_most_two],
}

KINDS: Final[Group] = {
    ("networking.k8s.io", "Ingress"): Rules(_INGRESS),
    ("networking.k8s.io", "IngressClass"): Rules(_INGRESS_CLASS),
    ("networking.k8s.io", "NetworkPolicy"): Rules(_NETWORK_POLICY),
}
