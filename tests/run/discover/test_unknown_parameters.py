"""Changed templates of Applications whose parameters are not known."""

import os
from collections.abc import Mapping
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
    files = {"set.yaml": application_set(generator)}

    assert (
        messages_of_change(tmp_path, monkeypatch, helm, files, path)
        == [
            "Application/argocd/web may change: all/web/templates/sometimes.yaml changed, which has no effect with the "
            "parameters that are known"
        ]
        * is_problem
    )


def test_a_template_of_several_applications_is_one_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, helm: Path
) -> None:
    first = application_set("{plugin: {configMapRef: {name: a}}}")
    second = first.replace("name: all", "name: other").replace("name: web", "name: shop")

    found = messages_of_change(
        tmp_path, monkeypatch, helm, {"a.yaml": first, "b.yaml": second}, "templates/sometimes.yaml"
    )
    assert found == [
        "2 units are not compared: all/web/templates/sometimes.yaml changed, which has no effect with the parameters "
        "that are known (Application/argocd/shop, Application/argocd/web)"
    ]


def messages_of_change(
    folder: Path, monkeypatch: pytest.MonkeyPatch, helm: Path, sets: Mapping[str, str], path: str
) -> list[str]:
    """Return the problems of a change of one file of the chart."""
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(folder.parent))
    monkeypatch.setenv("PATH", str(helm.parent), prepend=os.pathsep)
    monkeypatch.chdir(folder)
    files = {**sets, **{f"web/{name}": text for name, text in CHART.items()}}
    changed = {**files, f"web/{path}": files[f"web/{path}"].replace("1", "2")}
    write(folder, {f"before/{name}": text for name, text in files.items()})
    write(folder, {f"all/{name}": text for name, text in changed.items()})
    return [one.message for one in plan(runs(against=DIR)).problems]
