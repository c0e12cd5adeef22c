"""Ingress, IngressClass and NetworkPolicy.

Mirrors ``pkg/apis/networking/validation``.
"""

from collections.abc import Container, Iterator
from functools import partial
from typing import Final

from kubectl_applylint.core.values import MISSING
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import block_faults, is_strict, parse_address
from kubectl_applylint.server.validate.blocks import Block, parse_block

_CLASS_ANNOTATION: Final = "kubernetes.io/ingress.class"
_CONTROLLER_LIMIT: Final = 250
_PATH_TYPES: Final = ("Exact", "ImplementationSpecific", "Prefix")
_NOT_IN_PATHS: Final = ("//", "/./", "/../", "%2f", "%2F")
_NOT_AT_THE_END: Final = ("/..", "/.")
_RELAXED_SERVICE_NAMES: Final = 36
"""The first minor in which the names of Services may begin with a digit."""
_POLICY_TYPES: Final = ("Ingress", "Egress")
_port_number: Final = v.between(1, 65535)


@v.always
def _some_backend(fld: v.FieldContext) -> v.FieldErrors:
    """Require a default backend or rules in an Ingress."""
    if fld.has("rules") or fld.sets("defaultBackend"):
        return ()
    return (fld.invalid("either `defaultBackend` or `rules` must be specified", None),)


def _tls_host(fld: v.FieldContext) -> v.FieldErrors:
    """Require a host name, which may be a wildcard (``*.example.com``)."""
    form = v.wildcard_subdomain if "*" in fld.text() else v.dns_subdomain
    return [fld.invalid(fault) for fault in form(fld.text())]


def _host(fld: v.FieldContext) -> v.FieldErrors:
    if fld.empty:
        return
    if parse_address(fld.text()) is not None:
        yield fld.invalid("must be a DNS name, not an IP address")
    yield from _tls_host(fld)


def _path(fld: v.FieldContext) -> v.FieldErrors:
    """Check the path of a rule according to its type."""
    kind, text, path = fld.text("pathType"), fld.text("path"), fld.child("path")
    if kind not in _PATH_TYPES:
        yield fld.child("pathType").not_supported(_PATH_TYPES)
    elif (text or kind != "ImplementationSpecific") and not text.startswith("/"):
        yield path.invalid("must be an absolute path", text)
    if kind in ("Exact", "Prefix"):
        yield from (path.invalid(f"must not contain '{part}'") for part in _NOT_IN_PATHS if part in text)
        yield from (path.invalid(f"cannot end with '{part}'") for part in _NOT_AT_THE_END if text.endswith(part))


def _backend(fld: v.FieldContext) -> v.FieldErrors:
    """Require either a port of a Service or another object as the backend."""
    match fld.sets("resource"), fld.sets("service"):
        case True, True:
            return (fld.invalid("cannot set both resource and service backends", ""),)
        case True, False:
            return _RESOURCE_BACKEND(fld.child("resource"))
        case False, True:
            return [*_SERVICE_BACKEND(fld.child("service")), *_service_port(fld)]
        case _:
            return (fld.invalid("resource or service backend is required", ""),)


def _service_port(fld: v.FieldContext) -> v.FieldErrors:
    """Require a name or a number of the backend's Service port; if it is missing, the error is at the backend."""
    name, number = fld.text("service", "port", "name"), fld.number("service", "port", "number")
    port = fld.at("service", "port")
    if name and number:
        return (fld.invalid("cannot set both port name & port number", ""),)
    if name:
        return [port.child("name").invalid(fault) for fault in v.port_name(name)]
    return _port_number(port.child("number")) if number else (fld.required("port name or number is required"),)


def _relaxed_service_names(fld: v.FieldContext) -> bool:
    """Return whether names of Services may begin with a digit because the stored Ingress has such a name."""
    if fld.occasion.minor >= _RELAXED_SERVICE_NAMES:
        return True
    stored = fld.root.before().child("spec")
    return any(v.dns_1035_label(name) and not v.dns_label(name) for name in _service_names(stored))


def _service_names(spec: v.FieldContext) -> Iterator[str]:
    yield spec.text("defaultBackend", "service", "name")
    for rule in spec.child("rules").items():
        yield from (path.text("backend", "service", "name") for path in rule.at("http", "paths").items())


