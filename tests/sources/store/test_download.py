"""Downloads by the real helm from servers on the loopback device, which may also misbehave."""

import base64
import json
import socket
import tarfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Any

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.sources.store import download as downloads
from kubectl_applylint.sources.store.absence import Absence
from kubectl_applylint.sources.store.chart_archive import ArchiveError, read_files
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.download import Downloaded, download
from kubectl_applylint.sources.store.download_errors import AbsentError, DownloadError
from kubectl_applylint.sources.store.gateway import Gateway
from kubectl_applylint.sources.store.host_rules import HostRules
from kubectl_applylint.sources.store.hosts import mirrors
from tests.sources.store.chart_server import ChartServer, digest, serving
from tests.sources.store.packed import pack, packed_chart

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
OCI, HELM = SourceKind.OCI, SourceKind.HELM
VERSIONS = ("1.2.3", "1.3.0", "1.10.0+build.1", "2.0.0-rc.1")
LATEST = ChartSource(OCI, "oci://ghcr.io/owner/charts/web", version="1.x")
REPOSITORY = ChartSource(HELM, "https://charts.example.com/stable", "web", "1.x")


@pytest.fixture(autouse=True)
def on_path(helm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "helm").symlink_to(helm)
    monkeypatch.setenv("PATH", str(folder), prepend=":")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def server() -> Iterator[ChartServer]:
    with serving(ChartServer({("web", version): packed_chart("web", version) for version in VERSIONS})) as found:
        yield found


def rules_for(server: ChartServer) -> HostRules:
    place = f"http://127.0.0.1:{server.port}"
    return HostRules(mirrors=mirrors({"ghcr.io": place, "charts.example.com": f"{place}/mirror"}))


def pull(source: ChartSource, rules: HostRules) -> Downloaded:
    with Gateway().serve() as gateway:
        return download(source, rules, gateway)


@pytest.mark.parametrize(
    ("source", "version"),
    [
        (LATEST, "1.10.0+build.1"),
        (ChartSource(OCI, LATEST.url, version="1.2.3"), "1.2.3"),
        (ChartSource(OCI, LATEST.url, version="1.10.0+build.1"), "1.10.0+build.1"),
        (ChartSource(OCI, LATEST.url), "1.10.0+build.1"),
        (ChartSource(OCI, LATEST.url, version=">=1.0.0-0"), "2.0.0-rc.1"),
        (ChartSource(OCI, LATEST.url, version=">=1", filter=r"^1\.[23]\."), "1.3.0"),
        (REPOSITORY, "1.10.0+build.1"),
        (ChartSource(HELM, REPOSITORY.url, "web", "1.2.3"), "1.2.3"),
        (ChartSource(HELM, REPOSITORY.url, "web"), "1.10.0+build.1"),
    ],
    ids=str,
)
def test_helm_pulls_the_version_that_a_source_means(server: ChartServer, source: ChartSource, version: str) -> None:
    found = pull(source, rules_for(server))

    assert found.packed == packed_chart("web", version)
    assert found.size >= len(found.packed)
    assert not found.is_private


def test_a_digest_and_a_tag_are_taken_literally(server: ChartServer) -> None:
    server.charts["web", "main"] = packed_chart("web", "1.3.0")
    _, manifest = server.manifest(packed_chart("web", "1.3.0"))
    by_digest = ChartSource(OCI, LATEST.url, version=digest(manifest))
    by_tag = ChartSource(OCI, LATEST.url, version="main", is_tag=True)

    assert pull(by_digest, rules_for(server)).packed == packed_chart("web", "1.3.0")
    assert pull(by_tag, rules_for(server)).packed == packed_chart("web", "1.3.0")


def test_a_registry_may_ask_for_a_token(server: ChartServer) -> None:
    server.token = "anonymous"

    assert pull(LATEST, rules_for(server)).packed == packed_chart("web", "1.10.0+build.1")
    assert {*server.logins} == {"Bearer anonymous"}


def test_credentials_are_sent_only_to_allowed_paths(server: ChartServer, tmp_path: Path) -> None:
    server.token = "granted"
    word = base64.b64encode(b"user:password").decode()
    config = tmp_path / "home/.docker/config.json"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"auths": {f"127.0.0.1:{server.port}": {"auth": word}}}))

    found = pull(LATEST, rules_for(server))

    assert found.is_private
    assert {*server.logins} == {f"Basic {word}", "Bearer granted"}


def reason(source: ChartSource, rules: HostRules) -> str:
    with pytest.raises(DownloadError) as caught:
        pull(source, rules)
    return str(caught.value)


