"""Changed templates of Applications whose parameters are not known."""

import os
from pathlib import Path

import pytest

from tests.run.running import DIR, plan, runs, write

CONFIG = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: '1'}\n"
CHART = {
    "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
    "templates/always.yaml": CONFIG,
    "templates/sometimes.yaml": '{{ if eq .Values.provider "vault" }}\n'
    + CONFIG.replace("name: a", "name: b")
    + "{{ end }}\n",
    "templates/_helpers.tpl": "",
    "README.md": "1",
}


def application_set(generator: str) -> str:
    values = "helm: {valuesObject: {provider: '{{ .provider }}'}}"
    spec = f"{{source: {{repoURL: '', path: web, {values}}}, destination: {{name: prod, namespace: shop}}}}"
    head = "apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: all, namespace: argocd}\n"
    template = f"{{metadata: {{name: web}}, spec: {spec}}}"
    return f"{head}spec: {{goTemplate: true, generators: [{generator}], template: {template}}}\n"


@pytest.mark.parametrize(
    ("generator", "path", "is_problem"),
    [
        ("{plugin: {configMapRef: {name: a}}}", "templates/sometimes.yaml", True),
        ("{plugin: {configMapRef: {name: a}}}", "templates/always.yaml", False),
        ("{plugin: {configMapRef: {name: a}}}", "README.md", False),
        ("{list: {elements: [{provider: other}]}}", "templates/sometimes.yaml", False),
    ],
    ids=["no object", "an object", "no template", "known parameters"],
)
def test_a_template_without_effect_may_have_one_with_other_parameters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helm: Path, generator: str, path: str, is_problem: bool
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.setenv("PATH", str(helm.parent), prepend=os.pathsep)
    monkeypatch.chdir(tmp_path)
    files = {"set.yaml": application_set(generator), **{f"web/{name}": text for name, text in CHART.items()}}
    changed = {**files, f"web/{path}": files[f"web/{path}"].replace("1", "2")}
    write(tmp_path, {f"before/{name}": text for name, text in files.items()})
    write(tmp_path, {f"all/{name}": text for name, text in changed.items()})

    assert [one.message for one in plan(runs(against=DIR)).problems] == [
        "Application/argocd/web may change: all/web/templates/sometimes.yaml changed, which has no effect with the "
        "parameters that are known"
    ] * is_problem
