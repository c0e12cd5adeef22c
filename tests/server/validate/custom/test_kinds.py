"""Quantities, addresses and URLs: examples of the documentation of CEL in Kubernetes 1.36."""

import pytest

from kubectl_applylint.core.values import Json
from tests.server.validate.custom.values import outcome


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("isQuantity('1.3G')", True),
        ("isQuantity('1.3GB')", False),
        ("isQuantity('0')", True),
        ("isQuantity('')", False),
        ("quantity('50000000G').isInteger()", True),
        ("quantity('50k').asInteger()", 50_000),
        ("quantity('1.5').isInteger()", False),
        ("quantity('1.5').asInteger()", "open"),
        ("quantity('9999999999999999999999999999999999999G').isInteger()", False),
        ("quantity('50.703k').asApproximateFloat()", 50_703.0),
        ("quantity('200M').compareTo(quantity('0.2G'))", 0),
        ("quantity('50k').compareTo(quantity('100k'))", -1),
        ("quantity('1').compareTo(quantity('500m'))", 1),
        ("quantity('150Mi').isGreaterThan(quantity('100Mi'))", True),
        ("quantity('100Mi').isGreaterThan(quantity('100Mi'))", False),
        ("quantity('50M').isLessThan(quantity('50Mi'))", True),
        ("quantity('50k').add(quantity('20k')) == quantity('70k')", True),
        ("quantity('50k').add(20) == quantity('50020')", True),
        ("quantity('50k').sub(quantity('20k')) == quantity('30k')", True),
        ("quantity('50k').sub(20) == quantity('49980')", True),
        ("quantity('-1').sign()", -1),
        ("quantity('0').sign()", 0),
    ],
)
def test_quantities(expression: str, result: Json) -> None:
    assert outcome(expression) == result


def test_a_text_that_is_no_quantity_fails_on_the_server_too() -> None:
    assert str(outcome("quantity('1.3GB').sign()")).startswith("failed: ")


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("isIP('127.0.0.1')", True),
        ("isIP('::1')", True),
        ("isIP('127.0.0.256')", False),
        ("isIP('::ffff:1.2.3.4')", False),
        ("isIP('127.0.0.01')", False),
        ("isIP(':::1')", False),
        ("ip('127.0.0.1').family()", 4),
        ("ip('::1').family()", 6),
        ("ip('127.0.0.1').isLoopback()", True),
        ("ip('192.168.0.1').isLoopback()", False),
        ("ip('0.0.0.0').isUnspecified()", True),
        ("ip('::ffff').isUnspecified()", False),
        ("ip('127.0.0.1') == ip('127.0.0.1')", True),
        ("ip('x').family()", "open"),
        ("isCIDR('192.168.0.0/16')", True),
        ("isCIDR('::1/128')", True),
        ("isCIDR('192.168.0.0/33')", False),
        ("isCIDR('192.168.0.0')", False),
        ("isCIDR('::ffff:1.2.3.4/104')", False),
        ("cidr('192.168.0.0/24').containsIP('192.168.0.1')", True),
        ("cidr('192.168.0.0/24').containsIP(ip('192.168.1.1'))", False),
        ("cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24')", True),
        ("cidr('192.168.1.0/24').containsCIDR(cidr('192.168.0.0/16'))", False),
        ("cidr('192.168.1.0/24').containsCIDR('192.168.1.0/24')", True),
        ("cidr('0.0.0.0/0').containsCIDR('::/0')", False),
        ("cidr('192.168.0.0/24').prefixLength()", 24),
        ("cidr('192.168.0.0/24').ip() == ip('192.168.0.0')", True),
        ("cidr('192.168.0.5/24').ip() == ip('192.168.0.5')", True),
        ("cidr('192.168.0.5/24') == cidr('192.168.0.0/24')", False),
        ("cidr('192.168.0.5/24').containsCIDR('192.168.0.0/24')", True),
    ],
)
def test_addresses(expression: str, result: Json) -> None:
    assert outcome(expression) == result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("isURL('https://example.com:80/')", True),
        ("isURL('/path')", True),
        ("isURL('https://a:b@[::1]:80/x?y=z')", True),
        ("isURL('../relative-path')", False),
        ("isURL('')", False),
        ("isURL('https://exa mple.com')", False),
        ("isURL('https://a:port/')", False),
        ("url('https://EXAMPLE.com/').getHostname()", "EXAMPLE.com"),
        ("url('https://a:0/').getPort()", "0"),
        ("url('https://a:080/').getPort()", "080"),
        ("url('/a b').getEscapedPath()", "/a%20b"),
        ("url('https://example.com/x').getScheme()", "https"),
        ("url('/path').getScheme()", ""),
        ("url('https://u:p@example.com:80/').getHost()", "example.com:80"),
        ("url('https://example.com:80/').getHostname()", "example.com"),
        ("url('https://[::1]:80/').getHost()", "[::1]:80"),
        ("url('https://[::1]:80/').getHostname()", "::1"),
        ("url('/path').getHostname()", ""),
        ("url('https://example.com:80/').getPort()", "80"),
        ("url('https://example.com/').getPort()", ""),
        ("url('https://example.com/with%20space/').getEscapedPath()", "/with%20space/"),
        ("url('https://example.com').getEscapedPath()", ""),
        ("url('x')", "open"),
    ],
)
def test_urls(expression: str, result: Json) -> None:
    assert outcome(expression) == result
