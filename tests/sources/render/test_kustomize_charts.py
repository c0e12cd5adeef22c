"""Charts of ``helmCharts``, rendered by the real kubectl and Helm without network."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.sources.render.build_options import AS_KUBECTL, BuildOptions
from kubectl_applylint.sources.render.kustomization import files_of
from kubectl_applylint.sources.render.kustomize import render as render_file
from kubectl_applylint.sources.render.kustomize import render_folder
from kubectl_applylint.sources.render.remote_bases import RemoteChart, RemoteReference, use_bases
from kubectl_applylint.sources.text.manifests import Input

CHART: Mapping[str, bytes] = {
    "Chart.yaml": b"apiVersion: v2\nname: web\nversion: 1.2.3\n",
    "values.yaml": b"color: blue\nsize: small\n",
    "crds/c.yaml": b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-crds}\n",
    "templates/a.yaml": b"""\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
  namespace: {{ .Release.Namespace }}
data: {color: {{ .Values.color }}, size: {{ .Values.size }}}
""",
    "templates/hook.yaml": b"""\
apiVersion: v1
kind: ConfigMap
metadata: {name: hook, annotations: {helm.sh/hook: pre-install}}
""",
}
ENTRY = "{name: web, repo: 'https://charts.example.com', version: 1.2.3, releaseName: rel, namespace: apps"
OWN = {"app/a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: own}\n"}


@pytest.fixture(autouse=True)
def _path(kubectl: Path, helm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{kubectl.parent}:{helm.parent}")


def render(
    kustomization: str,
    *,
    options: BuildOptions = AS_KUBECTL,
    more: Mapping[str, str] = OWN,
    chart: Mapping[str, bytes] = CHART,
) -> Input:
    texts = {"app/kustomization.yaml": kustomization, **more}
    files = {path: text.encode() for path, text in texts.items()}

    def lookup(reference: RemoteReference | RemoteChart) -> Mapping[str, bytes] | None:
        return chart if reference == RemoteChart("https://charts.example.com", "web", "1.2.3") else None

    with use_bases(lookup):
        return render_folder(
            "app",
            files_of(files.keys(), files.__getitem__),
            lambda paths: {path: files[path] for path in paths if path in files},
            lambda path: path,
            lambda path: Problem(path, "it cannot be read", ""),
            options=options,
        )


def names(found: Input) -> list[str]:
    return sorted(one.ref.name for one in found.documents)


def test_a_stored_chart_is_rendered_with_its_values_and_transformed() -> None:
    text = f"namePrefix: p-\nhelmCharts:\n- {ENTRY}, valuesFile: v.yaml, valuesInline: {{size: big}}}}\n"
    found = render(text, more={"app/v.yaml": "color: red\n"})

    assert found.problems == ()
    assert found.holes == ()
    assert names(found) == ["p-hook", "p-rel"]
    (release,) = (one for one in found.documents if one.ref.name == "p-rel")
    assert release.object["data"] == {"color": "red", "size": "big"}
    assert release.ref.namespace == "apps"
    assert release.file == "app/kustomization.yaml"


def test_hooks_and_definitions_follow_the_entry() -> None:
    assert names(render(f"helmCharts:\n- {ENTRY}, includeCRDs: true, skipHooks: true}}\n")) == ["from-crds", "rel"]


GENERATOR = "{apiVersion: builtin, kind: HelmChartInflationGenerator, metadata: {name: g}, " + ENTRY[1:]


@pytest.mark.parametrize(
    "more",
    [
        {"app/kustomization.yaml": "generators: [g.yaml]\n", "app/g.yaml": f"{GENERATOR}, valuesFile: v.yaml}}\n"},
        {"app/kustomization.yaml": f"generators:\n- |-\n  {GENERATOR}, valuesFile: v.yaml}}\n"},
        {
            "app/kustomization.yaml": "generators: [g]\n",
            "app/g/kustomization.yaml": "resources: [g.yaml]\n",
            "app/g/g.yaml": f"{GENERATOR}, valuesFile: v.yaml, chartHome: ./x}}\n",
        },
    ],
    ids=["a file", "inline", "a folder, with another home"],
)
def test_a_chart_of_a_generator_is_rendered_as_one_of_an_entry(more: Mapping[str, str]) -> None:
    text = more["app/kustomization.yaml"] + "namePrefix: p-\n"
    found = render(text, more={**more, "app/v.yaml": "color: red\nsize: small\n", "app/kustomization.yaml": text})

    assert (found.problems, found.holes) == ((), ())
    assert names(found) == ["p-hook", "p-rel"]
    (release,) = (one for one in found.documents if one.ref.name == "p-rel")
    assert release.object["data"] == {"color": "red", "size": "small"}
    assert release.ref.namespace == "apps"


@pytest.mark.parametrize(
    "configuration",
    [
        f"{GENERATOR}, configHome: /etc}}",
        f"{GENERATOR}, ChartHome: /etc}}",
        GENERATOR.replace("releaseName: rel", "releaseName: --debug") + "}",
        f"{GENERATOR}}}\n---\n{GENERATOR}}}",
    ],
    ids=["a folder of settings", "another spelling", "a flag", "two generators in one file"],
)
def test_other_configurations_of_generators_are_holes(configuration: str) -> None:
    found = render("resources: [a.yaml]\ngenerators: [g.yaml]\n", more={**OWN, "app/g.yaml": configuration})

    assert names(found) == ["own"]
    assert [one.what for one in found.holes] == ["generators[0]: it requires helm to render a chart"]


def test_a_missing_chart_of_a_generator_is_a_hole_with_a_reason() -> None:
    more = {**OWN, "app/g.yaml": f"{GENERATOR.replace('1.2.3', '1.2.4')}}}"}
    found = render("resources: [a.yaml]\ngenerators: [g.yaml]\n", more=more)

    reason = "it is not in the store; download it with applylint fetch"
    assert [one.what for one in found.holes] == [f"generators[0]: chart web 1.2.4: {reason}"]


def test_charts_of_a_base_and_in_another_home_are_rendered() -> None:
    base = f"helmGlobals: {{chartHome: ./vendor/x}}\nhelmCharts:\n- {ENTRY}}}\n"
    found = render("resources: [../base]\nnameSuffix: -s\n", more={"base/kustomization.yaml": base})

    assert names(found) == ["hook-s", "rel-s"]


@pytest.mark.parametrize(
    "entry",
    [
        "{name: web, version: 1.2.3, releaseName: rel}",
        "{name: web, repo: 'https://charts.example.com', releaseName: rel}",
        "{name: web, repo: 'https://charts.example.com', version: 1.2.3, releaseName: --post-renderer=./x}",
        f"{ENTRY}, ReleaseName: --post-renderer=./x}}",
        f"{ENTRY}, nameTemplate: --debug}}",
        "{name: web, repo: 'https://charts.example.com', version: 1.2.3, nameTemplate: '{{ randAlpha 5 }}'}",
        f"{ENTRY}, kubeVersion: 1}}",
        f"{ENTRY}, apiVersions: [--debug]}}",
        "1",
    ],
)
def test_other_entries_are_holes(entry: str) -> None:
    found = render(f"resources: [a.yaml]\nhelmCharts:\n- {entry}\n")

    assert names(found) == ["own"]
    assert [one.what for one in found.holes] == ["helmCharts[0]: it requires helm to render a chart"]


def test_a_chart_without_a_release_name_is_the_release_release_name() -> None:
    """``helm template`` ignores the ``--generate-name`` that kustomize passes."""
    found = render("helmCharts:\n- {name: web, repo: 'https://charts.example.com', version: 1.2.3}\n")

    assert (found.problems, found.holes) == ((), ())
    assert names(found) == ["hook", "release-name"]


def test_a_missing_chart_is_a_hole_with_a_reason() -> None:
    found = render(f"resources: [a.yaml]\nhelmCharts:\n- {ENTRY.replace('1.2.3', '1.2.4')}}}\n")

    assert names(found) == ["own"]
    reason = "it is not in the store; download it with applylint fetch"
    assert [one.what for one in found.holes] == [f"helmCharts[0]: chart web 1.2.4: {reason}"]


@pytest.mark.parametrize(
    "settings",
    [
        "helmGlobals: {configHome: /etc}",
        "helmGlobals: {chartHome: ../x}",
        "helmGlobals: {chartHome: /etc}",
        "helmGlobals: {ConfigHome: /etc}",
        "HelmGlobals: {configHome: /etc}",
    ],
)
def test_settings_that_lead_elsewhere_are_not_followed(settings: str) -> None:
    found = render(f"resources: [a.yaml]\n{settings}\nhelmCharts:\n- {ENTRY}}}\n")

    assert names(found) == ["own"]
    assert len(found.holes) == 1


def test_kustomize_controller_has_no_helm() -> None:
    options = BuildOptions(has_load_restrictor=False, has_helm=False)
    found = render(f"resources: [a.yaml]\nhelmCharts:\n- {ENTRY}}}\n", options=options)

    assert names(found) == ["own"]
    assert len(found.holes) == 1


def own_chart(folder: str, **more: str) -> dict[str, str]:
    """Return a chart in a folder of the repository, whose ConfigMap has another value than that of the store."""
    texts = {path: text.decode().replace("blue", "own") for path, text in CHART.items()}
    return {**OWN, **{f"{folder}/{path}": text for path, text in {**texts, **more}.items()}}


@pytest.mark.parametrize(
    ("folder", "text"),
    [
        ("app/charts/web-1.2.3/web", f"helmCharts:\n- {ENTRY}}}\n"),
        ("app/charts/web", "helmCharts:\n- {name: web, releaseName: rel}\n"),
        ("app/charts/web", "helmCharts:\n- {name: web, version: 9.9.9, releaseName: rel}\n"),
        ("app/x/web", "helmGlobals: {chartHome: x}\nhelmCharts:\n- {name: web, repo: x, releaseName: rel}\n"),
    ],
    ids=["of the version", "without a version", "with another version", "in another home"],
)
def test_a_chart_of_the_repository_is_rendered(folder: str, text: str) -> None:
    found = render(f"{text}resources: [a.yaml]\nnamePrefix: p-\n", more=own_chart(folder))

    assert (found.problems, found.holes) == ((), ())
    assert names(found) == ["p-hook", "p-own", "p-rel"]
    (release,) = (one for one in found.documents if one.ref.name == "p-rel")
    assert release.object["data"]["color"] == "own"


def test_a_home_outside_of_the_kustomization_needs_a_values_file_or_no_load_restrictor() -> None:
    text = "helmGlobals: {chartHome: ../charts}\nhelmCharts:\n- {name: web, releaseName: rel%s}\n"
    more = {**own_chart("charts/web"), "app/v.yaml": "color: red\nsize: big\n"}

    assert names(render(text % ", valuesFile: v.yaml", more=more)) == ["hook", "rel"]
    assert names(render(text % "", more=more, options=BuildOptions(has_load_restrictor=False))) == ["hook", "rel"]
    (problem,) = render(text % "", more=more).problems
    assert problem.is_refused


@pytest.mark.parametrize(
    "more",
    [
        {"values.schema.json": '{"properties": {"color": {"$ref": "http://127.0.0.1:1/x.json"}}}'},
        {"charts/db/values.schema.json": '{"$ref": "file:///etc/passwd"}'},
        {"charts/db-1.0.0.tgz": ""},
        {
            "Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.2.3\ndependencies: [{name: db, repository: https://x.io}]\n"
        },
    ],
    ids=["a schema with a URL", "a schema of a subchart", "an archive", "a missing dependency"],
)
def test_charts_of_the_repository_that_reach_further_are_holes(more: dict[str, str]) -> None:
    text = "resources: [a.yaml]\nhelmCharts:\n- {name: web, releaseName: rel}\n"
    found = render(text, more=own_chart("app/charts/web", **more))

    assert names(found) == ["own"]
    assert [one.what for one in found.holes] == ["helmCharts[0]: it requires helm to render a chart"]


def test_a_chart_outside_of_the_repository_is_a_hole() -> None:
    text = "resources: [a.yaml]\nhelmGlobals: {chartHome: ../../charts}\nhelmCharts:\n- {name: web, releaseName: rel}\n"

    assert names(render(text, more=own_chart("charts/web"))) == ["own"]


def test_without_helm_a_chart_is_a_hole(kubectl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "kubectl").symlink_to(kubectl)
    monkeypatch.setenv("PATH", str(tmp_path))

    assert names(render(f"resources: [a.yaml]\nhelmCharts:\n- {ENTRY}}}\n")) == ["own"]


def test_a_schema_that_names_a_server_is_not_read() -> None:
    schema = b'{"properties": {"color": {"$ref": "http://127.0.0.1:1/x.json"}}}'
    text = f"helmCharts:\n- {ENTRY}}}\n"

    assert names(render(text, chart={**CHART, "values.schema.json": schema})) == ["hook", "rel"]
    packed = render(f"resources: [a.yaml]\n{text}", chart={**CHART, "charts/x.tgz": b""})
    assert names(packed) == ["own"]


@pytest.mark.parametrize(
    "reference",
    ["configMapGenerator: [{name: g, files: [%s]}]", "commonAnnotations: {x: %s}"],
    ids=["a file", "any text"],
)
def test_files_of_the_repository_are_not_added_to_a_stored_chart(reference: str) -> None:
    schema = "charts/web-1.2.3/web/values.schema.json"
    far = '{"properties": {"color": {"$ref": "http://127.0.0.1:1/x.json"}}}'
    text = f"resources: [a.yaml]\n{reference % schema}\nhelmCharts:\n- {ENTRY}}}\n"
    found = render(text, more={**OWN, f"app/{schema}": far})

    assert found.problems == ()
    assert [one.what for one in found.holes] == ["helmCharts[0]: it requires helm to render a chart"]


def test_a_folder_on_disk_names_the_chart_that_is_not_in_the_store(tmp_path: Path) -> None:
    (tmp_path / "kustomization.yaml").write_text(f"helmCharts:\n- {ENTRY}}}\n")
    (problem,) = render_file(str(tmp_path / "kustomization.yaml")).problems

    assert problem.reason == "a remote base, file or chart is not in the store; download it with applylint fetch"
    assert "helmCharts[0]: chart web 1.2.3" in problem.message
