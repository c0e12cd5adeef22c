"""CIDR blocks as values."""

from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import TypeAlias

from kubectl_applylint.core.values import int64
from kubectl_applylint.server.validate.addresses import block_faults, parse_address

Block: TypeAlias = IPv4Network | IPv6Network


def parse_block(text: str) -> Block | None:
    """Return the CIDR block in a text, with bits beyond the prefix set to 0; ``None`` if it is not one."""
    start, _, length = text.partition("/")
    address = parse_address(start)
    if address is None or block_faults(text, strict=False):
        return None
    return ip_network((address, int64(length) or 0), strict=False)
