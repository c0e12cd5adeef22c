"""EndpointSlice.

Mirrors ``pkg/apis/discovery/validation``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import Refusal
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
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain, label_value, qualified_name
from kubectl_applylint.server.validate.ip_ranges import canonical_address
from kubectl_applylint.server.validate.metadata import well_formed_labels
from kubectl_applylint.server.validate.names import domain
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.spots import Spot, Table
from kubectl_applylint.server.validate.walk import inside

_MOST_ENDPOINTS: Final = 1000
_MOST_HINTS: Final = 8


def _address(spot: Spot) -> Iterable[Refusal]:
    """The address is of the type of the slice; what is of the other family is said of the whole list."""
    text, around = spot.text(), spot.up or spot
    match spot.root.text("addressType"):
        case "IPv4":
            faults, fits, words = address_faults(text, strict=is_strict(spot)), not is_ipv6(text), "an IPv4 address"
        case "IPv6":
            faults, fits, words = canonical_address(text), is_ipv6(text), "an IPv6 address"
        case "FQDN":
            return [spot.invalid(fault) for fault in domain(text)] if text else (spot.required(),)
        case _:
            return ()
    if faults:
        return [spot.invalid(fault) for fault in faults]
    wrong = () if fits else (around.invalid(f"must be {words}", text),)
    return (*wrong, *map(spot.invalid, special_address_faults(text)))


def _ports(spot: Spot) -> Iterator[Refusal]:
    """The names of the ports differ; none is a name, too."""
    seen: list[str] = []
    for port in spot.items():
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


def _new_endpoints(spot: Spot) -> Iterable[Refusal]:
    """What was stored may stay as it is, and is then not looked at; ``spot`` is the object."""
    if not spot.creating and same(spot.get("endpoints"), spot.before().get("endpoints")):
        return ()
    too_many = list(no_more_than(_MOST_ENDPOINTS)(spot.child("endpoints")))
    return too_many or _endpoints(spot)


_ENDPOINT_SLICE: Final[Table] = {
    "": [_new_endpoints],
    "addressType": [required_and_one_of("FQDN", "IPv4", "IPv6"), unchangeable],
    "ports": [no_more_than(20000), _ports],
    "ports[*].name": [well_formed(dns_label)],
    "ports[*].protocol": [required_and_one_of("SCTP", "TCP", "UDP")],
    "ports[*].appProtocol": [well_formed(qualified_name, even_empty=True)],
}

KINDS: Final[Group] = {("discovery.k8s.io", "EndpointSlice"): Rules(_ENDPOINT_SLICE)}