NEWEST = "its newest version is 1.10.0+build.1"


def test_versions_charts_and_hosts_that_do_not_exist(server: ChartServer) -> None:
    rules = rules_for(server)

    assert reason(ChartSource(OCI, LATEST.url, version="9.x"), rules) == (
        f"it does not have a tag in the range '9.x'; {NEWEST}"
    )
    assert reason(ChartSource(HELM, REPOSITORY.url, "web", "9"), rules) == (
        f"it does not have a version in the range '9' of the chart web; {NEWEST}"
    )
    assert reason(ChartSource(OCI, LATEST.url, version="9.9.9"), rules) == f"it does not have the tag 9.9.9; {NEWEST}"
    assert reason(ChartSource(HELM, REPOSITORY.url, "webb", "1"), rules) == (
        "it does not have the chart webb; did you mean web?"
    )
    assert reason(ChartSource(HELM, "https://no.invalid", "web"), rules) == "no.invalid cannot be found"


MANIFEST = "/v2/owner/charts/web/manifests/9.9.9"
TAGS = "/v2/owner/charts/web/tags/list"
NO_ANSWER: list[dict[str, tuple[int, Mapping[str, str], bytes]]] = [
    {MANIFEST: (401, {}, b"")},
    {MANIFEST: (500, {}, b"")},
    {TAGS: (403, {}, b"")},
    {TAGS: (200, {}, b"<html>log in</html>")},
    {TAGS: (200, {}, b'{"tags": null}')},
    {TAGS: (200, {}, b'{"tags": ["9.9.9"]}')},
]


@pytest.mark.parametrize("special", NO_ANSWER)
def test_a_failure_is_no_answer_that_a_tag_does_not_exist(
    server: ChartServer, special: dict[str, tuple[int, Mapping[str, str], bytes]]
) -> None:
    server.special |= special

    with pytest.raises(DownloadError) as caught:
        pull(ChartSource(OCI, LATEST.url, version="9.9.9"), rules_for(server))

    assert not isinstance(caught.value, AbsentError)


def test_a_repository_that_a_registry_does_not_have(server: ChartServer) -> None:
    server.special[TAGS] = (404, {}, b"")

    for version in ("9.9.9", "9.x"):
        with pytest.raises(AbsentError) as caught:
            pull(ChartSource(OCI, LATEST.url, version=version), rules_for(server))
        assert caught.value.absence == Absence(is_whole=True)


@pytest.mark.parametrize("page", [b"<html>log in</html>", b"entries: {}", b'{"entries": {}}', b""])
def test_a_page_that_is_no_index_is_no_answer(server: ChartServer, page: bytes) -> None:
    server.special["/mirror/stable/index.yaml"] = (200, {}, page)

    assert reason(ChartSource(HELM, REPOSITORY.url, "web", "1"), rules_for(server)) == (
        "the index of the repository lists no charts"
    )


def test_another_digest_is_rejected(server: ChartServer) -> None:
    server.digests["1.2.3"] = "0" * 64
    wrong = ChartSource(OCI, LATEST.url, version=f"sha256:{'0' * 64}")
    _, manifest = server.manifest(packed_chart("web", "1.3.0"))
    server.special[f"/v2/owner/charts/web/manifests/sha256:{'0' * 64}"] = (200, {}, manifest)
    blob = f"/v2/owner/charts/web/blobs/{digest(packed_chart('web', '1.3.0'))}"
    server.special[blob] = (200, {}, packed_chart("web", "1.2.3"))

    assert "differs from" in reason(ChartSource(HELM, REPOSITORY.url, "web", "1.2.3"), rules_for(server))
    assert "differs from" in reason(wrong, rules_for(server))
    assert "differs from" in reason(ChartSource(OCI, LATEST.url, version="1.3.0"), rules_for(server))


@pytest.mark.parametrize(
    ("part", "lie"),
    [
        ("layer", {"size": 1}),
        ("layer", {"size": 1 << 60}),
        ("layer", {"size": -1}),
        ("layer", {"mediaType": "application/x-sh"}),
        ("config", {"size": 1 << 60}),
        ("config", {"mediaType": "application/x-sh"}),
    ],
    ids=str,
)
def test_wrong_sizes_and_media_types_of_a_manifest_are_rejected(
    server: ChartServer, part: str, lie: dict[str, Any]
) -> None:
    _, manifest = server.manifest(packed_chart("web", "1.2.3"))
    listed = json.loads(manifest)
    (listed["config"] if part == "config" else listed["layers"][0]).update(lie)
    server.special["/v2/owner/charts/web/manifests/1.2.3"] = (200, {}, json.dumps(listed).encode())

    assert reason(ChartSource(OCI, LATEST.url, version="1.2.3"), rules_for(server)).startswith("helm pull failed: ")


