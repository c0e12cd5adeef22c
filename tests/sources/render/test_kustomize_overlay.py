"""Overlays of kustomizations."""

from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.kustomize_overlay import build_overlay
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


def test_an_old_kustomize_cannot_run_helm_4(tmp_path: Path) -> None:
    complaint = "Error: unknown shorthand flag: 'c' in -c : unable to run: 'helm version -c --short' with env=[A=b]"
    tool, overlay = tmp_path / "kustomize", tmp_path / "overlay"
    tool.write_text(f'#!/bin/sh\necho "{complaint}" >&2\nexit 1\n')
    tool.chmod(0o755)
    overlay.mkdir()

    found = build_overlay([str(tool), "build"], str(tmp_path), str(overlay), "app/kustomization.yaml", ())

    assert isinstance(found, Problem)
    assert found.message == "not rendered: kustomize before 5.8 cannot run Helm 4 for its helmCharts"
    assert found.advice == "install kustomize 5.8, or Helm 3"
    assert not found.is_refused


def test_an_error_of_helm_is_named_without_its_command(tmp_path: Path) -> None:
    complaint = (
        "Error: Error: execution error at (web/templates/a.yaml:4:13): color is needed\n\n"
        "Use --debug flag to render out invalid YAML\n"
        ": unable to run: 'helm template rel /t/charts/web -f /tmp/kustomize-helm-42/web-kustomize-values.yaml' "
        "with env=[HELM_CONFIG_HOME=/tmp/kustomize-helm-42/helm] (is 'helm' installed?): exit status 1"
    )
    tool, overlay = tmp_path / "kustomize", tmp_path / "overlay"
    tool.write_text(f'#!/bin/sh\necho "{complaint}" >&2\nexit 1\n')
    tool.chmod(0o755)
    overlay.mkdir()

    found = build_overlay([str(tool), "build"], str(tmp_path), str(overlay), "app/kustomization.yaml", ())

    assert isinstance(found, Problem)
    reason = "Error: Error: execution error at (web/templates/a.yaml:4:13): color is needed"
    assert found.message == f"it cannot be rendered: {reason}"
