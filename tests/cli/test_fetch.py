"""The command that downloads charts, with real servers on the loopback device."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sources.repositories import create
from tests.sources.store.chart_server import ChartServer, serving
from tests.sources.store.packed import packed_chart

Run = Callable[..., tuple[int, str, str]]
FILES = {
    "source.yaml": """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: web, namespace: apps}
spec: {url: 'oci://user:secret@ghcr.io/owner/web', ref: {semver: 1.x}}
""",
    "release.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: apps}
spec: {chartRef: {kind: OCIRepository, name: web}}
""",
}


@pytest.fixture
def server() -> Iterator[ChartServer]:
    with serving(ChartServer({("web", "1.2.3"): packed_chart()})) as found:
        yield found


@pytest.fixture(name="trust_flags")
def _trust_flags(folder: Path, server: ChartServer, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    for name, text in FILES.items():
        (folder / name).write_text(text)
    (folder / "trusted.yaml").write_text(f"mirrors: {{ghcr.io: 'http://127.0.0.1:{server.port}'}}\n")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "cache"))
    return "--config", "trusted.yaml"


@pytest.mark.cluster
def test_a_chart_is_downloaded_once_and_packed(
    run: Run,
    folder: Path,
    trust_flags: tuple[str, str],
    server: ChartServer,
    helm: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (folder / "bin").mkdir()
    (folder / "bin/helm").symlink_to(helm)
    monkeypatch.setenv("PATH", str(folder / "bin"), prepend=":")
    first = run("fetch", *trust_flags, "-o", "charts.store")
    number = len(server.requests)
    code, out, err = run("fetch", *trust_flags, "-o", "json")
    again = run("fetch", "--store", "charts.store")

    assert first[0] == 0
    assert first[1].startswith("fetched oci://ghcr.io/owner/web 1.x -> 1.2.3\n1 fetched; ")
    assert (code, err) == (0, "")
    assert json.loads(out)["sources"][0]["status"] == "stored"
    assert len(server.requests) == number
    assert again == (0, "1 stored\n", "")
    assert "secret" not in "".join((*first[1:], out))


def test_a_host_that_is_not_allowed_is_not_contacted(
    run: Run, trust_flags: tuple[str, str], server: ChartServer
) -> None:
    code, out, err = run("fetch")
    message = "oci://ghcr.io/owner/web 1.x: the host ghcr.io is not allowed; allow it with --allow-host ghcr.io"

    assert (code, out) == (3, "1 missing\n")
    assert f"source.yaml:1: {message}" in err
    assert "secret" not in err
    assert server.requests == []


def test_a_dry_run_contacts_nothing(run: Run, trust_flags: tuple[str, str], server: ChartServer) -> None:
    assert run("fetch", *trust_flags, "--dry-run") == (0, "listed  oci://ghcr.io/owner/web 1.x\n1 listed\n", "")
    assert server.requests == []


def test_usage_errors(run: Run, folder: Path, trust_flags: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("fetch", "--store", "charts.store", "--update")[0] == 2
    assert run("fetch", "--allow-host", "https://ghcr.io")[0] == 2
    assert run("fetch", *trust_flags, "nowhere")[0] == 3
    assert run("fetch", "--store", "release.yaml")[0] == 3
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", "")
    assert run("fetch", *trust_flags)[0] == 2


@pytest.mark.cluster
def test_a_version_that_the_source_does_not_have_is_a_finding(
    run: Run, folder: Path, trust_flags: tuple[str, str], helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    repo = create(folder)
    repo.commit({".gitignore": "cache\ntrusted.yaml\n", **FILES})
    (folder / "source.yaml").write_text(FILES["source.yaml"].replace("semver: 1.x", "tag: 1.2.4"))
    fetched = run("fetch", *trust_flags)
    answer = "127.0.0.1:{port}, the mirror of oci://ghcr.io/owner/web, does not have the tag 1.2.4 (asked on "
    outputs = [run(command, *arguments) for command, *arguments in COMMANDS]

    assert fetched[0] == 3
    assert "oci://ghcr.io/owner/web 1.2.4: it does not have the tag 1.2.4; its newest version is 1.2.3;" in fetched[2]
    for code, out, err in outputs:
        text = " ".join(re.sub(r"127\.0\.0\.1:[0-9]+", "127.0.0.1:{port}", out + err).split())
        assert (code, answer in text, "its newest version is 1.2.3" in text) == (3, True, True), text
        assert "user:secret" not in text
    for _, out, err in outputs[:3]:
        assert "source-without-version-applies-nothing" in out + err

    (folder / "source.yaml").write_text(FILES["source.yaml"].replace("semver: 1.x", "tag: 1.2.3"))
    run("fetch", *trust_flags)
    for command in COMMANDS[:3]:
        assert "source-without-version-applies-nothing" not in "".join(run(*command)[1:])


@pytest.mark.cluster
def test_a_missing_version_of_both_revisions_is_one_problem(
    run: Run, folder: Path, trust_flags: tuple[str, str], helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    source = FILES["source.yaml"].replace("semver: 1.x", "tag: 1.2.4")
    create(folder).commit({".gitignore": "cache\ntrusted.yaml\n", **FILES, "source.yaml": source})
    (folder / "release.yaml").write_text(FILES["release.yaml"].replace("name: web}}", "name: web}, values: {a: 1}}"))
    run("fetch", *trust_flags)

    code, out, _ = run("plan", "--against", "HEAD")

    assert code == 3
    assert out.count("problem:") == 1


COMMANDS = (("check", "."), ("check", "--against", "HEAD"), ("plan", "--against", "HEAD"), ("render", "."))
