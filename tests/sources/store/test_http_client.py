"""Requests: through the proxy of the user, to checked addresses, with TLS; and what makes them fail."""

import socket
from time import monotonic

import pytest

from kubectl_applylint.sources.store import http_client
from kubectl_applylint.sources.store.download_errors import DownloadError
from kubectl_applylint.sources.store.host_rules import HostRules
from kubectl_applylint.sources.store.hosts import host_path, mirrors
from kubectl_applylint.sources.store.http_client import HttpClient
from tests.sources.store.chart_server import PEM, ChartServer, serving


def failure(client: HttpClient, url: str) -> str:
    with pytest.raises(DownloadError) as caught:
        client.get(url, 1000, monotonic() + 5)
    return str(caught.value)


def test_the_proxy_of_the_user_is_used_for_other_hosts() -> None:
    with serving(ChartServer()) as proxy:
        proxies = {"https": f"http://user:secret@127.0.0.1:{proxy.port}"}
        client = HttpClient(HostRules(trusted=(host_path("charts.invalid"),)), proxies=proxies)
        reason = failure(client, "https://charts.invalid/x")

    assert "charts.invalid" in reason
    assert "secret" not in reason
    assert failure(HttpClient(client.rules, proxies={"https": "socks5://x"}), "https://charts.invalid/x") == (
        "the proxy of the environment is not an HTTP proxy"
    )


@pytest.mark.parametrize("url", ["ftp://a.example", "http://a.example", "https://", "https://user:secret@[::1"])
def test_other_protocols_are_rejected(url: str) -> None:
    reason = failure(HttpClient(HostRules(), proxies={}), url)

    assert "is not a valid URL with the protocol https" in reason
    assert "secret" not in reason


def test_the_checked_address_is_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads to another address when it is looked up again (DNS rebinding) has no effect."""
    asked = iter([[(2, 1, 6, "", ("127.0.0.1", 1))]])
    with serving(ChartServer(special={"/x": (200, {}, b"found")})) as server:
        monkeypatch.setattr(socket, "getaddrinfo", lambda *words, **named: next(asked))
        real = socket.create_connection
        seen: list[object] = []

        def connect(target: tuple[str, int], timeout: float) -> socket.socket:
            seen.append(target[0])
            monkeypatch.undo()
            return real(target, timeout)

        monkeypatch.setattr(socket, "create_connection", connect)
        rules = HostRules(mirrors=mirrors({"a.example": f"http://b.example:{server.port}"}))
        found = HttpClient(rules, proxies={}).get("https://a.example/x", 1000, monotonic() + 5)

    assert (found.body, seen) == (b"found", ["127.0.0.1"])


def test_a_server_without_tls_or_without_an_answer_is_a_reason() -> None:
    with serving(ChartServer()) as server:
        client = HttpClient(HostRules(trusted=(host_path(f"127.0.0.1:{server.port}"),)), proxies={})
        assert failure(client, f"https://127.0.0.1:{server.port}/").startswith(
            f"127.0.0.1:{server.port} cannot be reached"
        )
    assert failure(client, f"https://127.0.0.1:{server.port}/").startswith(f"127.0.0.1:{server.port} cannot be reached")


@pytest.mark.parametrize(
    ("certificate", "authority", "answer"),
    [
        ("server.crt", "authority.crt", "found"),
        ("server.crt", "other-authority.crt", "its certificate is not valid"),
        ("elsewhere.crt", "authority.crt", "its certificate is not valid"),
        ("expired.crt", "authority.crt", "its certificate is not valid"),
    ],
)
def test_certificates_are_verified(
    monkeypatch: pytest.MonkeyPatch, certificate: str, authority: str, answer: str
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(PEM / authority))
    http_client._tls.cache_clear()
    with serving(ChartServer(special={"/x": (200, {}, b"found")}), certificate) as server:
        client = HttpClient(HostRules(trusted=(host_path(f"127.0.0.1:{server.port}"),)), proxies={})
        try:
            found = client.get(f"https://127.0.0.1:{server.port}/x", 1000, monotonic() + 5).body.decode()
        except DownloadError as fault:
            found = str(fault)
    http_client._tls.cache_clear()

    assert answer in found


def test_a_path_that_is_no_path_is_rejected() -> None:
    rules = HostRules(mirrors=mirrors({"a.example": "http://127.0.0.1:1"}))

    assert failure(HttpClient(rules, proxies={}), "https://a.example/a b\u00e4") == "127.0.0.1:1: its path is not valid"
