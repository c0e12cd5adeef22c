"""IP addresses and CIDR blocks: which texts the server accepts.

Mirrors apimachinery's ``util/validation/ip.go``. From Kubernetes 1.36 on new values must be unambiguous: no leading
zeros, no IPv4 address in an IPv6 one, no bits beyond the length of a prefix.
"""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final, TypeAlias

from kubectl_applylint.core.values import int64
from kubectl_applylint.server.validate import dsl as v

Address: TypeAlias = IPv4Address | IPv6Address
_STRICT_SINCE: Final = 36
_NO_ADDRESS: Final = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
_NO_BLOCK: Final = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"

_LINK_LOCAL_MULTICAST: Final = (ip_network("224.0.0.0/24"), ip_network("ff02::/16"))


@lru_cache(maxsize=4096)
def parse_address(text: str) -> Address | None:
    """Return the address in a text, with leading zeros read as decimal; ``None`` if it is not an address."""
    if "%" in text:
        return None
    try:
        return ip_address(_without_leading_zeros(text))
    except ValueError:
        return None


def _without_leading_zeros(text: str) -> str:
    return re.sub(r"(?<![0-9a-fA-F:])0+(?=[0-9])", "", text) if "." in text else text


def is_ipv6(text: str) -> bool:
    """Return whether a text is an IPv6 address; an IPv4 address in IPv6 notation is not one."""
    address = parse_address(text)
    return isinstance(address, IPv6Address) and address.ipv4_mapped is None


def address_faults(text: str, *, strict: bool) -> list[str]:
    """Return the faults of an address."""
    address = parse_address(text)
    if address is None:
        return [_NO_ADDRESS]
    if not strict:
        return []
    zeros = ["must not have leading 0s"] if _without_leading_zeros(text) != text else []
    return zeros + (["must not be an IPv4-mapped IPv6 address"] if _is_mapped(address) else [])


def _is_mapped(address: Address) -> bool:
    return isinstance(address, IPv6Address) and address.ipv4_mapped is not None


def block_faults(text: str, *, strict: bool) -> list[str]:
    """Return the faults of a CIDR block."""
    start, slash, length = text.partition("/")
    address = parse_address(start)
    size = int64(length) if re.fullmatch("[0-9]+", length) else None
    if not slash or address is None or size is None or size > address.max_prefixlen:
        return [_NO_BLOCK]
    return _ambiguities(start, address, length) if strict else []


def _ambiguities(start: str, address: Address, length: str) -> list[str]:
    if _without_leading_zeros(start) != start or str(int64(length)) != length:
        return ["must not have leading 0s in IP or prefix length"]
    if _is_mapped(address):
        return ["must not have an IPv4-mapped IPv6 address"]
    whole = ip_network((address, int64(length) or 0), strict=False).network_address == address
    return [] if whole else ["must not have bits set beyond the prefix length"]


def is_strict(fld: v.FieldContext) -> bool:
    """Return whether the server rejects ambiguous new addresses."""
    return fld.occasion.minor >= _STRICT_SINCE


def an_address(fld: v.FieldContext) -> v.FieldErrors:
    """Require an IP address."""
    return [fld.invalid(fault) for fault in address_faults(fld.text(), strict=is_strict(fld))]


def addresses(*, blocks: bool = False) -> v.Constraint:
    """Require a list of IP addresses, or of CIDR blocks; elements that are stored already are valid."""
    faults = block_faults if blocks else address_faults

    def check(fld: v.FieldContext) -> v.FieldErrors:
        kept = [old.strip() for old in fld.old] if isinstance(fld.old, list) else []
        new = [(item, item.text().strip() if blocks else item.text()) for item in fld.items()]
        asked = [(item, text) for item, text in new if text not in kept]
        return [item.invalid(fault, text) for item, text in asked for fault in faults(text, strict=is_strict(item))]

    return check


def special_address_faults(text: str) -> list[str]:
    """Return why an address cannot be that of an endpoint: it is loopback, link-local or multicast."""
    address = parse_address(text)
    plain = getattr(address, "ipv4_mapped", None) or address
    if plain is None:
        return []
    faults = [f"may not be unspecified ({text})"] if plain.is_unspecified else []
    if plain.is_loopback:
        faults.append("may not be in the loopback range (127.0.0.0/8, ::1/128)")
    if plain.is_link_local:
        faults.append("may not be in the link-local range (169.254.0.0/16, fe80::/10)")
    if any(plain.version == block.version and plain in block for block in _LINK_LOCAL_MULTICAST):
        faults.append("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)")
    return faults
