"""Charts of Applications that depend on charts of the store."""

from pathlib import Path

import pytest

from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import mapping
from kubectl_applylint.run.sides.application_charts import chart_objects
from kubectl_applylint.run.sides.chart_folders import ChartError
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.run.sides.source_files import SourceFiles
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import named_chart
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.application_sources import ApplicationSource
from kubectl_applylint.tools.argocd.parameter_tokens import with_tokens
from kubectl_applylint.units.model import Applied, Form, Reason, Unit

URL = "https://charts.example.com"
CACHE = {
    "Chart.yaml": b"apiVersion: v2\nname: cache\nversion: 1.2.3\n",
    "templates/map.yaml": b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cache}\n",
}
SOURCE = ApplicationSource("", "web", "", "", "", {})
APPLIED = Applied("argocd", reason=Reason("Application argocd/web", "web.yaml", 3))


def objects(folder: Path) -> Input:
    (folder / "web").mkdir(exist_ok=True)
    listed = f"dependencies: [{{name: cache, repository: '{URL}', version: 1.2.3}}]\n"
    (folder / "web/Chart.yaml").write_text(f"apiVersion: v2\nname: web\nversion: 1.0.0\n{listed}")
    unit = Unit("Application/argocd/web", Form.RELEASE, frozenset(), APPLIED)
    files = SourceFiles(of_folder(str(folder)), "web", lambda _: None, {"ARGOCD_APP_NAME": "web"})
    return chart_objects(files, unit, SOURCE)


def test_a_missing_dependency_is_an_error(tmp_path: Path) -> None:
    with use_store(Store(str(tmp_path / "store"))), pytest.raises(ChartError, match="its dependency cache"):
        objects(tmp_path)


@pytest.mark.cluster
def test_a_dependency_comes_from_the_store(tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    with use_store(Store(str(tmp_path / "store"))):
        store.add(named_chart(URL, "cache", "1.2.3"), archive(CACHE))
        found = objects(tmp_path)

    assert not found.problems
    assert [one.ref.name for one in found.documents] == ["cache"]


@pytest.mark.cluster
def test_objects_of_a_chart_in_the_repository_have_positions_in_its_templates(
    tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of its dependencies in the store have that of the Application."""
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "web/templates").mkdir(parents=True)
    text = "{{ if true }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata:\n  b: x\n{{ end }}\n"
    (tmp_path / "web/templates/a.yaml").write_text(text)
    with use_store(Store(str(tmp_path / "store"))):
        store.add(named_chart(URL, "cache", "1.2.3"), archive(CACHE))
        found = objects(tmp_path)

    places = {one.ref.name: (str(one.locate(fields("data", "b"))), one.is_of_chart) for one in found.documents}
    assert places == {"web": ("web/templates/a.yaml:6:3", False), "cache": ("web.yaml:3:1", True)}
    assert found.texts == {"web/templates/a.yaml": text}


@pytest.mark.cluster
@pytest.mark.parametrize(
    ("hosts", "template", "is_hole"),
    [
        pytest.param("{{ .hosts }}", "{{ range .Values.hosts }}{{ .name }}{{ end }}\n", True, id="unknown"),
        pytest.param("a", "{{ range .Values.hosts }}{{ .name }}{{ end }}\n", False, id="known"),
        pytest.param("{{ .hosts }}", "{{ range .Values.hosts }}{{ end\n", False, id="template cannot be parsed"),
        pytest.param("{{ .hosts }}", "{{ unknownFunction }}\n", False, id="function is not defined"),
    ],
)
def test_a_chart_that_needs_a_parameter_that_is_not_known_is_a_hole(
    tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch, hosts: str, template: str, is_hole: bool
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    (tmp_path / "web/templates").mkdir(parents=True)
    (tmp_path / "web/Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (tmp_path / "web/templates/a.yaml").write_text(template)
    options = {"helm": {"valuesObject": {"hosts": hosts}}}
    source = replace(SOURCE, options=mapping(with_tokens(options)[0]))
    applied = replace(APPLIED, generated_by=ObjectRef("argoproj.io/v1alpha1", "ApplicationSet", "argocd", "web"))
    unit = Unit("Application/argocd/web", Form.RELEASE, frozenset(), applied)

    found = chart_objects(
        SourceFiles(of_folder(str(tmp_path)), "web", lambda _: None, {"ARGOCD_APP_NAME": "web"}), unit, source
    )

    assert [one.what.partition(":")[0] for one in found.holes] == [
        "its chart fails without parameters that are not known"
    ] * is_hole
    assert bool(found.problems) is not is_hole
