"""HTTP for downloads: only to hosts that are allowed, with limits for size and time, and with checked addresses.

Redirects are followed here, so that each target is checked. The address that was checked is the one that is contacted.
"""

import http.client
import socket
import ssl
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from functools import cache
from threading import Timer
from time import monotonic
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]  # it is there

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.sources.store.addresses import is_public
from kubectl_applylint.sources.store.chart_source import public_url
from kubectl_applylint.sources.store.download_errors import DownloadError
from kubectl_applylint.sources.store.host_rules import Endpoint, HostRules

SECONDS: Final = 120.0
"""The time limit of one download."""
_SECONDS_OF_SILENCE: Final = 30.0
_MOST_REDIRECTS: Final = 5
_REDIRECTS: Final = (301, 302, 303, 307, 308)
_CHUNK: Final = 1 << 16
_AGENT: Final = "kubectl-applylint"
WITH_LOGIN: Final = "with the login of the user"
WITHOUT_LOGIN: Final = "without a login"
"""How a request was sent that the server rejects, in the reason of a ``DownloadError``."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply of a server."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: bytes = field(repr=False)
    url: str = ""
    """The URL that answered, after redirects and before mirrors."""


@dataclass(frozen=True, slots=True)
class HttpClient:
    """Sends requests by the rules for hosts."""

    rules: HostRules
    proxies: Mapping[str, str] = field(default_factory=getproxies_environment)
    """The proxies of the user."""
    received: Callable[[int], None] = lambda size: None
    """Called with the size of each part that was received."""

    def get(
        self, url: str, most: int, deadline: float, headers: Mapping[str, str] | None = None, *, prefix: str = ""
    ) -> Reply:
        """Return the reply to a request, after redirects; raises ``DownloadError``.

        ``most`` is the maximum size in bytes, ``deadline`` the time of ``monotonic``. A login in ``headers`` is not
        sent to other hosts that a redirect names. ``prefix`` is placed before the path, after mirrors.
        """
        endpoint = self.endpoint(url)
        first = replace(endpoint, place=replace(endpoint.place, path=f"{prefix}{endpoint.place.path}"))
        endpoint, target, sent = first, url, dict(headers or {})
        for _ in range(_MOST_REDIRECTS):
            reply = self._request(endpoint, urlsplit(target).query, most, deadline, headers=sent)
            if reply.status not in _REDIRECTS:
                return replace(reply, url=target)
            target = urljoin(endpoint.url, reply.headers.get("location", ""))
            endpoint = self.endpoint(target)
            if (endpoint.scheme, endpoint.place.address) != (first.scheme, first.place.address):
                sent.pop("Authorization", None)
        raise DownloadError(f"{public_url(url)} redirects more than {_MOST_REDIRECTS} times")

    def post(self, url: str, body: bytes, most: int, deadline: float, *, headers: Mapping[str, str]) -> Reply:
        """Return the reply to a request with a body, which is not redirected; raises ``DownloadError``."""
        return self._request(self.endpoint(url), urlsplit(url).query, most, deadline, headers=headers, body=body)

    def endpoint(self, url: str) -> Endpoint:
        """Return where a URL leads to; raises ``DownloadError``."""
        found = self.rules.endpoint(url)
        if found is None:
            raise DownloadError(f"{public_url(url)} is not a valid URL with the protocol https")
        return found

    def _request(
        self,
        endpoint: Endpoint,
        query: str,
        most: int,
        deadline: float,
        *,
        headers: Mapping[str, str],
        body: bytes | None = None,
    ) -> Reply:
        shown = endpoint.place.address
        path = f"{endpoint.place.path or '/'}{f'?{query}' if query else ''}"
        if not path.isascii() or not path.isprintable() or " " in path:
            raise DownloadError(f"{shown}: its path is not valid")
        watched: list[socket.socket] = []
        connection = self._connection(endpoint, deadline, watched)
        timer = Timer(max(deadline - monotonic(), 0.0), _stop, [watched])
        timer.daemon = True
        timer.start()
        try:
            method = "GET" if body is None else "POST"
            connection.request(method, path, body, headers={"User-Agent": _AGENT, "Accept": "*/*", **headers})
            with closing(connection.getresponse()) as response:
                content = self._body(response, most, shown)
                return Reply(response.status, {name.lower(): value for name, value in response.getheaders()}, content)
        except (OSError, http.client.HTTPException, ValueError, AttributeError) as fault:
            raise DownloadError(_reason(fault, shown, deadline)) from None
        finally:
            timer.cancel()
            connection.close()
            for each in watched:
                each.close()

    def _body(self, response: http.client.HTTPResponse, most: int, shown: str) -> bytes:
        chunks, size = [], 0
        while chunk := response.read1(_CHUNK):
            chunks.append(chunk)
            size += len(chunk)
            self.received(len(chunk))
            if size > most:
                raise DownloadError(f"{shown} sends more than {most >> 20} MiB")
        if response.length:
            raise ConnectionError(0, "the connection ended early")
        return b"".join(chunks)

    def _connection(
        self, endpoint: Endpoint, deadline: float, watched: list[socket.socket]
    ) -> http.client.HTTPConnection:
        """Return a connection to a server, to its checked address or through the proxy of the user.

        A duplicate of its socket is added to ``watched``.
        """
        host, port = endpoint.place.host.strip("[]"), endpoint.place.port
        proxy = self._proxy(endpoint)
        addresses = _addresses(host, port, is_optional=bool(proxy))
        private = next((one for one in addresses if not is_public(one)), "")
        if private and not endpoint.is_trusted:
            reason = f"has the private address {private}, and no trusted configuration names it"
            raise DownloadError(f"{endpoint.place.address} {reason}")
        target = _Tunnel(proxy) if proxy else None
        timeout = min(_SECONDS_OF_SILENCE, max(deadline - monotonic(), 0.1))
        where = (target.host, target.port) if target else (host, port)
        connection = (
            http.client.HTTPSConnection(*where, timeout=timeout, context=_tls())
            if endpoint.scheme == "https"
            else http.client.HTTPConnection(*where, timeout=timeout)
        )
        if target:
            connection.set_tunnel(host, port, target.headers)
        connect = _connector((target.host,) if target else addresses, watched)
        connection._create_connection = connect  # type: ignore[attr-defined]  # there is no other way to set it
        return connection

    def _proxy(self, endpoint: Endpoint) -> str:
        host = endpoint.place.host.strip("[]")
        proxy = self.proxies.get(endpoint.scheme, "")
        is_direct = host == "localhost" or _is_loopback(host) or proxy_bypass_environment(host, dict(self.proxies))
        return "" if is_direct else proxy


def _stop(watched: list[socket.socket]) -> None:
    """End a request whose time is over: its thread then sees a closed connection."""
    for each in watched:
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def _reason(fault: Exception, shown: str, deadline: float) -> str:
    if monotonic() >= deadline:
        return f"{shown} did not answer in time"
    if isinstance(fault, ssl.SSLCertVerificationError):
        return f"{shown}: its certificate is not valid: {fault.verify_message}"
    return f"{shown} cannot be reached: {getattr(fault, 'strerror', None) or type(fault).__name__}"


def _addresses(host: str, port: int, *, is_optional: bool) -> tuple[str, ...]:
    """Return the IP addresses of a host; none for an unknown one that a proxy may know."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        if is_optional:
            return ()
        raise DownloadError(f"{host} cannot be found") from None
    return tuple(dict.fromkeys(str(one[4][0]) for one in found))


def _is_loopback(host: str) -> bool:
    return host.startswith("127.") or host == "::1"


def _connector(addresses: tuple[str, ...], watched: list[socket.socket]) -> Callable[..., socket.socket]:
    """Return a function that connects to the first of some addresses that answers."""

    def connect(target: tuple[str, int], timeout: float, source: object = None) -> socket.socket:
        fault = OSError(0, "it has no address")
        for address in addresses:
            try:
                found = socket.create_connection((address, target[1]), timeout)
            except OSError as failed:
                fault = failed
                continue
            watched.append(found.dup())
            return found
        raise fault

    return connect


class _Tunnel:
    """The proxy of the user: its host, port, and the headers with its login."""

    def __init__(self, proxy: str) -> None:
        from base64 import b64encode  # noqa: PLC0415  1 ms, for users with a proxy

        parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
        if parts.scheme != "http" or not parts.hostname:
            raise DownloadError("the proxy of the environment is not an HTTP proxy")
        login = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
        self.host, self.port = parts.hostname, parts.port or 80
        basic = {"Proxy-Authorization": f"Basic {b64encode(login.encode()).decode()}"}
        self.headers = basic if parts.username else {}


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()
