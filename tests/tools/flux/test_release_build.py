"""Objects of a HelmRelease; ``tests/fidelity/test_record_flux_releases.py`` compares more with the library."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import read_text
from kubectl_applylint.tools.flux.release_build import RenderedRelease, render_release
from kubectl_applylint.tools.flux.substitution import Source
from tests.sources.render.test_kustomize import program

HEAD = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: shop, namespace: apps}\n"
CHART = {
    "Chart.yaml": b"apiVersion: v2\nname: shop\nversion: 0.1.0\n",
    "values.yaml": b"text: default\nkind: ConfigMap\n",
    "templates/config.yaml": b"""\
apiVersion: v1
kind: {{ .Values.kind }}
metadata: {name: config}
data:
  text: {{ .Values.text | quote }}
  kind: {{ kindOf .Values.number }}
  release: {{ .Release.Name }} {{ .Release.Namespace }} {{ .Release.IsUpgrade }}
  apis: {{ .Capabilities.APIVersions.Has "example.org/v1" | quote }}
""",
    "templates/job.yaml": b"""\
apiVersion: batch/v1
kind: Job
metadata: {name: job, annotations: {helm.sh/hook: test}}
""",
    "crds/lamps.yaml": b"""\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: lamps}
---
apiVersion: v1
kind: Service
metadata: {name: no-definition}
""",
}
SOURCES: Mapping[str, Source] = {
    "values": {"values.yaml": "text: from a Secret\n", "number": "5"},
    "made": Unknown("it is made in the cluster"),
    "sealed": {"text": Unknown("it is encrypted", written="ENC[one]")},
}


def render_chart(
    spec: str = "",
    chart: Mapping[str, bytes] = CHART,
    sources: Mapping[str, Source] = SOURCES,
    files: Mapping[str, bytes] | None = None,
    unknown: Mapping[str, Unknown] = {},
    is_upgrade: bool = False,
) -> RenderedRelease:
    document = read_text(f"# first line\n{HEAD}spec:\n  interval: 1h\n{spec}", "release.yaml").documents[0]
    return render_release(
        document,
        chart,
        lambda kind, namespace, name: sources.get(name),
        kube_version="1.36",
        api_versions=["example.org/v1"],
        files=files,
        unknown=unknown,
        is_upgrade=is_upgrade,
    )


def references(*entries: Mapping[str, Json]) -> str:
    return f"  valuesFrom: {json.dumps([{'kind': 'Secret', **one} for one in entries])}\n"


@pytest.fixture(name="programs")
def _programs(
    helm_programs: Mapping[str, Path], kubectl: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The real Helm 4 and kubectl."""
    (tmp_path / "helm").symlink_to(helm_programs["helm4"])
    (tmp_path / "kubectl").symlink_to(kubectl)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


def config(found: RenderedRelease) -> Mapping[str, Json]:
    """Return the data of the rendered ConfigMap."""
    assert found.input.problems == ()
    data: Mapping[str, Json] = found.input.documents[-1].object["data"]
    return data


@pytest.mark.usefixtures("programs")
def test_objects() -> None:
    found = render_chart("  targetNamespace: prod\n  values: {text: mine}\n  commonMetadata: {labels: {team: shop}}\n")
    labels = {"helm.toolkit.fluxcd.io/name": "shop", "helm.toolkit.fluxcd.io/namespace": "apps"}

    assert [one.object["metadata"] for one in found.input.documents] == [
        {"name": "lamps", "labels": labels},
        {"name": "config", "labels": {"team": "shop", **labels}},
    ]
    assert config(found) == {
        "text": "mine",
        "kind": "invalid",
        "release": "prod-shop prod false",
        "apis": "true",
    }
    assert found.templates == ("crds/lamps.yaml", "templates/config.yaml")
    assert found.definitions == {0}
    assert found.hooks == ("job.batch/job (test)",)
    assert [str(one.locate(())) for one in found.input.documents] == ["release.yaml:2:1", "release.yaml:2:1"]


@pytest.mark.usefixtures("programs")
@pytest.mark.parametrize(("files", "names"), [(None, ["config", "lamps"]), ({}, ["lamps"])])
def test_files_of_a_folder_can_be_ignored(files: Mapping[str, bytes] | None, names: list[str]) -> None:
    found = render_chart(chart={**CHART, ".helmignore": b"templates/config.yaml\n"}, files=files)

    assert sorted(one.ref.name for one in found.input.documents) == names


@pytest.mark.usefixtures("programs")
def test_an_upgrade_has_its_own_policies() -> None:
    found = render_chart("  install: {crds: Skip}\n"), render_chart("  install: {crds: Skip}\n", is_upgrade=True)

    assert [len(one.definitions) for one in found] == [0, 1]
    assert [config(one)["release"] for one in found] == ["shop apps false", "shop apps true"]


@pytest.mark.usefixtures("programs")
def test_integers_of_references_are_integers() -> None:
    reference = {"name": "values", "valuesKey": "number", "targetPath": "number"}

    assert config(render_chart(references({**reference, "kind": "ConfigMap"})))["kind"] == "int64"
    assert config(render_chart(references(reference)))["kind"] == "float64"
    assert config(render_chart("  values: {number: 5}\n"))["kind"] == "float64"


