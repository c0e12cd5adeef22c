"""The proxy for a server, from the kubeconfig or the environment, as Go selects it for kubectl.

The environment is interpreted as in ``golang.org/x/net/http/httpproxy``. Addresses that Go would misread raise
``ValueError``, so that no request takes another route than intended.
"""

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

from kubectl_applylint.core.regex import regex

_PORTS: Final = {"http": "80", "https": "443"}
_OF_KUBECONFIG: Final = ("http", "https", "socks5")
_SCHEMES: Final = (*_OF_KUBECONFIG, "socks5h")
_ABSOLUTE = regex(r"[A-Za-z][A-Za-z0-9+.-]*://[^/]")
_ODD = regex(r"\s|^[^@]*%[^@]*\Z")
"""Whitespace, and escapes outside of the password."""
_CIDR = regex(r"[0-9a-fA-F.:]+/\d{1,3}\Z")

_Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address
_Matches: TypeAlias = Callable[[str, str, _Address | None], bool]


def proxy_of_kubeconfig(address: str) -> str:
    """Return the proxy of a ``proxy-url``; raises ``ValueError`` if kubectl rejects it (``parseProxyURL``)."""
    return _check_proxy(address, _OF_KUBECONFIG)


def proxy_of_environment(url: SplitResult, environ: Mapping[str, str]) -> str:
    """Return the proxy for a URL from variables, empty for none; raises ``ValueError`` for an invalid address.

    Loopback addresses use none, nor do the hosts in ``NO_PROXY``.
    """
    proxy = _variable(environ, f"{url.scheme}_proxy")
    if not proxy:
        return ""
    host, port = _address(url)
    if not _is_proxied(host, port or _PORTS.get(url.scheme, ""), _variable(environ, "no_proxy")):
        return ""
    return _check_proxy(proxy if _ABSOLUTE.match(proxy) else f"http://{proxy}", _SCHEMES)


def _variable(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name.upper()) or environ.get(name) or ""


def _check_proxy(proxy: str, schemes: tuple[str, ...]) -> str:
    url = urlsplit(proxy)
    if url.scheme not in schemes:
        raise ValueError(f"its scheme is not one of {', '.join(schemes)}")
    if not url.hostname or url.port == 0 or _ODD.search(proxy) or proxy.count("://") > 1:
        raise ValueError("it has no host")
    return proxy


def _address(url: SplitResult) -> tuple[str, str]:
    """Return host and port as written; ``SplitResult.hostname`` is lowercased, which matters here."""
    text = url.netloc.rpartition("@")[2]
    bracketed = re.fullmatch(r"\[(?P<host>[^\]]*)\](?::(?P<port>.*))?", text)
    host, port = (bracketed["host"], bracketed["port"] or "") if bracketed else text.partition(":")[::2]
    return _ascii(host), port


def _ascii(host: str) -> str:
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        return host


def _is_proxied(host: str, port: str, exempt: str) -> bool:
    if host == "localhost":
        return False
    address = _ip(host)
    if address is not None and address.is_loopback:
        return False
    return not any(matches(host.lower().strip(), port, address) for matches in _exemptions(exempt))


def _ip(text: str) -> _Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else found


def _exemptions(listed: str) -> Iterator[_Matches]:
    for entry in (entry.strip().lower() for entry in listed.split(",")):
        if entry == "*":
            yield lambda host, port, address: True
        elif entry:
            yield from _exemption(entry)


def _exemption(entry: str) -> Iterator[_Matches]:
    network = _network(entry)
    if network is not None:
        yield lambda host, port, address: address is not None and address in network
        return
    name, port = _host_and_port(entry)
    exact = None if "%" in name else _ip(name)
    if exact is not None:
        yield lambda host, own, address: address == exact and port in ("", own)
    elif name:
        domain = name[1:] if name.startswith("*.") else name
        suffix = f".{_ascii(domain.removeprefix('.'))}"
        alone = "" if domain.startswith(".") else suffix[1:]
        yield (
            lambda host, own, address: (
                address is None and (host.endswith(suffix) or host == alone) and port in ("", own)
            )
        )


def _network(entry: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    if not _CIDR.match(entry):
        return None
    try:
        found = ipaddress.ip_network(entry, strict=False)
    except ValueError:
        return None
    if isinstance(found, ipaddress.IPv6Network) and found.network_address.ipv4_mapped and found.prefixlen >= 96:
        return ipaddress.IPv4Network((found.network_address.ipv4_mapped, found.prefixlen - 96))
    return found


def _host_and_port(entry: str) -> tuple[str, str]:
    """Return host and port of an entry; without a port, or with more colons than an address has, all is the host."""
    bracketed = re.fullmatch(r"\[(?P<host>[^\[\]]*)\]:(?P<port>[^:]*)", entry)
    if bracketed:
        return bracketed["host"], bracketed["port"]
    if entry.count(":") != 1:
        return entry, ""
    host, _, port = entry.partition(":")
    return host, port
