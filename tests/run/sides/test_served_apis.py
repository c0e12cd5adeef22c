"""The API versions that charts find in a cluster."""

from pathlib import Path

import pytest

from kubectl_applylint.run.request import Request
from kubectl_applylint.run.sides.served_apis import api_remarks, served_apis
from kubectl_applylint.run.sides.side import API_VERSIONS
from kubectl_applylint.units.model import Applied, Form, Unit
from tests.run.running import load_units, write
from tests.sources.render.test_kustomize import program

ASKING = {"templates/a.yaml": b"{{ if .Capabilities.APIVersions.Has `x.io/v1` }}"}
UNIT = Unit("web", Form.CHART, frozenset(), Applied(options=((API_VERSIONS, ("y.io/v1",)),)))
HELM = """
echo 'apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data: {asked: "'$@'"}' | sed 's/"--/"/'
"""
APPLICATION = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {destination: {namespace: shop}, source: {path: web}}
"""
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps.x.io}
spec: {group: x.io, names: {kind: Lamp, plural: lamps}, scope: Namespaced, versions: [{name: v1, served: true}]}
"""


def test_definitions_are_read_only_for_charts_that_ask() -> None:
    assert served_apis(UNIT, ASKING, lambda: ["x.io/v1"]) == ["x.io/v1", "y.io/v1"]
    assert served_apis(UNIT, {}, lambda: pytest.fail("nothing asks")) == ["y.io/v1"]


@pytest.mark.parametrize(
    ("question", "served", "groups"),
    [
        ('.Has "x.io/v1/Lamp"', [], "x.io"),
        (".Has `x.io/v1`", ["x.io/v2"], ""),
        ('.Has (printf "gateway.networking.k8s.io/v1/%s" $kind)', ["x.io/v1"], "gateway.networking.k8s.io"),
        ('.Has "policy/v1/PodDisruptionBudget"', [], ""),
        ('.Has "apiregistration.k8s.io/v1"', [], ""),
        ('.Has "v1/Secret"', [], ""),
        (".Has .Values.api", [], ""),
    ],
)
def test_a_chart_that_asks_for_unknown_groups_has_a_remark(question: str, served: list[str], groups: str) -> None:
    chart = {"templates/a.yaml": b"{{ if .Capabilities.APIVersions%s }}" % question.encode()}
    found = [words for _, words in api_remarks(UNIT, chart, served)]

    assert [f"({groups})" in one for one in found] == ([True] if groups else [])


@pytest.mark.parametrize(
    ("declared", "apis"), [({}, ["y.io/v1"]), ({"app.yaml": APPLICATION}, ["x.io/v1", "x.io/v1/Lamp", "y.io/v1"])]
)
def test_a_chart_gets_the_apis_of_the_configuration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, declared: dict[str, str], apis: list[str]
) -> None:
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", HELM)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    texts = {path: text.decode() for path, text in ASKING.items()}
    chart = {f"web/{path}": text for path, text in {**texts, "Chart.yaml": "name: web\n"}.items()}
    write(tmp_path / "files", {**chart, **declared, "crds/lamps.yaml": DEFINITION})
    found = load_units(Request(files=(str(tmp_path / "files"),), api_versions=("y.io/v1",)))

    (asked,) = [one.object["data"]["asked"] for one in found.documents if one.ref.kind == "ConfigMap"]
    assert [one.partition("=")[2] for one in asked.split() if one.startswith("--api-versions")] == apis