def test_a_lie_about_the_length_of_a_chart(server: ChartServer) -> None:
    packed = packed_chart("web", "1.2.3")
    server.special["/mirror/stable/files/web-1.2.3.tgz"] = (200, {"Content-Length": "10"}, packed)

    assert "differs from" in reason(ChartSource(HELM, REPOSITORY.url, "web", "1.2.3"), rules_for(server))


def test_a_redirect_to_a_private_address_is_not_followed(server: ChartServer) -> None:
    with serving(ChartServer()) as other:
        for place in (
            f"http://127.0.0.1:{other.port}/",
            f"https://127.0.0.1:{other.port}/",
            f"https://localhost:{other.port}/",
        ):
            server.special["/mirror/stable/index.yaml"] = (302, {"Location": place}, b"")
            server.special["/v2/owner/charts/web/manifests/1.2.3"] = (307, {"Location": place}, b"")
            reasons = {
                reason(one, rules_for(server)) for one in (REPOSITORY, ChartSource(OCI, LATEST.url, version="1.2.3"))
            }

            assert all("private address" in one or "with the protocol https" in one for one in reasons)

    assert other.requests == []


def test_a_redirect_and_absolute_urls_of_an_index_pass_the_rules(server: ChartServer) -> None:
    entry = {"name": "web", "version": "1.2.3", "urls": ["https://ghcr.io/files/web-1.2.3.tgz"]}
    server.special["/mirror/stable/index.yaml"] = (302, {"Location": "/moved.yaml"}, b"")
    server.special["/moved.yaml"] = (200, {}, json.dumps({"entries": {"web": [entry]}}).encode())
    found = pull(REPOSITORY, rules_for(server))

    assert found.packed == packed_chart("web", "1.2.3")
    assert server.requests == ["GET /mirror/stable/index.yaml", "GET /moved.yaml", "GET /files/web-1.2.3.tgz"]


