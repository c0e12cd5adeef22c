"""Kustomizations of Flux whose source is an OCI artifact, with a registry on the loopback device."""

import json
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.sources.repositories import create
from tests.sources.store.chart_server import ChartServer, digest, serving
from tests.sources.store.packed import pack

Run = Callable[..., tuple[int, str, str]]
OBJECTS = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: manifests, namespace: apps}
spec: {url: "oci://ghcr.io/fluxcd/flux-manifests", ref: {tag: v2.9.5}, ignore: "/left.yaml"}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: flux, namespace: apps}
spec: {path: ./, prune: true, sourceRef: {kind: OCIRepository, name: manifests}, targetNamespace: other}
"""
MANIFEST = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: NAME}\n"


@pytest.fixture
def server(folder: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ChartServer]:
    create(folder).git("remote", "add", "origin", "https://github.com/org/fleet")
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    monkeypatch.setenv("APPLYLINT_CACHE_DIR", str(folder / "cache"))
    names = {"one.yaml": "made", "left.yaml": "left"}
    content = pack((tarfile.TarInfo(path), MANIFEST.replace("NAME", name).encode()) for path, name in names.items())
    manifest = json.dumps({"layers": [{"mediaType": "a", "digest": digest(content)}]}).encode()
    with serving(ChartServer()) as found:
        path = "/v2/fluxcd/flux-manifests"
        found.special[f"{path}/manifests/v2.9.5"] = (200, {}, manifest)
        found.special[f"{path}/blobs/{digest(content)}"] = (200, {}, content)
        (folder / "trusted.yaml").write_text(f"mirrors: {{ghcr.io: 'http://127.0.0.1:{found.port}'}}\n")
        (folder / ".gitignore").write_text("cache\n")
        yield found


@pytest.mark.cluster
def test_a_kustomization_of_an_artifact_is_fetched_and_built(run: Run, folder: Path, server: ChartServer) -> None:
    (folder / "flux.yaml").write_text(OBJECTS)
    missing = run("units", ".")
    fetched = run("fetch", "--config", "trusted.yaml")
    code, out, err = run("render", ".")

    assert "oci://ghcr.io/fluxcd/flux-manifests" in "".join(missing[1:])
    assert fetched[0] == 0, fetched
    assert (code, "name: made" in out, "namespace: other" in out, "name: left" in out) == (0, True, True, False), err