@pytest.mark.usefixtures("programs")
def test_post_renderers_change_objects_and_hooks() -> None:
    patch = {"target": {"kind": "ConfigMap"}, "patch": '[{"op": "add", "path": "/data/patched", "value": "yes"}]'}
    unhook = {"target": {"kind": "Job"}, "patch": '[{"op": "remove", "path": "/metadata/annotations/helm.sh~1hook"}]'}
    again = {"target": {"kind": "ConfigMap"}, "patch": '[{"op": "add", "path": "/data/patched", "value": "twice"}]'}
    steps = [{"kustomize": {"patches": [patch, unhook]}}, {"kustomize": {"patches": [again]}}]
    combined = render_chart(f"  postRenderers: {json.dumps(steps)}\n")
    steps[0] = {"kustomize": {"patches": [patch]}}
    separate = render_chart(f"  postRenderers: {json.dumps(steps)}\n  postRenderStrategy: nohooks\n")

    data = {one.ref.name: one.object.get("data", {}) for one in combined.input.documents}
    assert data["config"]["patched"] == "twice"
    assert "annotations" not in combined.input.documents[1].object["metadata"]
    assert (sorted(data), combined.hooks) == (["config", "job", "lamps"], ())
    assert sorted(combined.templates) == ["crds/lamps.yaml", "templates/config.yaml", "templates/job.yaml"]
    assert (len(separate.input.documents), separate.hooks) == (2, ("job.batch/job (test)",))


@pytest.mark.usefixtures("programs")
def test_a_failing_patch_is_a_problem() -> None:
    patch = {"target": {"kind": "ConfigMap"}, "patch": '[{"op": "remove", "path": "/nothing"}]'}
    found = render_chart(f"  postRenderers: {json.dumps([{'kustomize': {'patches': [patch]}}])}\n")

    assert found.input.documents == ()
    assert [one.where for one in found.input.problems] == ["release.yaml:2:1"]


@pytest.mark.usefixtures("programs")
def test_values_that_are_not_known_are_holes() -> None:
    text = {"name": "sealed", "valuesKey": "text", "targetPath": "text"}
    found = render_chart(references({"name": "made"}, text))
    changed = {**SOURCES, "sealed": {"text": Unknown("it is encrypted", written="ENC[two]")}}
    other = render_chart(references({"name": "made"}, text), sources=changed)

    assert [one.what for one in found.input.holes] == [
        "spec.valuesFrom[0] (Secret made): it is made in the cluster",
        "spec.valuesFrom[1] (Secret sealed): it is encrypted",
    ]
    assert [render(path) for path in found.unknown[1]] == ["data.text"]
    assert config(found) == config(other)
    same = [one.digest == now.digest for one, now in zip(found.input.holes, other.input.holes, strict=True)]
    assert same == [True, False]


@pytest.mark.usefixtures("programs")
def test_texts_that_are_not_known_stay_unknown() -> None:
    found = render_chart("  values: {text: 'web.${DOMAIN}'}\n", unknown={"${DOMAIN}": Unknown("why")})

    assert {render(path): one for path, one in found.unknown[1].items()} == {
        "data.text": Unknown("why", written="web.${DOMAIN}")
    }


TWIN = b"apiVersion: batch/v1\nkind: Job\nmetadata: {name: job, namespace: default}\n"


@pytest.mark.parametrize(
    ("files", "strategy", "message"),
    [
        ({"templates/twin.yaml": TWIN}, "combined", "there are a hook and an object job.batch/job"),
        ({"templates/twin.yaml": TWIN}, "nohooks", ""),
        ({"templates/twin.yaml": TWIN + b"---\n" + TWIN}, "nohooks", "there are two objects job.batch/job"),
        (
            {"templates/odd.yaml": b"apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n"},
            "separate",
            "an object of",
        ),
    ],
)
@pytest.mark.usefixtures("programs")
def test_objects_that_do_not_pass_the_post_renderers(files: Mapping[str, bytes], strategy: str, message: str) -> None:
    found = render_chart(f"  postRenderStrategy: {strategy}\n", {**CHART, **files})
    messages = [one.message for one in found.input.problems]

    assert [text[: len("Flux cannot render it: ") + len(message)] for text in messages] == (
        [f"Flux cannot render it: {message}"] if message else []
    )


def test_values_that_the_controller_rejects() -> None:
    found = render_chart(references({"name": "values", "valuesKey": "x"}))
    (problem,) = found.input.problems

    assert (problem.where, problem.is_refused) == ("release.yaml:7:16", True)
    assert problem.message == "Flux cannot render it: Secret values in spec.valuesFrom has no key 'x'"


def test_a_failure_with_a_hole_is_not_certain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", 'echo "Error: set the text" >&2; exit 1')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    certain, uncertain = render_chart(), render_chart(references({"name": "made"}))

    assert [one.input.problems[0].is_refused for one in (certain, uncertain)] == [True, False]
    assert [len(one.input.holes) for one in (certain, uncertain)] == [0, 1]


def test_messages_and_the_cache_hold_no_values_of_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    program(tmp_path, "helm", 'echo "Error: from a Secret is no text" >&2; exit 1')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    found = render_chart(references({"name": "values"}))
    program(tmp_path, "helm", f"cat <<END\n{TWIN.decode()}END")
    with use_folder(str(tmp_path / "cache")):
        made = render_chart(references({"name": "values"}))

    assert found.input.problems[0].message == "it cannot be rendered: Error: ******** is no text"
    assert [one.ref.name for one in made.input.documents] == ["job"]
    assert not (tmp_path / "cache").exists()
