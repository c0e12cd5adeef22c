"""Quantities, IP addresses, CIDR blocks and URLs in expressions.

Mirrors the libraries of those names in apiserver's ``pkg/cel/library``.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from celpy import celtypes

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.server.quantity import QuantityError, parse
from kubectl_applylint.server.validate.addresses import Address, address_faults, block_faults, parse_address
from kubectl_applylint.server.validate.blocks import Block, parse_block
from kubectl_applylint.server.validate.custom.plain import boolean, integer, string
from kubectl_applylint.server.validate.custom.urls import parse_url


@dataclass(frozen=True, slots=True)
class CelQuantity:
    """A quantity such as ``1Gi``."""

    amount: Fraction


@dataclass(frozen=True, slots=True)
class Ip:
    """An IP address."""

    address: Address


@dataclass(frozen=True, slots=True)
class Cidr:
    """A CIDR block, and the address that it was written with."""

    block: Block
    address: Address


def _quantity(text: str) -> CelQuantity:
    read = parse(text)
    return CelQuantity(read.unscaled * Fraction(10) ** read.exponent)


def _is_quantity(text: str) -> Any:
    try:
        return boolean(bool(parse(text)) or True)
    except QuantityError:
        return boolean(False)


def _compare(left: CelQuantity, right: CelQuantity) -> Any:
    return integer((left.amount > right.amount) - (left.amount < right.amount))


def _fraction(value: Any) -> Fraction:
    return value.amount if isinstance(value, CelQuantity) else Fraction(int(value))


def _is_integer(value: CelQuantity) -> bool:
    return value.amount.denominator == 1 and -(2**63) <= value.amount.numerator < 2**63


def _as_integer(value: CelQuantity) -> Any:
    if not _is_integer(value):
        raise ValueError("cannot convert value to integer")
    return integer(value.amount.numerator)


_QUANTITIES: Final[Mapping[str, Callable[..., Any]]] = {
    "add": lambda left, right: CelQuantity(left.amount + _fraction(right)),
    "asApproximateFloat": lambda value: celtypes.DoubleType(float(value.amount)),
    "asInteger": _as_integer,
    "compareTo": _compare,
    "isGreaterThan": lambda left, right: boolean(left.amount > right.amount),
    "isInteger": lambda value: boolean(_is_integer(value)),
    "isLessThan": lambda left, right: boolean(left.amount < right.amount),
    "isQuantity": _is_quantity,
    "quantity": _quantity,
    "sign": lambda value: integer((value.amount > 0) - (value.amount < 0)),
    "sub": lambda left, right: CelQuantity(left.amount - _fraction(right)),
}


def _ip(value: Any) -> Ip:
    """Return the address in a text, or the one that a block was written with."""
    if isinstance(value, Cidr):
        return Ip(value.address)
    address = parse_address(value)
    if address is None or address_faults(value, strict=True):
        raise ValueError("not an IP address")
    return Ip(address)


def _cidr(text: str) -> Cidr:
    block, address = parse_block(text), parse_address(text.partition("/")[0])
    if block is None or address is None or _is_ambiguous(text):
        raise ValueError("not a CIDR")
    return Cidr(block, address)


def _is_ambiguous(text: str) -> bool:
    """Return whether programs may read the text of a block differently; excess bits do not count."""
    return any("bits set" not in fault for fault in block_faults(text, strict=True))


def _is_cidr(text: str) -> Any:
    return boolean(parse_block(text) is not None and not _is_ambiguous(text))


def _contains_ip(block: Cidr, value: Any) -> Any:
    address = (value if isinstance(value, Ip) else _ip(value)).address
    return boolean(address in block.block)


def _contains_cidr(block: Cidr, value: Any) -> Any:
    inner, outer = (value if isinstance(value, Cidr) else _cidr(value)).block, block.block
    within = inner.version == outer.version and inner.network_address in outer
    return boolean(within and inner.prefixlen >= outer.prefixlen)


_ADDRESSES: Final[Mapping[str, Callable[..., Any]]] = {
    "cidr": _cidr,
    "containsCIDR": _contains_cidr,
    "containsIP": _contains_ip,
    "family": lambda value: integer(value.address.version),
    "ip": _ip,
    "isCIDR": _is_cidr,
    "isIP": lambda text: boolean(parse_address(text) is not None and not address_faults(text, strict=True)),
    "isLoopback": lambda value: boolean(value.address.is_loopback),
    "isUnspecified": lambda value: boolean(value.address.is_unspecified),
    "prefixLength": lambda value: integer(value.block.prefixlen),
}


def _is_url(text: str) -> Any:
    try:
        return boolean(parse_url(text) is not None)
    except ValueError:
        return boolean(False)


_URLS: Final[Mapping[str, Callable[..., Any]]] = {
    "getEscapedPath": lambda url: string(url.escaped_path),
    "getHost": lambda url: string(url.host),
    "getHostname": lambda url: string(url.hostname),
    "getPort": lambda url: string(url.port),
    "getScheme": lambda url: string(url.scheme),
    "isURL": _is_url,
    "url": parse_url,
}

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {**_QUANTITIES, **_ADDRESSES, **_URLS}
"""The functions by name."""
