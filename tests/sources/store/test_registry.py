"""Registries with pages of tags, tokens, and replies that are not valid."""

import json
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from kubectl_applylint.sources.store.download_errors import DownloadError
from kubectl_applylint.sources.store.host_rules import HostRules, places
from kubectl_applylint.sources.store.hosts import host_path, mirrors
from kubectl_applylint.sources.store.http_client import HttpClient
from kubectl_applylint.sources.store.registry import Registry, registry
from tests.sources.store.chart_server import ChartServer, serving


@pytest.fixture
def server() -> Iterator[ChartServer]:
    with serving(ChartServer()) as found:
        yield found


def registry_of(server: ChartServer) -> Registry:
    rules = HostRules(mirrors=mirrors({"ghcr.io": f"http://127.0.0.1:{server.port}"}))
    return registry(HttpClient(rules, proxies={}), "oci://user:password@GHCR.io/owner/web", monotonic() + 5)


def test_all_pages_of_tags_are_read(server: ChartServer) -> None:
    first = {"Link": '</v2/owner/web/tags/list?last=a>; rel="next"'}
    answers = iter([(200, first, b'{"tags": ["1.0.0", 5]}'), (200, {}, b'{"tags": ["2.0.0"]}')])
    server.answer = lambda path, authorization: next(answers)  # type: ignore[method-assign]  # another server

    assert registry_of(server).tags() == ["1.0.0", "2.0.0"]
    assert server.requests == ["GET /v2/owner/web/tags/list", "GET /v2/owner/web/tags/list?last=a"]


@pytest.mark.parametrize(
    ("status", "reason"),
    [
        (404, "ghcr.io has no such chart, artifact or version"),
        (403, r"ghcr.io rejects the request without a login \(403\)"),
        (500, "ghcr.io answers with 500"),
    ],
)
def test_a_status_is_a_reason(server: ChartServer, status: int, reason: str) -> None:
    server.special["/v2/owner/web/manifests/1"] = (status, {}, b"")

    with pytest.raises(DownloadError, match=reason):
        registry_of(server).manifest("1")


@pytest.mark.parametrize(
    "challenge",
    [
        "",
        "Basic",
        'Bearer realm="http://127.0.0.1:1/"',
        'Bearer realm="file:///etc/passwd"',
        'Bearer realm="https://[::1"',
    ],
)
def test_a_challenge_that_cannot_be_met_is_a_reason(server: ChartServer, challenge: str) -> None:
    server.special["/v2/owner/web/manifests/1"] = (401, {"WWW-Authenticate": challenge}, b"")

    with pytest.raises(DownloadError):
        registry_of(server).manifest("1")
    assert len(server.requests) == 1


@pytest.mark.parametrize("token", ["", "a\nb", "ä"])
def test_a_token_that_is_no_header_is_rejected(server: ChartServer, token: str) -> None:
    server.token = token
    realm = f'Bearer realm="http://127.0.0.1:{server.port}/token"'
    server.special["/v2/owner/web/manifests/1"] = (401, {"WWW-Authenticate": realm}, b"")

    with pytest.raises(DownloadError, match="rejects the request"):
        registry_of(server).manifest("1")


@pytest.mark.parametrize(
    ("url", "has_login"),
    [
        ("oci://ghcr.io/owner/other", True),
        ("oci://ghcr.io/private/web", False),
        ("oci://other.example/owner/web", False),
        ("oci://trusted.example/any/web", True),
    ],
)
def test_a_login_is_for_the_paths_of_owners_that_are_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str, *, has_login: bool
) -> None:
    logins = {host: {"auth": "dTpw"} for host in ("ghcr.io", "other.example", "trusted.example")}
    (tmp_path / "config.json").write_text(json.dumps({"auths": logins}))
    monkeypatch.setenv("HELM_REGISTRY_CONFIG", str(tmp_path / "config.json"))
    rules = HostRules(trusted=(host_path("trusted.example"),), earlier=places(["https://ghcr.io/owner/web"]))

    assert bool(registry(HttpClient(rules, proxies={}), url, 0.0).login) is has_login
