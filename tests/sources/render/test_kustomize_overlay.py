"""Overlays of kustomizations."""

from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.render.kustomize import render_files
from kubectl_applylint.sources.render.kustomize_overlay import build_overlay, listing_field
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


OLD_KUSTOMIZE = """\
#!/bin/sh
helm=helm
for argument; do
  [ "$previous" = --helm-command ] && helm=$argument
  previous=$argument
done
version=$("$helm" version -c --short 2>"$0.log") || {
  printf "%s : unable to run: '%s version -c --short' with env=[A=b] (is '%s' installed?): exit status 1\\n" \\
    "$(head -n 1 "$0.log")" "$helm" "$helm" >&2
  exit 1
}
case $version in v3*) exec kubectl "$@" ;; esac
echo "Error: this plugin requires helm V3 but got $version" >&2
exit 1
"""
"""Asks for the version of Helm as kustomize 5.5 does, and then renders with the real kubectl."""


def test_an_old_kustomize_runs_helm_4(
    kubectl: Path, helm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{kubectl.parent}:{helm.parent}", prepend=":")
    tool, app, overlay = tmp_path / "kustomize", tmp_path / "app", tmp_path / "overlay"
    tool.write_text(OLD_KUSTOMIZE)
    tool.chmod(0o755)
    overlay.mkdir()
    chart = app / "charts/web"
    (chart / "templates").mkdir(parents=True)
    (chart / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.2.3\n")
    (chart / "values.yaml").touch()
    (chart / "templates/a.yaml").write_bytes(MAP.replace(b"x", b"{{ .Release.Name }}"))
    (app / "kustomization.yaml").write_text("helmCharts: [{name: web, releaseName: rel}]\n")

    command = [str(tool), "kustomize", "--enable-helm"]
    found = build_overlay(command, str(app), str(overlay), "app/kustomization.yaml", ())

    assert isinstance(found, bytes), found
    assert b"name: rel" in found


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


def test_a_folder_that_fails_is_named_by_its_path(tmp_path: Path) -> None:
    folder, overlay = tmp_path / "app", tmp_path / "overlay"
    tool = tmp_path / "kustomize"
    tool.write_text("#!/bin/sh\necho \"accumulating resources from '../app': it is a loop\" >&2\nexit 1\n")
    tool.chmod(0o755)
    folder.mkdir()
    overlay.mkdir()

    found = build_overlay([str(tool), "build"], str(folder), str(overlay), "app/kustomization.yaml", ())

    assert isinstance(found, Problem)
    assert found.message == f"it cannot be rendered: accumulating resources from '{folder}': it is a loop"


@pytest.mark.parametrize(
    ("text", "field"),
    [
        (b"kind: Component\n", "components"),
        (b'{"kind": "Component"}', "components"),
        (b"kind: Kustomization\nnamePrefix: Component\n", "resources"),
        (b"resources: []\n", "resources"),
    ],
)
def test_only_a_component_is_listed_among_components(text: bytes, field: str) -> None:
    assert listing_field(text) == field
