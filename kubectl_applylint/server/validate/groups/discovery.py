"""EndpointSlice.

Mirrors ``pkg/apis/discovery/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.addresses import address_faults, is_ipv6, is_strict, special_address_faults
from kubectl_applylint.server.validate.groups.ip_ranges import canonical_address

_MOST_ENDPOINTS: Final = 1000
_MOST_HINTS: Final = 8


def _address(fld: v.FieldContext) -> v.FieldErrors:
    """Require an address of the type of the slice; for the other family the error has the path of the whole list."""
    text = fld.text()
    match fld.root.text("addressType"):
        case "IPv4":
            faults, fits, words = address_faults(text, strict=is_strict(fld)), not is_ipv6(text), "an IPv4 address"
        case "IPv6":
            faults, fits, words = canonical_address(text), is_ipv6(text), "an IPv6 address"
        case "FQDN":
            return [fld.invalid(fault) for fault in v.domain(text)] if text else (fld.required(),)
        case _:
            return ()
    if faults:
        return [fld.invalid(fault) for fault in faults]
    wrong = () if fits else (fld.parent.invalid(f"must be {words}", text),)
    return (*wrong, *map(fld.invalid, special_address_faults(text)))


def _ports(fld: v.FieldContext) -> v.FieldErrors:
    """Require distinct names of ports; no name counts as a name as well."""
    seen: list[str] = []
    for port in fld.items():
        if port.text("name") in seen:
            yield port.child("name").duplicate(port.text("name"))
        seen.append(port.text("name"))


_HINT: Final = [v.unique("name"), v.no_more_than(_MOST_HINTS)]
_endpoints = v.inside(
    {
        "endpoints[*].addresses": [v.required("must contain at least 1 address"), v.no_more_than(100)],
        "endpoints[*].addresses[*]": [_address],
        "endpoints[*].nodeName": [v.well_formed(v.dns_subdomain, even_empty=True)],
        "endpoints[*].deprecatedTopology": [v.no_more_than(16), v.well_formed_labels],
        "endpoints[*].hostname": [v.well_formed(v.dns_label, even_empty=True)],
        "endpoints[*].hints.forZones": _HINT,
        "endpoints[*].hints.forZones[*].name": [v.well_formed(v.label_value)],
        "endpoints[*].hints.forNodes": _HINT,
        "endpoints[*].hints.forNodes[*].name": [v.or_empty(v.well_formed(v.dns_subdomain, even_empty=True))],
    }
)


def _new_endpoints(fld: v.FieldContext) -> v.FieldErrors:
    """Check the endpoints unless they are unchanged; ``fld`` is the object."""
    if not fld.creating and v.same(fld.get("endpoints"), fld.before().get("endpoints")):
        return ()
    too_many = list(v.no_more_than(_MOST_ENDPOINTS)(fld.child("endpoints")))
    return too_many or _endpoints(fld)


_ENDPOINT_SLICE: Final[v.Table] = {
    "": [_new_endpoints],
    "addressType": [v.required_and_one_of("FQDN", "IPv4", "IPv6"), v.unchangeable],
    "ports": [v.no_more_than(20000), _ports],
    "ports[*].name": [v.well_formed(v.dns_label)],
    "ports[*].protocol": [v.required_and_one_of("SCTP", "TCP", "UDP")],
    "ports[*].appProtocol": [v.well_formed(v.qualified_name, even_empty=True)],
}

KINDS: Final[v.Group] = {("discovery.k8s.io", "EndpointSlice"): v.Rules(_ENDPOINT_SLICE)}
