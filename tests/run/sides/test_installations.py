"""Objects that configure the Argo CD of an Application, in the files of a repository."""

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.installations import installation_finder
from kubectl_applylint.run.sides.units_of import units_of
from kubectl_applylint.units.model import Installation
from tests.run.running import write

PROJECT = """
apiVersion: argoproj.io/v1alpha1
kind: AppProject
metadata: {name: team, namespace: %s}
spec: {sourceRepos: [%s]}
"""
APPLICATION: JsonObject = {"metadata": {"name": "web", "namespace": "argocd"}, "spec": {"project": "team"}}
OTHER = {"metadata": {"name": "web", "namespace": "other"}, "spec": {"project": "team"}}
DEFAULT = {"metadata": {"name": "web", "namespace": "argocd"}, "spec": {}}
CLUSTER = """
apiVersion: v1
kind: Secret
metadata: {name: prod, labels: {argocd.argoproj.io/secret-type: cluster}}
stringData:
  name: prod
%s
"""
FILES = {"project.yaml": PROJECT % ("argocd", "one")}


KUSTOMIZATION = """
resources: [project.yaml]
patches:
- target: {kind: AppProject}
  patch: '- {op: replace, path: /spec/sourceRepos/0, value: patched}'
"""
CHART = {
    "shop/Chart.yaml": "name: shop\nversion: 1.0.0\n",
    "shop/values.yaml": "source: of the chart\nlabel: of-the-chart\n",
    "shop/templates/project.yaml": PROJECT % ("argocd", "{{ .Values.source }}"),
    "shop/templates/cm.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\n"
    "data: {application.instanceLabelKey: {{ .Values.label }}}\n",
}
PATCHES = """
resources: [cm.yaml]
patches:
- target: {kind: ConfigMap, name: argocd-cm}
  patch: '- {op: replace, path: /data/application.instanceLabelKey, value: b}'
"""


def installation(folder: Path, files: Mapping[str, str]) -> Installation:
    """Return what configures an Application, with the objects that units render."""
    write(folder, files)
    side = sides.of_folder(str(folder))
    return installation_finder(side, units_of(side).units)(APPLICATION)


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("files", "source", "label"),
    [
        ({**FILES, "kustomization.yaml": KUSTOMIZATION}, "patched", None),
        (CHART, "of the chart", "of-the-chart"),
        ({**FILES, "kustomization.yaml": KUSTOMIZATION.replace("project.yaml", "none.yaml")}, None, None),
    ],
    ids=["patch", "chart", "not rendered"],
)
def test_rendered_projects_and_settings_are_read(
    files: Mapping[str, str],
    source: str | None,
    label: str | None,
    tmp_path: Path,
    helm: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([str(helm.parent), os.environ["PATH"]]))
    found = installation(tmp_path, files)

    assert [json.loads(one)["spec"]["sourceRepos"] for one in found.projects] == ([[source]] if source else [])
    assert json.loads(found.settings or "{}").get("application.instanceLabelKey") == label


@pytest.mark.cluster
def test_the_value_of_a_kustomization_counts_alone(tmp_path: Path) -> None:
    found = installation(tmp_path, {"cm.yaml": SETTINGS % "a", "kustomization.yaml": PATCHES})

    assert (found.settings, found.differing) == ('{"application.instanceLabelKey": "b"}', ())


def sources(folder: Path, files: Mapping[str, str], application: JsonObject = APPLICATION) -> list[str]:
    """Return the source of each project that is found for an Application."""
    write(folder, files)
    found = installation_finder(sides.of_folder(str(folder)))(application)
    return [json.loads(one)["spec"]["sourceRepos"][0] for one in found.projects]


SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata: {application.instanceLabelKey: %s}\n"


def test_settings_that_differ_are_named(tmp_path: Path) -> None:
    write(tmp_path, {"a.yaml": SETTINGS % "a"})
    same = installation_finder(sides.of_folder(str(tmp_path)))(APPLICATION)
    write(tmp_path, {"b.yaml": SETTINGS % "b"})
    differing = installation_finder(sides.of_folder(str(tmp_path)))(APPLICATION)

    assert same.settings == '{"application.instanceLabelKey": "a"}'
    assert (differing.settings, differing.differing) == ("", ("application.instanceLabelKey",))


@pytest.mark.parametrize(
    ("more", "application", "expected"),
    [
        ({}, APPLICATION, ["one"]),
        ({}, OTHER, []),
        ({}, DEFAULT, []),
        ({"other/project.yaml": PROJECT % ("argocd", "two")}, APPLICATION, ["two", "one"]),
        ({"other/project.yaml": PROJECT % ("other", "two")}, APPLICATION, ["one"]),
        ({"chart/templates/project.yaml": PROJECT % ("argocd", "{{ .Values.source }}")}, APPLICATION, ["one"]),
        ({"kustomization.yaml": "patches:\n- target: {kind: AppProject}\n  patch: '[]'\n"}, APPLICATION, []),
        ({"cm.yaml": "kind: ConfigMap\ndata: {globalProjects: '[]'}\n"}, APPLICATION, []),
        ({"cluster.yaml": CLUSTER % ""}, APPLICATION, ["one"]),
        ({"cluster.yaml": CLUSTER % "  project: team"}, APPLICATION, []),
    ],
    ids=["own", "namespace", "name", "two", "one of two", "template", "patch", "global", "secret", "secret of project"],
)
def test_projects_are_found_as_they_are_written(
    tmp_path: Path, more: Mapping[str, str], application: JsonObject, expected: list[str]
) -> None:
    assert sources(tmp_path, {**FILES, **more}, application) == expected