def test_endless_redirects_and_large_replies_end(server: ChartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    server.special["/mirror/stable/index.yaml"] = (302, {"Location": "/mirror/stable/index.yaml"}, b"")
    assert "redirects more than 5 times" in reason(REPOSITORY, rules_for(server))

    monkeypatch.setattr(downloads, "_MOST_INDEX", 1 << 20)
    server.special["/mirror/stable/index.yaml"] = (200, {}, b" " * (3 << 20))
    assert reason(REPOSITORY, rules_for(server)).endswith("sends more than 1 MiB")


def test_a_slow_server_is_given_up(server: ChartServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "SECONDS", 0.5)
    server.special["/mirror/stable/index.yaml"] = (200, {"Content-Length": "1000"}, b"entries:")

    assert reason(REPOSITORY, rules_for(server))


def test_the_proxy_and_the_plugins_of_the_user_are_not_used_by_helm(
    server: ChartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plugins = tmp_path / "plugins/evil"
    plugins.mkdir(parents=True)
    (plugins / "plugin.yaml").write_text(
        f"name: evil\nversion: 1.0.0\ncommand: touch {tmp_path}/ran\ndownloaders:\n- command: touch {tmp_path}/ran\n"
        "  protocols: [http, https, oci]\n"
    )
    with serving(ChartServer()) as proxy:
        monkeypatch.setenv("HELM_PLUGINS", str(tmp_path / "plugins"))
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")

        assert pull(LATEST, rules_for(server)).packed
        assert pull(REPOSITORY, rules_for(server)).packed

    assert proxy.requests == []
    assert not (tmp_path / "ran").exists()


def test_an_invalid_chart_of_a_registry_is_not_downloaded(server: ChartServer) -> None:
    server.special["/v2/owner/charts/web/manifests/1.2.3"] = (200, {}, b'{"schemaVersion": 2, "layers": []}')

    assert reason(ChartSource(OCI, LATEST.url, version="1.2.3"), rules_for(server)).startswith("helm pull failed: ")
    assert reason(ChartSource(HELM, REPOSITORY.url, "web", "-x"), rules_for(server)) == "'-x' is not a valid version"


def test_without_helm_nothing_is_contacted(
    server: ChartServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    assert "was not found on the PATH" in reason(LATEST, rules_for(server))
    assert server.requests == []


def test_a_server_that_drips_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(downloads, "SECONDS", 1.0)
    listener = socket.create_server(("127.0.0.1", 0))
    is_over = Event()

    def drip() -> None:
        with listener, listener.accept()[0] as connection, suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
            while not is_over.wait(0.1):
                connection.sendall(b" ")

    thread = Thread(target=drip, daemon=True)
    thread.start()
    rules = HostRules(mirrors=mirrors({"charts.example.com": f"http://127.0.0.1:{listener.getsockname()[1]}"}))
    started = monotonic()

    assert reason(REPOSITORY, rules) == f"{rules.mirrors[0].place.address} did not answer in time"
    assert monotonic() - started < 5
    is_over.set()
    thread.join()


ARTIFACT = ChartSource(SourceKind.ARTIFACT, "oci://ghcr.io/fluxcd/flux-manifests", version="v2.9.5", is_tag=True)


def serve_artifact(server: ChartServer, layers: Mapping[str, bytes]) -> str:
    """Serve an artifact with layers by media type for all references, and return its digest."""
    listed = [{"mediaType": kind, "digest": digest(content)} for kind, content in layers.items()]
    manifest = json.dumps({"schemaVersion": 2, "layers": listed}).encode()
    path = "/v2/fluxcd/flux-manifests"
    for reference in ("v2.9.5", "latest", digest(manifest)):
        server.special[f"{path}/manifests/{reference}"] = (200, {}, manifest)
    server.special[f"{path}/tags/list"] = (200, {}, json.dumps({"tags": ["v2.9.5", "v2.8.0", "v3.0.0-rc.1"]}).encode())
    server.special |= {f"{path}/blobs/{digest(content)}": (200, {}, content) for content in layers.values()}
    return digest(manifest)


def plain_archive(*entries: tuple[str, bytes]) -> bytes:
    return pack([(tarfile.TarInfo(path), content) for path, content in entries])


CONTENT = plain_archive(("./a.yaml", b"a: 1"), ("b/c.yaml", b"c: 1"))


@pytest.mark.parametrize(
    ("source", "revision"),
    [
        (ARTIFACT, "v2.9.5"),
        (replace(ARTIFACT, version="2.x", is_tag=False), "v2.9.5"),
        (replace(ARTIFACT, version=">=2", is_tag=False, filter="2[.]8"), "v2.8.0"),
        (replace(ARTIFACT, layer="text/b"), "v2.9.5"),
    ],
)
def test_the_files_of_an_artifact_are_downloaded(server: ChartServer, source: ChartSource, revision: str) -> None:
    serve_artifact(server, {"text/a" if not source.layer else "text/b": CONTENT, "text/c": b"other"})
    server.special["/v2/fluxcd/flux-manifests/manifests/v2.8.0"] = server.special[
        "/v2/fluxcd/flux-manifests/manifests/v2.9.5"
    ]

    found = pull(source, rules_for(server))
    assert read_files(found.packed) == {"a.yaml": b"a: 1", "b/c.yaml": b"c: 1"}
    assert (found.revision, found.is_private, found.size > len(CONTENT)) == (revision, False, True)


def test_an_artifact_has_the_digest_that_names_it(server: ChartServer) -> None:
    own = serve_artifact(server, {"text/a": CONTENT})
    source = replace(ARTIFACT, version=own, is_tag=False)
    assert pull(source, rules_for(server)).revision == own

    server.special[f"/v2/fluxcd/flux-manifests/manifests/{own}"] = (200, {}, b"{}")
    assert reason(source, rules_for(server)) == f"the digest differs from {own}"


@pytest.mark.parametrize(
    ("layers", "source", "message"),
    [
        ({}, ARTIFACT, "the artifact has no layer"),
        ({"text/a": CONTENT}, replace(ARTIFACT, layer="text/b"), "the artifact has no layer of the type 'text/b'"),
        ({"text/a": b"x"}, ARTIFACT, "the archive is damaged"),
        ({"text/a": plain_archive(("../a", b""))}, ARTIFACT, "the archive has an unsafe path"),
        ({"text/a": plain_archive()}, ARTIFACT, "the artifact has no files"),
    ],
    ids=["no layer", "other layers", "no archive", "way out", "no files"],
)
def test_artifacts_without_safe_files(
    server: ChartServer, layers: Mapping[str, bytes], source: ChartSource, message: str
) -> None:
    serve_artifact(server, layers)

    with pytest.raises((DownloadError, ArchiveError), match=message):
        pull(source, rules_for(server))
