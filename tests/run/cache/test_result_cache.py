"""Cached findings of a unit, keyed by all their input, without values of Secrets."""

import os
import pickle
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.cache.result_cache import write_results
from kubectl_applylint.run.evaluate import RuleEvaluation
from kubectl_applylint.run.execute import Executor
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.request import Request
from kubectl_applylint.sources.render.packed_chart import archive
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import Store, use_store
from kubectl_applylint.sources.system import cache_folder
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.units.configured import Configured
from kubectl_applylint.units.model import Applied, Form, Unit
from tests.run.running import evaluate_units, load_units, write

RULES = rulebook.load([]).rules
WEB = """\
apiVersion: v1
kind: Service
metadata: {name: web, creationTimestamp: null}
spec: {ports: [{port: 80}], selector: {}}
"""
DEFINITION = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: walls.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: walls, singular: wall, kind: Wall}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
"""
WEBHOOK = """\
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: walls}
webhooks: [{name: walls.example.com}]
"""
WALL = "apiVersion: example.com/v1\nkind: Wall\nmetadata: {name: a}\n"
KUSTOMIZATION = """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: a, namespace: flux-system}
spec: {path: ./a, sourceRef: {kind: GitRepository, name: flux-system}}
"""
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {key: c3VwZXJzZWNyZXQ=}\n"


@pytest.fixture(name="folder", autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    (tmp_path / "repo").mkdir()
    monkeypatch.chdir(tmp_path / "repo")
    write(tmp_path / "repo", {"a/web.yaml": WEB, "b/wall.yaml": WALL, "crds/wall.yaml": DEFINITION})
    with use_folder(str(tmp_path / "cache")):
        yield tmp_path / "repo"


def run(*files: str, depends_on: tuple[object, ...] | None = (), **words: object) -> tuple[LoadedUnits, Report]:
    request = replace(Request(files=files or (".",)), **words)  # type: ignore[arg-type]  # fields of the request
    runs = load_units(request, executor=Executor(results_depend_on=depends_on))
    report = evaluate_units(runs, RuleEvaluation(Dispatch(RULES), shows_known=True)).report
    # What edits are made of is not kept: they are proven, and no report shows it.
    return runs, replace(report, findings=tuple(replace(one, wanted=()) for one in report.findings))


def cached_roots(runs: LoadedUnits) -> set[str]:
    return {one.unit.root for one in runs.each if one.unit and one.cached}


def test_a_second_run_says_the_same_without_looking(folder: Path) -> None:
    first, report = run()
    second, again = run()

    assert (cached_roots(first), cached_roots(second)) == (set(), {"a", "b", "crds"})
    assert report.findings
    assert (again, second.notes, dict(second.texts)) == (report, first.notes, {"a/web.yaml": WEB})
    assert second.subjects == ()


CHART_OF_APPLICATIONS = {
    "apps/Chart.yaml": "apiVersion: v2\nname: apps\nversion: 1.0.0\n",
    "apps/templates/web.yaml": (
        "apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web, namespace: argocd}\n"
        "spec:\n  source: {repoURL: https://example.com/a.git, path: a}\n"
        "  destination: {name: in-cluster, namespace: shop}\n"
    ),
}


@pytest.mark.cluster
def test_a_second_run_names_the_chart_that_nothing_declares(
    folder: Path, helm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    write(folder, CHART_OF_APPLICATIONS)
    first, _ = run()
    second, _ = run()

    assert any("no object in the files applies this chart" in note for note in first.notes)
    assert second.notes == first.notes


@pytest.mark.parametrize(
    "options",
    [{"api_versions": ("example.com/v1",)}, {"kubernetes_version": "1.33"}, {"flags": Flags(namespace="shop")}],
    ids=["APIs", "version", "namespace"],
)
def test_a_second_run_with_options_for_charts_has_each_unit_once(
    folder: Path, helm: Path, monkeypatch: pytest.MonkeyPatch, options: dict[str, Any]
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    write(folder, {"web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "web/templates/web.yaml": WEB})
    _, report = run(**options)
    second, again = run(**options)

    assert "web" in cached_roots(second)
    assert sorted(one.unit.root for one in second.each if one.unit) == ["a", "b", "crds", "web"]
    assert again == report


def test_a_second_run_does_not_miss_the_program_that_is_asked_for(folder: Path) -> None:
    write(folder, {"apps/web.yaml": KUSTOMIZATION, "a/second.yaml": WEB.replace("name: web", "name: second")})
    flags = Flags(asked=AskedApplier(Applier.FLUX))
    run(flags=flags)
    write(folder, {"b/web.yaml": WEB.replace("name: web", "name: changed")})
    second, _ = run(flags=flags)

    assert "a" in cached_roots(second)
    assert not any(note.startswith("--applier flux") for note in second.notes)


def test_a_second_run_loads_the_releases_of_cached_units(folder: Path) -> None:
    release = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: web, namespace: apps}\nspec: "
    write(folder, {"c/release.yaml": release + "{chartRef: {kind: OCIRepository, name: web}}\n"})
    _, report = run()
    second, again = run()

    assert "c" in cached_roots(second)
    assert again == report
    assert [one.message for one in report.problems] == [
        "HelmRelease/apps/web is not rendered: OCIRepository apps/web is not in the repository"
    ]
    assert "HelmRelease/apps/web" in {one.unit.root for one in second.each if one.unit}


def test_the_same_files_in_another_folder_are_other_ones(folder: Path) -> None:
    write(folder, {"one/web.yaml": WEB, "two/web.yaml": WEB})
    run("one")
    _, report = run("two")

    assert {finding.location.file for finding in report.findings} == {"two/web.yaml"}


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param(lambda folder: write(folder, {"a/web.yaml": WEB + "\n"}), {"b", "crds"}, id="its file"),
        pytest.param(lambda folder: write(folder, {"a/other.yaml": WALL}), {"b", "crds"}, id="another file"),
        pytest.param(lambda folder: (folder / "b" / "wall.yaml").unlink(), {"a", "crds"}, id="a file that went"),
        pytest.param(
            lambda folder: write(folder, {"crds/wall.yaml": DEFINITION + "\n"}), {"a"}, id="the definition of its kind"
        ),
        pytest.param(lambda folder: write(folder, {"hooks/a.yaml": WEBHOOK}), {"a", "crds"}, id="a webhook"),
    ],
)
def test_a_change_of_what_a_unit_depends_on_counts(
    folder: Path, change: Callable[[Path], object], expected: set[str]
) -> None:
    run()
    change(folder)
    assert cached_roots(run()[0]) == expected


@pytest.mark.parametrize(
    "files",
    [
        {"Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "templates/web.yaml": WEB},
        {"kustomization.yaml": "resources: [web.yaml]\nhelmCharts:\n- name: web\n", "web.yaml": WEB},
        {
            "kustomization.yaml": "resources: [web.yaml]\ngenerators: [g.yaml]\n",
            "g.yaml": "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\nname: web\n",
            "web.yaml": WEB,
        },
    ],
    ids=["chart", "kustomization", "generator"],
)
def test_a_change_of_the_store_counts_for_charts(folder: Path, files: Mapping[str, str]) -> None:
    write(folder, {f"web/{path}": text for path, text in files.items()})
    source = ChartSource(SourceKind.GIT, "https://x.io/a", version="main")

    with use_store(Store(str(folder.parent / "store"))):
        run()
        assert cached_roots(run()[0]) == {"a", "b", "crds", "web"}
        store.add_files(source, archive({"a": b"1"}), "1234")
        assert cached_roots(run()[0]) == {"a", "b", "crds"}
        assert cached_roots(run()[0]) == {"a", "b", "crds", "web"}
        store.chart(source)
        assert cached_roots(run()[0]) == {"a", "b", "crds", "web"}
        store.add_files(source, archive({"a": b"2"}), "5678")
        assert cached_roots(run()[0]) == {"a", "b", "crds"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param({"depends_on": ("other rules",)}, id="rules"),
        pytest.param({"kubernetes_version": "1.33"}, id="version"),
        pytest.param({"roots": ("a",)}, id="roots"),
        pytest.param({"depends_on": None}, id="unwanted"),
    ],
)
def test_another_way_of_running_counts(words: dict[str, object]) -> None:
    run()
    assert cached_roots(run(**words)[0]) == set()  # type: ignore[arg-type]  # fields of the request


def test_a_unit_with_a_shared_target_is_not_cached() -> None:
    units = (Configured("a", applied=Applied(target="prod", is_known_target=True)),)
    run(units=units)
    assert cached_roots(run(units=units)[0]) == {"b", "crds"}


def test_named_files_are_judged_by_themselves(folder: Path) -> None:
    run("a")
    assert cached_roots(run("a/web.yaml")[0]) == set()
    assert cached_roots(run("a/web.yaml")[0]) == {""}


def test_alternatives_of_a_folder_are_cached_together(folder: Path) -> None:
    write(folder, {"a/other.yaml": WEB})
    first = run()[1]
    second, again = run()

    assert cached_roots(second) == {"a/web.yaml", "a/other.yaml", "b", "crds"}
    assert again == first


def test_results_of_generated_names_are_cached_with_their_folder(folder: Path) -> None:
    job = "---\napiVersion: batch/v1\nkind: Job\nmetadata: {generateName: once-}\n"
    write(folder, {"a/other.yaml": WEB.replace("name: web", "name: other"), "a/once.yaml": WEB + job})
    first = run()[1]
    second, again = run()

    assert cached_roots(second) == {"a", "a/once.yaml", "b", "crds"}
    assert again == first


def test_values_of_a_secret_are_not_cached(folder: Path) -> None:
    write(folder, {"a/secret.yaml": SECRET + "bad: c3VwZXJzZWNyZXQ=\n"})
    run()
    found = b"".join(zlib.decompress(path.read_bytes()[32:]) for path in (folder.parent / "cache/results").iterdir())
    second = run()[0]

    assert b"c3VwZXJzZWNyZXQ" not in found
    assert [one["kind"] for one in second.objects if one.get("kind") == "Secret"] == ["Secret"]


RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: a}
spec:
  chart: {spec: {chart: CHART, sourceRef: {kind: GitRepository, name: here}}}
  valuesFrom: [{kind: ConfigMap, name: settings}]
  values: {VALUES}
"""
SETTINGS = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: a}
data: {DATA}
"""


@pytest.mark.parametrize("chart", ["chart", "elsewhere"])
@pytest.mark.parametrize(
    ("values", "data", "is_kept"),
    [
        ("a: b", "DB_PASSWORD: ''", True),
        ("db: {password: supersecret}", "x: y", False),
        ("a: b", "DB_PASSWORD: supersecret", False),
    ],
)
def test_credentials_of_releases_are_not_cached(
    folder: Path, chart: str, values: str, data: str, is_kept: bool
) -> None:
    release = RELEASE.replace("CHART", chart).replace("VALUES", values)
    chart_files = {"chart/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n"}
    write(folder, {**chart_files, "r/web.yaml": release, "settings/a.yaml": SETTINGS.replace("DATA", data)})

    run()
    cached = [path.read_bytes() for path in (folder.parent / "cache" / "results").iterdir()]
    assert not any(b"supersecret" in zlib.decompress(one[32:]) for one in cached)
    assert ("r" in cached_roots(run()[0])) is is_kept


def test_credentials_in_inputs_are_not_cached(folder: Path) -> None:
    kind = "apiVersion: fluxcd.controlplane.io/v1\nkind: ResourceSet\nmetadata: {name: set, namespace: a}\n"
    write(folder, {"r/set.yaml": f"{kind}spec: {{inputs: [{{password: supersecret}}], resources: []}}\n"})

    run()
    cached = [path.read_bytes() for path in (folder.parent / "cache" / "results").iterdir()]
    assert not any(b"supersecret" in zlib.decompress(one[32:]) for one in cached)


def test_a_rendered_secret_is_masked_by_the_file_that_it_comes_from(folder: Path) -> None:
    generator = 'secretGenerator: [{name: made, literals: ["password=supersecret"]}]\n'
    write(folder, {"k/kustomization.yaml": "namePrefix: my-\nresources: [s.yaml]\n", "k/s.yaml": SECRET})
    write(folder, {"g/kustomization.yaml": generator})
    run()
    found = b"".join(zlib.decompress(path.read_bytes()[32:]) for path in (folder.parent / "cache/results").iterdir())
    second = run()[0]

    assert cached_roots(second) == {"a", "b", "crds", "k"}
    assert b"c3VwZXJzZWNyZXQ" not in found
    secrets = [one["metadata"]["name"] for one in second.objects if one.get("kind") == "Secret"]
    assert {name.partition("-")[0] for name in secrets} == {"a", "made"}


@pytest.mark.parametrize(
    "harm", [b"", b"\x80\x05.", pickle.dumps((1,)), b"cos\nsystem\n(S'touch harmed'\ntR."], ids=range(4)
)
def test_damaged_results_are_ignored(folder: Path, harm: bytes) -> None:
    run()
    for path in (folder.parent / "cache" / "results").iterdir():
        cache_folder.write("results", path.name, harm)

    assert cached_roots(run()[0]) == set()
    assert not os.path.exists("harmed")


def test_a_run_with_cached_results_reads_secrets_only_on_demand(folder: Path) -> None:
    write(folder, {"a/secret.yaml": SECRET})
    run()
    runs, _ = run()

    assert runs.content_key
    assert [one for run in runs.each for one in run.input.documents] == list(runs.documents)
    assert {document.file for document in runs.documents} == {"a/secret.yaml"}
    assert run("a")[0].content_key not in ("", runs.content_key)
    write(folder, {"a/secret.yaml": SECRET.replace("name: a", "name: b")})
    assert run()[0].content_key not in ("", runs.content_key)


def test_results_that_are_not_cached_have_no_content_key() -> None:
    assert run(depends_on=None)[0].content_key == ""


SECRET_OF_UNIT = "kind: Secret\napiVersion: v1\nmetadata: {name: a}\nstringData: {key: supersecret}\n"
UNIT = Unit("a", Form.FOLDER, frozenset({"a/x.yaml"}))


@pytest.mark.parametrize(
    ("key", "unit", "note", "number"),
    [
        pytest.param("k", UNIT, "nothing", 1, id="kept"),
        pytest.param("", UNIT, "nothing", 0, id="without a key"),
        pytest.param("k", None, "nothing", 0, id="no unit"),
        pytest.param("k", UNIT, "it says supersecret", 0, id="with a secret"),
        pytest.param("k", Unit("a", Form.KUSTOMIZATION, frozenset()), "", 0, id="rendered with a Secret"),
    ],
)
def test_results_of_units_without_secrets_are_cached(
    tmp_path: Path, key: str, unit: Unit | None, note: str, number: int
) -> None:
    found = RunInput(documents=read_text(SECRET_OF_UNIT, "a/x.yaml").documents)
    with use_folder(str(tmp_path)):
        write_results([(LoadedUnit(unit, found, key=key), Report(notes=(note,)))])
    assert len([*tmp_path.glob("results/*")]) == number


def test_parts_of_a_unit_are_cached_together_or_not_at_all(tmp_path: Path) -> None:
    found = RunInput(documents=read_text(SECRET_OF_UNIT, "a/x.yaml").documents)
    parts = [(LoadedUnit(UNIT, found, key="k"), Report(notes=(note,))) for note in ("nothing", "it says supersecret")]
    with use_folder(str(tmp_path)):
        write_results(parts)
    assert [*tmp_path.glob("results/*")] == []


def test_values_of_edits_are_not_cached(tmp_path: Path) -> None:
    found = RunInput(documents=read_text(SECRET_OF_UNIT, "a/x.yaml").documents)
    edit = SetValue(fields("stringData", "key"), "supersecret")
    place = Location("a/x.yaml", Span(1, 1, 1, 1))
    finding = Finding("r", Severity.INFO, "high", found.documents[0].ref, (), place, "message", "", wanted=(edit,))
    with use_folder(str(tmp_path)):
        write_results([(LoadedUnit(UNIT, found, key="k"), Report(findings=(finding,)))])
        content = cache_folder.read("results", "k")

    assert content is not None
    assert b"supersecret" not in content


def test_results_depend_on_the_other_units_of_their_target(folder: Path) -> None:
    application = """\
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: %s, namespace: argocd}
spec: {source: {path: %s}, destination: {server: https://kubernetes.default.svc, namespace: %s}}
"""
    names = ("one", "two")
    write(folder, {f"{name}/web.yaml": WEB for name in names})
    write(folder, {"apps/all.yaml": "---\n".join(application % (name, name, name) for name in names)})
    run()
    second, _ = run()
    write(folder, {"two/web.yaml": WEB + "\n"})
    third, _ = run()

    assert cached_roots(second) == {"a", "apps", "b", "crds", "one", "two"}
    assert cached_roots(third) == {"a", "apps", "b", "crds"}
