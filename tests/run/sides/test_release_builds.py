"""HelmReleases rendered with charts of the store."""

import io
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.core.records import replace
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.release_builds import build_release, chart_change
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind, git_source, whole_repository
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.units.model import Applied, Form, Reason, ReleaseInputs, SourceFilter, Unit, ValuesFiles
from tests.run.running import write

NOTHING = Side(
    "",
    frozenset(),
    lambda path: b"",
    lambda paths: {},
    lambda words: frozenset(),
    lambda paths: Input(),
    lambda folder: Input(),
)
CHART = ChartSource(SourceKind.OCI, "oci://example.com/charts/web", version="1.0.0")
FILES = {
    "web/Chart.yaml": b"apiVersion: v2\nname: web\nversion: 1.0.0\nappVersion: '7.1'\n",
    "web/templates/map.yaml": b"""\
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}}
data: {a: {{ .Values.a | quote }}}
""",
}


def release(chart: ChartSource | None, reason: str = "") -> Unit:
    item = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"valuesFrom": [{"kind": "ConfigMap", "name": "settings"}]},
    }
    values = (("ConfigMap", "shop", "settings", (("values.yaml", "a: one"),)),)
    inputs = ReleaseInputs(chart, reason, values=values)
    applied = Applied("flux", reason=Reason("HelmRelease shop/web", "web.yaml", 3), tool_object=item, release=inputs)
    return Unit("HelmRelease/shop/web", Form.RELEASE, frozenset(), applied)


@pytest.fixture(name="chart_store", autouse=True)
def _chart_store(tmp_path: Path) -> Iterator[None]:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name, content in FILES.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    with use_store(Store(str(tmp_path))):
        store.add(CHART, packed.getvalue())
        yield


@pytest.mark.cluster
def test_a_release_is_rendered_with_its_values(helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    found = build_release(NOTHING, release(CHART))

    assert not found.problems
    (document,) = found.documents
    assert (document.ref.name, document.object["data"]) == ("web", {"a": "one"})
    assert document.file == "web.yaml"


@pytest.mark.cluster
def test_a_chart_finds_the_definitions_of_the_repository(helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    asking = (
        b'{{ if .Capabilities.APIVersions.Has "x.io/v1/Lamp" }}\napiVersion: x.io/v1\nkind: Lamp\n'
        b"metadata: {name: a}\n{{ end }}\n"
    )
    files = {"charts/web/Chart.yaml": FILES["web/Chart.yaml"], "charts/web/templates/a.yaml": asking}
    source = git_source("https://git.example/org/repo", "v1", "charts/web")
    store.add_files(whole_repository(source), archive(files), "1234")

    assert build_release(NOTHING, release(source)).documents == ()
    assert [one.ref.kind for one in build_release(NOTHING, release(source), lambda: ["x.io/v1/Lamp"]).documents] == [
        "Lamp"
    ]
    (problem,) = build_release(NOTHING, release(git_source("https://git.example/org/repo", "v1", "none"))).problems
    assert "has no chart in none" in problem.message


@pytest.mark.parametrize(
    ("unit", "message"),
    [
        (
            release(ChartSource(SourceKind.OCI, "oci://example.com/charts/other", version="2.0.0")),
            "HelmRelease/shop/web is not rendered: chart oci://example.com/charts/other 2.0.0 is not in the store",
        ),
        (release(None, "OCIRepository shop/web is not in the repository"), "OCIRepository shop/web is not in"),
    ],
    ids=["not in the store", "unknown source"],
)
def test_a_release_without_its_chart_is_a_problem(unit: Unit, message: str) -> None:
    (problem,) = build_release(NOTHING, unit).problems

    assert message in problem.message
    assert problem.where == "web.yaml:3"


def test_a_changed_chart_is_named_with_its_versions() -> None:
    other = ChartSource(SourceKind.OCI, "oci://example.com/charts/web", version="2.0.0")

    assert chart_change(release(CHART), release(other)) == (
        "HelmRelease/shop/web: chart web 1.0.0 (app version 7.1) → web 2.0.0"
    )
    assert chart_change(release(CHART), release(CHART)) == chart_change(None, release(CHART)) == ""


def own_chart(folder: str) -> Unit:
    unit = release(None)
    inputs = replace(unit.applied.release, folder=folder)
    return replace(unit, applied=replace(unit.applied, release=inputs))


@pytest.mark.cluster
def test_a_chart_of_the_repository_is_rendered(helm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    write(tmp_path / "repo", {f"charts/{path}": text.decode() for path, text in FILES.items()})

    found = build_release(sides.of_folder(str(tmp_path / "repo")), own_chart("charts/web"))
    assert [(one.ref.name, one.object["data"]) for one in found.documents] == [("web", {"a": "one"})]


@pytest.mark.cluster
def test_values_files_are_in_the_source_of_the_chart(
    helm: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    write(tmp_path / "repo", {f"own/charts/{path}": text.decode() for path, text in FILES.items()})
    write(tmp_path / "repo", {"own/prod.yaml": "a: two\n", "own/charts/web/values.yaml": "a: one\n"})
    side, unit = sides.of_folder(str(tmp_path / "repo")), own_chart("own/charts/web")
    item = {**(unit.applied.tool_object or {}), "spec": {"chart": {"spec": {"chart": "./charts/web"}}}}
    inputs = replace(unit.applied.release, values_files=ValuesFiles(("prod.yaml",)))
    applied = replace(unit.applied, tool_object=item, release=inputs)

    found = build_release(side, replace(unit, files=side.paths, applied=applied))
    assert [one.object["data"] for one in found.documents] == [{"a": "two"}]


def test_a_folder_without_a_chart_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path / "repo", {"charts/web/values.yaml": "a: 1\n"})

    (problem,) = build_release(sides.of_folder(str(tmp_path / "repo")), own_chart("charts/web")).problems
    assert problem.message == "HelmRelease/shop/web is not rendered: the repository has no chart in charts/web"


def test_a_chart_that_a_sparse_checkout_leaves_out_is_a_problem(tmp_path: Path) -> None:
    write(tmp_path / "repo", {f"charts/{path}": text.decode() for path, text in FILES.items()})
    unit = own_chart("charts/web")
    sparse = replace(unit, applied=replace(unit.applied, source_filter=SourceFilter(sparse=("apps",))))

    (problem,) = build_release(sides.of_folder(str(tmp_path / "repo")), sparse).problems
    assert problem.message.endswith("is not rendered: its source leaves out charts/web by its sparseCheckout")
    assert problem.is_refused


def test_a_missing_dependency_of_an_own_chart_is_a_problem(tmp_path: Path) -> None:
    chart = "apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{name: db, version: 1.0.0, repository: https://x.io}]\n"
    write(tmp_path / "repo", {"charts/web/Chart.yaml": chart, "charts/web/templates/a.yaml": "a: 1\n"})

    (problem,) = build_release(sides.of_folder(str(tmp_path / "repo")), own_chart("charts/web")).problems
    assert "its dependency db" in problem.message
    assert problem.reason == "the chart is not in the store"
