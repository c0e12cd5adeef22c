"""EndpointSlice.

Mirrors ``pkg/apis/discovery/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.addresses import address_faults, is_ipv6, is_strict, special_address_faults
from kubectl_applylint.server.validate.conditions import or_empty
from kubectl_applylint.server.validate.constraints import (
    no_more_than,
    required,
    required_and_one_of,
    same,
    unchangeable,
    unique,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import FieldContext, Table
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain, label_value, qualified_name
from kubectl_applylint.server.validate.ip_ranges import canonical_address
from kubectl_applylint.server.validate.metadata import well_formed_labels
from kubectl_applylint.server.validate.names import domain
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.walk import inside

_MOST_ENDPOINTS: Final = 1000
_MOST_HINTS: Final = 8


def _address(fld: FieldContext) -> Iterable[FieldError]:
    """The address is of the type of the slice; what is of the other family is said of the whole list."""
    text, cluster_view = fld.text(), fld.up or fld
    match fld.root.text("addressType"):
        case "IPv4":
            faults, fits, words = address_faults(text, strict=is_strict(fld)), not is_ipv6(text), "an IPv4 address"
        case "IPv6":
            faults, fits, words = canonical_address(text), is_ipv6(text), "an IPv6 address"
        case "FQDN":
            return [fld.invalid(fault) for fault in domain(text)] if text else (fld.required(),)
        case _:
            return ()
    if faults:
        return [fld.invalid(fault) for fault in faults]
    wrong = () if fits else (cluster_view.invalid(f"must be {words}", text),)
    return (*wrong, *map(fld.invalid, special_address_faults(text)))


def _ports(fld: FieldContext) -> Iterator[FieldError]:
    """The names of the ports differ; none is a name, too."""
    seen: list[str] = []
    for port in fld.items():
        if port.text("name") in seen:
            yield port.child("name").duplicate(port.text("name"))
        seen.append(port.text("name"))


_HINT: Final = [unique("name"), no_more_than(_MOST_HINTS)]
_endpoints = inside(
    {
        "endpoints[*].addresses": [required("must contain at least 1 address"), no_more_than(100)],
        "endpoints[*].addresses[*]": [_address],
        "endpoints[*].nodeName": [well_formed(dns_subdomain, even_empty=True)],
        "endpoints[*].deprecatedTopology": [no_more_than(16), well_formed_labels],
        "endpoints[*].hostname": [well_formed(dns_label, even_empty=True)],
        "endpoints[*].hints.forZones": _HINT,
        "endpoints[*].hints.forZones[*].name": [well_formed(label_value)],
        "endpoints[*].hints.forNodes": _HINT,
        "endpoints[*].hints.forNodes[*].name": [or_empty(well_formed(dns_subdomain, even_empty=True))],
    }
)


def _new_endpoints(fld: FieldContext) -> Iterable[FieldError]:
    """What was stored may stay as it is, and is then not looked at; ``fld`` is the object."""
    if not fld.creating and same(fld.get("endpoints"), fld.before().get("endpoints")):
        return ()
    too_many = list(no_more_than(_MOST_ENDPOINTS)(fld.child("endpoints")))
    return too_many or _endpoints(fld)


_ENDPOINT_SLICE: Final[Table] = {
    "": [_new_endpoints],
    "addressType": [required_and_one_of("FQDN", "IPv4", "IPv6"), unchangeable],
    "ports": [no_more_than(20000), _ports],
    "ports[*].name": [well_formed(dns_label)],
    "ports[*].protocol": [required_and_one_of("SCTP", "TCP", "UDP")],
    "ports[*].appProtocol": [well_formed(qualified_name, even_empty=True)],
}

KINDS: Final[Group] = {("discovery.k8s.io", "EndpointSlice"): Rules(_ENDPOINT_SLICE)}