_REFERENCE: Final[v.Table] = {
    "apiGroup": [v.well_formed(v.dns_subdomain, even_empty=True)],
    "kind": [v.required(), v.well_formed(v.path_segment)],
    "name": [v.required(), v.well_formed(v.path_segment)],
}
_RESOURCE_BACKEND: Final = v.inside(_REFERENCE)
_SERVICE_BACKEND: Final = v.inside(
    {
        "name": [
            v.required(),
            v.when(_relaxed_service_names, v.well_formed(v.dns_label)),
            v.unless(_relaxed_service_names, v.well_formed(v.dns_1035_label)),
        ]
    }
)
_HTTP: Final = v.inside(
    {
        "paths": [v.required()],
        "paths[*].pathType": [v.set_at_all("pathType must be specified")],
        "paths[*]": [v.where(lambda path: path.sets("pathType"), {"": [_path], "backend": [v.struct, _backend]})],
    }
)


def _rule(fld: v.FieldContext) -> v.FieldErrors:
    http = fld.child("http")
    return () if not http.there or (_is_wildcard(fld) and _may_stay_wrong(fld)) else _HTTP(http)


def _is_wildcard(rule: v.FieldContext) -> bool:
    return "*" in rule.text("host")


def _may_stay_wrong(fld: v.FieldContext) -> bool:
    """Return whether wildcard rules are not checked because the stored Ingress has an invalid one."""
    stored = fld.root.before().at("spec", "rules").items()
    return any(_is_wildcard(rule) and rule.sets("http") and any(_HTTP(rule.child("http"))) for rule in stored)


def _had_bad_secret_name(fld: v.FieldContext) -> bool:
    """Return whether the stored Ingress has an invalid name of a TLS secret."""
    stored = fld.root.before().at("spec", "tls").items()
    return any(tls.text("secretName") and v.dns_subdomain(tls.text("secretName")) for tls in stored)


