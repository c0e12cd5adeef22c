"""Texts that the server accepts as addresses; versions before 1.36 are tolerant."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.addresses import (
    address_faults,
    addresses,
    an_address,
    block_faults,
    is_ipv6,
    special_address_faults,
)
from tests.server.validate.objects import errors_of

NO_ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
NO_BLOCK = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
ZEROS = "must not have leading 0s"


@pytest.mark.parametrize(
    ("text", "tolerant", "strict"),
    [
        ("1.2.3.4", [], []),
        ("2001:db8::1", [], []),
        ("::1.2.3.4", [], []),
        ("01.002.3.4", [], [ZEROS]),
        ("::ffff:1.2.3.4", [], ["must not be an IPv4-mapped IPv6 address"]),
        ("::ffff:1.2.3.04", [], [ZEROS, "must not be an IPv4-mapped IPv6 address"]),
        ("1.2.3", [NO_ADDRESS], [NO_ADDRESS]),
        ("fe80::1%eth0", [NO_ADDRESS], [NO_ADDRESS]),
        ("", [NO_ADDRESS], [NO_ADDRESS]),
    ],
)
def test_addresses_are_distinguished_from_other_texts(text: str, tolerant: list[str], strict: list[str]) -> None:
    assert (address_faults(text, strict=False), address_faults(text, strict=True)) == (tolerant, strict)


@pytest.mark.parametrize(
    ("text", "tolerant", "strict"),
    [
        ("10.0.0.0/8", [], []),
        ("::/0", [], []),
        ("10.0.0.1/8", [], ["must not have bits set beyond the prefix length"]),
        ("10.0.0.0/08", [], ["must not have leading 0s in IP or prefix length"]),
        ("010.0.0.0/8", [], ["must not have leading 0s in IP or prefix length"]),
        ("::ffff:1.2.3.0/120", [], ["must not have an IPv4-mapped IPv6 address"]),
        ("10.0.0.0/33", [NO_BLOCK], [NO_BLOCK]),
        ("10.0.0.0/x", [NO_BLOCK], [NO_BLOCK]),
        ("10.0.0.0", [NO_BLOCK], [NO_BLOCK]),
        ("x/8", [NO_BLOCK], [NO_BLOCK]),
    ],
)
def test_blocks_are_distinguished_from_other_texts(text: str, tolerant: list[str], strict: list[str]) -> None:
    assert (block_faults(text, strict=False), block_faults(text, strict=True)) == (tolerant, strict)


@pytest.mark.parametrize(
    ("text", "expected"), [("::1", True), ("::ffff:1.2.3.4", False), ("1.2.3.4", False), ("", False)]
)
def test_families(text: str, expected: bool) -> None:
    assert is_ipv6(text) == expected


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1.2.3.4", ""),
        ("no address", ""),
        ("0.0.0.0", "may not be unspecified (0.0.0.0)"),
        ("127.1.2.3", "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        ("::1", "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        ("::ffff:127.0.0.1", "may not be in the loopback range (127.0.0.0/8, ::1/128)"),
        ("169.254.1.1", "may not be in the link-local range (169.254.0.0/16, fe80::/10)"),
        ("ff02::5", "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)"),
        ("224.0.1.1", ""),
    ],
)
def test_some_addresses_are_no_endpoints(text: str, words: str) -> None:
    assert special_address_faults(text) == ([words] if words else [])


@pytest.mark.parametrize(
    ("new", "old", "minor", "expected"),
    [
        pytest.param(["1.2.3.4", "x"], [], 36, [f'a[1]: Invalid value: "x": {NO_ADDRESS}'], id="no address"),
        pytest.param(["01.2.3.4"], [], 36, [f'a[0]: Invalid value: "01.2.3.4": {ZEROS}'], id="zeros"),
        pytest.param(["01.2.3.4"], [], 35, [], id="zeros up to 1.35"),
        pytest.param(["b", "01.2.3.4"], ["01.2.3.4", "b"], 36, [], id="stored already"),
    ],
)
def test_stored_addresses_may_stay(new: Json, old: Json, minor: int, expected: list[str]) -> None:
    assert errors_of(new, addresses(), old=old, minor=minor) == expected


def test_blocks_may_have_blanks_around_them() -> None:
    assert errors_of([" 10.0.0.0/8 "], addresses(blocks=True)) == []
    assert errors_of(["10.0.0.0"], addresses(blocks=True)) == [f'a[0]: Invalid value: "10.0.0.0": {NO_BLOCK}']


def test_one_address() -> None:
    assert errors_of("::1", an_address) == []
    assert errors_of("::g", an_address) == [f'a: Invalid value: "::g": {NO_ADDRESS}']
