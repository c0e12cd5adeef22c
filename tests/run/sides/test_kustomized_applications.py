"""Applications that kustomizations change."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.units.model import Unit
from tests.run.running import write

APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec:
  source: {path: web/dev}
  destination: {name: in-cluster, namespace: shop}
"""
PATCH = """
resources: [../base]
patches:
- target: {kind: Application}
  patch: '- {op: replace, path: /spec/source/path, value: web/prod}'
"""
FILES = {
    "base/web.yaml": APPLICATION,
    "base/kustomization.yaml": "resources: [web.yaml]\n",
    "web/dev/object.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: dev}}",
    "web/prod/object.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: prod}}",
}


def units_of_folder(folder: Path, files: Mapping[str, str]) -> list[Unit]:
    """Return the units below ``web`` that Argo CD applies."""
    write(folder, {**FILES, **files})
    units = units_of(sides.of_folder(str(folder))).units
    return [one for one in units if one.applied.tool == "argocd" and one.root.startswith("web")]


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("files", "roots"),
    [
        ({"prod/kustomization.yaml": PATCH}, ["web/prod"]),
        ({"prod/kustomization.yaml": "resources: [../base]\n"}, ["web/dev"]),
        ({"prod/kustomization.yaml": PATCH.replace("../base", "../none")}, ["web/dev"]),
        ({}, ["web/dev"]),
    ],
    ids=["patched", "not changed", "not rendered", "base alone"],
)
def test_the_patched_path_counts(files: Mapping[str, str], roots: list[str], tmp_path: Path) -> None:
    assert [one.root for one in units_of_folder(tmp_path, files)] == roots


@pytest.mark.cluster
def test_the_name_is_that_of_the_rendered_application(tmp_path: Path) -> None:
    (unit,) = units_of_folder(tmp_path, {"prod/kustomization.yaml": "resources: [../base]\nnameSuffix: -prod\n"})

    assert (unit.applied.tool_object or {})["metadata"]["name"] == "web-prod"


@pytest.mark.parametrize(
    ("files", "namespace"),
    [
        ({"prod/kustomization.yaml": "resources: [../base]\nnamespace: argo\n"}, "argo"),
        ({"base/kustomization.yaml": "resources: [web.yaml]\nnamespace: argo\n"}, "argo"),
        (
            {
                "base/kustomization.yaml": "resources: [web.yaml]\nnamespace: inner\n",
                "prod/kustomization.yaml": "resources: [../base]\nnamespace: outer\n",
            },
            "outer",
        ),
        (
            {f"{name}/kustomization.yaml": f"resources: [../base]\nnamespace: {name}\n" for name in ("dev", "prod")},
            "argocd",
        ),
        (
            {
                "dev/kustomization.yaml": "resources: [../base]\n",
                "prod/kustomization.yaml": "resources: [../base]\nnamespace: argo\n",
            },
            "argocd",
        ),
        ({}, "argocd"),
    ],
    ids=["root", "base", "both", "two roots", "one of two roots", "none"],
)
def test_the_namespace_is_that_of_the_kustomization(files: Mapping[str, str], namespace: str, tmp_path: Path) -> None:
    (unit,) = units_of_folder(tmp_path, files)

    assert (unit.applied.tool_object or {})["metadata"]["namespace"] == namespace
    assert unit.applied.reason.text == f"Application {namespace}/web"