def _one_class(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid a class annotation that differs from the field; the path omits ``metadata``."""
    annotation, name = fld.get("metadata", "annotations", _CLASS_ANNOTATION), fld.get("spec", "ingressClassName")
    if not isinstance(annotation, str) or not isinstance(name, str) or annotation == name:
        return ()
    words = "must match `ingressClassName` when both are specified"
    return (fld.at("annotations", _CLASS_ANNOTATION).invalid(words, annotation),)


_INGRESS: Final[v.Table] = {
    "": [v.on_create(_one_class)],
    "spec": [v.struct, _some_backend],
    "spec.defaultBackend": [_backend],
    "spec.rules[*]": [_rule],
    "spec.rules[*].host": [_host],
    "spec.tls[*].hosts[*]": [_tls_host],
    "spec.tls[*].secretName": [v.unless(_had_bad_secret_name, v.well_formed(v.dns_subdomain))],
    "spec.ingressClassName": [v.well_formed(v.dns_subdomain, even_empty=True)],
}

_INGRESS_CLASS: Final[v.Table] = {
    "spec": [v.struct],
    "spec.controller": [
        v.required(),
        v.no_longer_than(_CONTROLLER_LIMIT),
        v.well_formed(v.domain_prefixed_path),
        v.unchangeable,
    ],
    "spec.parameters": {
        **_REFERENCE,
        "scope": [v.set_at_all(), v.one_of("Cluster", "Namespace")],
        "namespace": [
            v.when(
                v.sibling_is("scope", "Namespace"),
                v.set_at_all("`parameters.scope` is set to 'Namespace'"),
                v.well_formed(v.dns_label, even_empty=True),
            ),
            v.when(v.sibling_is("scope", "Cluster"), v.forbidden("`parameters.scope` is set to 'Cluster'")),
        ],
    },
}


def _policy_port(fld: v.FieldContext) -> v.FieldErrors:
    """Require a number or a name as the port."""
    if isinstance(fld.value, str):
        return [fld.invalid(fault) for fault in v.port_name(fld.value)]
    return _port_number(fld)


def _end_port(fld: v.FieldContext) -> v.FieldErrors:
    """Require that the last port of a range is not below the first one, which is a number."""
    match fld.up.get("port") if fld.up else MISSING:
        case int(first):
            if fld.number() < first:
                yield fld.invalid("must be greater than or equal to `port`", first)
            yield from _port_number(fld)
        case str():
            yield fld.invalid("may not be specified when `port` is non-numeric")
        case _:
            yield fld.invalid("may not be specified when `port` is not specified")


def _peer(fld: v.FieldContext) -> v.FieldErrors:
    """Require a peer: pods, namespaces, both, or addresses."""
    named = [name for name in ("podSelector", "namespaceSelector", "ipBlock") if fld.sets(name)]
    if not named:
        return (fld.required("must specify a peer"),)
    mixed = len(named) > 1 and "ipBlock" in named
    return (fld.forbidden("may not specify both ipBlock and another peer"),) if mixed else ()


def _stored_blocks(spec: v.FieldContext) -> Iterator[str]:
    """Yield the blocks of the stored spec of a policy, which stay valid in any form."""
    for rules, peers in (("ingress", "from"), ("egress", "to")):
        for peer in (peer for rule in spec.child(rules).items() for peer in rule.child(peers).items()):
            block = peer.child("ipBlock")
            yield from (part.text() for part in (block.child("cidr"), *block.child("except").items()) if block.there)


def _block(stored: Container[str], fld: v.FieldContext) -> v.FieldErrors:
    """Require a well-formed CIDR block, or one that is stored: at its place, or among the ``stored`` blocks."""
    faults = [fld.invalid(fault) for fault in block_faults(fld.text(), strict=is_strict(fld))]
    is_stored = (fld.there and fld.unchanged) or fld.text() in stored
    return faults if faults and not is_stored else ()


def _exceptions(stored: Container[str], fld: v.FieldContext) -> v.FieldErrors:
    """Require smaller blocks inside the block as its exceptions; ``fld`` is the block."""
    outer = parse_block(fld.text("cidr"))
    for item in fld.child("except").items() if outer is not None else ():
        inner = parse_block(item.text())
        yield from _block(stored, item)
        if inner is not None and not _is_part(inner, outer):
            yield item.invalid("must be a strict subset of `cidr`")


def _is_part(inner: Block, outer: Block | None) -> bool:
    """Return whether a block is a smaller one inside another."""
    if outer is None or inner.version != outer.version:
        return False
    return inner.network_address in outer and inner.prefixlen > outer.prefixlen


def _policy_types(fld: v.FieldContext) -> v.FieldErrors:
    """Require at most two known policy types."""
    if fld.size() > len(_POLICY_TYPES):
        return (fld.invalid("may not specify more than two policyTypes"),)
    return [item.not_supported(_POLICY_TYPES) for item in fld.items() if item.value not in _POLICY_TYPES]


_SELECTOR: Final = v.selector_table(tolerant=v.had_bad_values("spec", "podSelector"))
_PORT: Final[v.Table] = {"protocol": [v.one_of("TCP", "UDP", "SCTP")], "port": [_policy_port], "endPort": [_end_port]}


def _policy_table(stored: Container[str]) -> v.Table:
    """Return the table of the spec of a policy, given the blocks of the stored one."""
    peer: v.Table = {
        "": [_peer],
        "podSelector": _SELECTOR,
        "namespaceSelector": _SELECTOR,
        "ipBlock": [partial(_exceptions, stored)],
        "ipBlock.cidr": [v.required(), v.unless(lambda fld: fld.empty, partial(_block, stored))],
    }
    return {
        "podSelector": _SELECTOR,
        "ingress[*].ports[*]": _PORT,
        "ingress[*].from[*]": peer,
        "egress[*].ports[*]": _PORT,
        "egress[*].to[*]": peer,
        "policyTypes": [_policy_types],
    }


_NEW_POLICY: Final = v.inside(_policy_table(()))


def _policy(fld: v.FieldContext) -> v.FieldErrors:
    """Check the spec of a policy; stored blocks are gathered once, and only if there are errors without them."""
    errors = list(_NEW_POLICY(fld))
    if fld.creating or not errors:
        return errors
    return v.inside(_policy_table(frozenset(_stored_blocks(fld.before()))))(fld)


KINDS: Final[v.Group] = {
    ("networking.k8s.io", "Ingress"): v.Rules(_INGRESS),
    ("networking.k8s.io", "IngressClass"): v.Rules(_INGRESS_CLASS),
    ("networking.k8s.io", "NetworkPolicy"): v.Rules({"spec": [_policy]}),
}
