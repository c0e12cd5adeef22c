"""Which IP addresses are public."""

import ipaddress
from typing import Final

_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Return whether an IP address is a public one, also if IPv6 wraps an IPv4 address."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or _behind_nat64(found)
        if inner:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast and not found.is_reserved


def _behind_nat64(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """Return the IPv4 address in one that NAT64 translates."""
    return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF) if address in _NAT64 else None
