"""The results of ``flux build kustomization`` and ``flux diff kustomization`` that flux2 keeps for its own tests."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.tools.flux.build import SourceTree, build
from kubectl_applylint.tools.flux.kustomization import FluxKustomization
from kubectl_applylint.tools.flux.source_files import packed_files
from kubectl_applylint.tools.flux.substitution import Source, SubstituteReference, variables_of
from tests.cluster.build import SOURCES
from tests.cluster.cluster import Cluster
from tests.cluster.desk import Desk, open_desk

MODULE = "github.com/fluxcd/flux2/v2@v2.9.5"
MASKED = "a value of a Secret"
SOPS: JsonObject = {"provider": "sops"}
"""The decryption by the controller; flux does not read it."""
VERDICTS = {"created": "created", "drifted": "configured"}
LINE = re.compile(r"► (\w+)/(?:default/)?(\S+) (\w+)")


@pytest.fixture(scope="session", name="golden")
def _golden() -> Path:
    """The folder of flux2's test data for builds."""
    try:
        command = ["go", "mod", "download", "-json", MODULE]
        run = subprocess.run(command, cwd=SOURCES, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("Go is not installed, or the module cannot be had")
    return Path(json.loads(run.stdout)["Dir"], "cmd/flux/testdata/build-kustomization")


def tree_of(folder: Path, ignore: str) -> SourceTree:
    files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    kept = packed_files(files, files.__getitem__, ignore)
    return SourceTree(kept, lambda paths: {path: files[path] for path in paths})


def no_source(_: SubstituteReference) -> Source:
    return None


def built(golden: Path, path: str, kustomization: JsonObject, ignore: str = "") -> Iterator[JsonObject]:
    """Yield the objects of a Kustomization with another path, and of the Kustomizations among them."""
    declared = {**kustomization, "spec": {**kustomization["spec"], "path": "./", "decryption": SOPS}}
    (document,) = read_text(json.dumps(declared), "podinfo.yaml").documents
    found = build(document, tree_of(golden / path, ignore), variables_of(declared, no_source), is_strict=False)
    assert found.input.problems == ()
    source = FluxKustomization(document.ref.name, document.ref.namespace)
    for made in found.input.documents:
        yield source.with_owner_labels(made.object)
    for made in found.input.documents:
        if is_kustomization(made):
            yield from built(golden, made.object["spec"]["path"], made.object)


def is_kustomization(document: Document) -> bool:
    return document.ref.group == "kustomize.toolkit.fluxcd.io"


def mask_secret(item: JsonObject) -> JsonObject:
    """Return a Secret with masked values, as flux prints it, and without SOPS metadata; others as they are."""
    if item["kind"] != "Secret":
        return item
    data: dict[str, Json] = {
        name: dict.fromkeys(mapping(item[name]), MASKED) for name in ("data", "stringData") if name in item
    }
    return {**{name: value for name, value in item.items() if name != "sops"}, **data}


def by_name(items: list[JsonObject]) -> dict[str, JsonObject]:
    return {str(ref_of(item)): mask_secret(item) for item in items}


@pytest.mark.parametrize(
    ("path", "result", "ignore"),
    [
        ("podinfo", "podinfo-result.yaml", ""),
        ("delete-service", "podinfo-without-service-result.yaml", ""),
        ("var-substitution", "podinfo-with-var-substitution-result.yaml", ""),
        ("ignore", "podinfo-with-ignore-result.yaml", "!configmap.yaml\n!secret.yaml"),
        ("podinfo-with-my-app", "podinfo-with-my-app-result.yaml", ""),
    ],
)
def test_builds(
    golden: Path,
    kubectl: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    result: str,
    ignore: str,
) -> None:
    (tmp_path / "kubectl").symlink_to(kubectl)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    text = (golden / "podinfo-kustomization.yaml").read_text().replace("{{ .fluxns }}", "flux-system")
    (kustomization,) = read_text(text, "podinfo.yaml").documents
    expected = read_text((golden / result).read_text().replace("{{ .fluxns }}", "flux-system"), result).documents

    assert by_name([*built(golden, path, kustomization.object, ignore)]) == by_name([one.object for one in expected])


def in_test_namespace(desk: Desk, text: str) -> str:
    """Return a manifest of flux2 for the namespace of a test."""
    named = text.replace("{{ .fluxns }}", "flux-system").replace("amespace: default", f"amespace: {desk.namespace}")
    return named.replace("  prune: true\n", "  prune: true\n  decryption: {provider: sops}\n")


def verdicts_of_changes(desk: Desk, build: Path, kustomization: str) -> Mapping[tuple[str, str], str]:
    """Return the verdicts of the objects that change, by kind and name."""
    repository = desk.folder / "repository"
    shutil.copytree(build, repository / "kustomize")
    if build.name == "podinfo-with-my-app":
        shutil.copytree(build.parent / "my-app", repository / "my-app")
    (repository / "flux").mkdir()
    (repository / "flux" / "kustomization.yaml").write_text(in_test_namespace(desk, kustomization))
    done = desk.run("applylint plan repository --against live -o json", desk.reader)
    assert done.stdout, done.stderr
    return {
        (one["kind"], one["name"]): one["verdict"]
        for one in json.loads(done.stdout)["objects"]
        if one["verdict"] != "unchanged" and one["kind"] != "Kustomization"
    }


@pytest.mark.parametrize(
    ("path", "kustomization", "live", "result"),
    [
        ("podinfo", "", "", "diff-new-kustomization"),
        ("podinfo", "", "deployment", "diff-with-deployment"),
        ("podinfo", "", "service", "diff-with-drifted-service"),
        ("podinfo", "", "secret", "diff-with-drifted-secret"),
        ("podinfo", "", "key-sops-secret", "diff-with-drifted-key-sops-secret"),
        ("podinfo", "", "dockerconfigjson-sops-secret", "diff-with-dockerconfigjson-sops-secret"),
        ("podinfo", "", "value-sops-secret", "diff-with-drifted-value-sops-secret"),
        ("podinfo", "", "stringdata-sops-secret", "diff-with-drifted-stringdata-sops-secret"),
        ("podinfo", "drift-ignore", "drifted-service-no-labels", "diff-with-drift-ignore"),
        ("configmaps", "configmaps", "existing-configmap", "diff-taking-ownership"),
        ("new-namespace-only", "new-namespace-only", "", "diff-new-namespace-only"),
        ("podinfo-with-my-app", "", "my-app", "diff-with-recursive"),
    ],
)
def test_diffs(
    golden: Path,
    cluster: Cluster,
    reader: Cluster,
    namespace: str,
    tmp_path: Path,
    path: str,
    kustomization: str,
    live: str,
    result: str,
) -> None:
    desk, data = open_desk(cluster, reader, namespace, tmp_path), golden.parent / "diff-kustomization"
    file = data / f"flux-kustomization-{kustomization}.yaml" if kustomization else golden / "podinfo-kustomization.yaml"
    if live and live != "my-app":
        (desk.folder / "live.yaml").write_text(in_test_namespace(desk, (data / f"{live}.yaml").read_text()))
        desk.does("kubectl apply --server-side --field-manager=kustomize-controller -f live.yaml")
    lines = LINE.findall((data / f"{result}.golden").read_text())

    assert verdicts_of_changes(desk, golden / path, file.read_text()) == {
        (kind, name): VERDICTS[word] for kind, name, word in lines
    }
