"""Overlays of kustomizations."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.origin_annotation import ORIGIN

MAP = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, annotations: {a: b}}\n"


@pytest.mark.parametrize(
    ("metadata", "labels", "annotations"),
    [
        ("[]", set(), {"a": "b"}),
        ("[originAnnotations]", set(), {"a": "b", ORIGIN: "path: x.yaml\n"}),
        ("[managedByLabel]", {"app.kubernetes.io/managed-by"}, {"a": "b"}),
    ],
)
def test_objects_have_the_build_metadata_of_the_kustomization(
    kubectl: Path, monkeypatch: pytest.MonkeyPatch, metadata: str, labels: set[str], annotations: object
) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent), prepend=":")
    kustomization = f"resources: [x.yaml]\nbuildMetadata: {metadata}\n".encode()
    files = {"app/kustomization.yaml": kustomization, "app/x.yaml": MAP}
    (found,) = render_files(files, "app/kustomization.yaml", str).documents

    assert found.object["metadata"]["annotations"] == annotations
    assert {*found.object["metadata"].get("labels", {})} == labels
