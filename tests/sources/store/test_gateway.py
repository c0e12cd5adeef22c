"""The gateway answers only about open downloads, by their secret paths."""

import json
from http.client import HTTPConnection

import pytest

from kubectl_applylint.sources.store.download_errors import DownloadError
from kubectl_applylint.sources.store.gateway import Answer, Gateway, registry_answers, repository_answers
from kubectl_applylint.sources.store.helm_repository import IndexEntry
from kubectl_applylint.sources.store.host_rules import HostRules
from kubectl_applylint.sources.store.hosts import host_path
from kubectl_applylint.sources.store.http_client import HttpClient
from kubectl_applylint.sources.store.registry import Registry


def fail(path: str) -> Answer | None:
    raise DownloadError(f"no {path}")


def get(gateway: Gateway, path: str, method: str = "GET") -> tuple[int, bytes]:
    connection = HTTPConnection(gateway.address)
    connection.request(method, path)
    reply = connection.getresponse()
    found = reply.status, reply.read()
    connection.close()
    return found


def test_only_the_paths_of_open_downloads_are_answered() -> None:
    with Gateway().serve() as gateway:
        with gateway.open(lambda path: ("text/plain", path.encode()) if path != "none" else None) as token:
            assert get(gateway, f"/{token}/index.yaml?x=y") == (200, b"index.yaml")
            assert get(gateway, f"/v2/{token}/web/tags", "HEAD") == (200, b"")
            assert get(gateway, f"/{token}/none") == (404, b"")
            assert get(gateway, "/index.yaml") == (404, b"")
            assert get(gateway, f"/{'0' * 32}/index.yaml") == (404, b"")
            assert get(gateway, "http://other.example/") == (404, b"")
        assert get(gateway, f"/{token}/index.yaml") == (404, b"")


def test_the_first_failure_of_a_download_is_returned() -> None:
    with Gateway().serve() as gateway, gateway.open(fail) as token:
        assert get(gateway, f"/{token}/one")[0] == 404
        assert get(gateway, f"/{token}/two")[0] == 404
        assert gateway.failure(token) == "no one"
        assert gateway.failure("other") == ""


def test_helm_gets_only_the_versions_of_one_chart() -> None:
    entries = [IndexEntry("1.0.0", "https://a.example/one.tgz"), IndexEntry("2.0.0", "https://a.example/two.tgz")]
    answer = repository_answers(entries, "web", lambda entry: entry.version.encode())
    kind, index = answer("index.yaml") or ("", b"")

    assert kind == "application/json"
    assert [one["urls"] for one in json.loads(index)["entries"]["web"]] == [["charts/0.tgz"], ["charts/1.tgz"]]
    assert (answer("charts/1.tgz") or ("", b""))[1] == b"2.0.0"
    assert answer("charts/2.tgz") is None
    assert answer("charts/../1.tgz") is None


def test_helm_gets_only_the_blobs_of_the_manifest() -> None:
    client = HttpClient(HostRules(trusted=(host_path("no.invalid"),)), proxies={})
    answer = registry_answers(Registry(client, "https://no.invalid/web", 0.0), b'{"layers": []}')

    assert answer(f"web/blobs/sha256:{'0' * 64}") is None
    assert answer("web/manifests/latest") is None
    named = registry_answers(Registry(client, "https://no.invalid/web", 0.0), f'"sha256:{"0" * 64}"'.encode())
    with pytest.raises(DownloadError):
        named(f"web/blobs/sha256:{'0' * 64}")
