"""Rendering the roots of a comparison: each once, several at a time."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from threading import Barrier

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json
from kubectl_applylint.run.progress import report_steps_to
from kubectl_applylint.run.sides import renders, sides
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.store import store
from kubectl_applylint.sources.store.chart_source import ChartSource, SourceKind
from kubectl_applylint.sources.store.store_place import NO_STORE, Store, current_store, use_store
from kubectl_applylint.sources.system.cache_folder import use_folder
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.units.model import Applied, Form, Reason, ReleaseInputs, Unit
from tests.run.running import runs, write
from tests.sources.store.packed import packed_chart

KUSTOMIZATION = "kustomization.yaml"


REF = ObjectRef("argoproj.io/v1alpha1", "Application", "argocd", "a")


def unit(root: str, form: Form = Form.KUSTOMIZATION) -> Unit:
    return Unit(root, form, frozenset((f"{root}/{KUSTOMIZATION}",)))


def side(folder: Path, texts: Mapping[str, str]) -> Side:
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return sides.of_folder(str(folder))


def test_roots_are_rendered_together_and_with_what_the_caller_allows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renders, "cores", lambda: 1)
    both = Barrier(2, timeout=5)
    seen = []
    steps: list[tuple[str, int, int, str]] = []

    def render(folder: str) -> Input:
        both.wait()
        seen.append((folder, current_store() != NO_STORE))
        return Input()

    found = replace(side(tmp_path, dict.fromkeys((f"a/{KUSTOMIZATION}", f"b/{KUSTOMIZATION}"), "")), render=render)
    with use_store(Store("x")), report_steps_to(lambda *step: steps.append(step)):
        renders.prepare((found, one) for one in (unit("a"), unit("b"), unit("c", Form.FOLDER), None))

    assert sorted(seen) == [("a", True), ("b", True)]
    assert sorted(step[:3] for step in steps) == [("rendered unit", 1, 2), ("rendered unit", 2, 2)]
    assert {step[3] for step in steps} == {"a", "b"}


def test_a_kustomization_with_a_remote_base_is_a_problem(tmp_path: Path) -> None:
    far = side(tmp_path, {f"a/{KUSTOMIZATION}": "resources: ['https://example.com/x']\n"})
    (problem,) = renders.render_unit(far, unit("a")).problems

    assert problem.message.startswith("not rendered: resources[0]: https://example.com/x: it is not in the store")
    assert not problem.is_refused


def test_a_chart_that_is_not_rendered_is_a_problem(tmp_path: Path) -> None:
    problem = Problem("a/Chart.yaml", "not rendered: no luck", "")
    found = replace(side(tmp_path, {}), charts=lambda unit: Input(problems=(problem,)))

    assert renders.render_unit(found, unit("a", Form.CHART)).problems == (problem,)


@pytest.mark.parametrize(("declared_by", "label"), [(None, "kustomize-(devel)"), (REF, "kustomize-${VERSION}")])
def test_the_version_of_another_kustomize_is_unknown(declared_by: ObjectRef | None, label: str) -> None:
    text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {app.kubernetes.io/managed-by: %s}}\n"
    found = replace(sides.of_folder("."), render=lambda root: read_text(text % "kustomize-(devel)", "a.yaml"))
    one = replace(unit("a"), applied=Applied("argocd", declared_by=declared_by))

    (document,) = renders.render_unit(found, one).documents

    assert str(document.object["metadata"]).count(label) == 1


def test_charts_are_for_the_namespace_and_version_that_are_asked_for() -> None:
    own = replace(unit("own", Form.CHART), applied=Applied(namespace="own", options=(("kubernetes_version", "1.30"),)))
    other = unit("other", Form.CHART)
    asked = renders.with_render_options([own, other, unit("k")], "shop", "1.36")

    assert [one.applied.namespace for one in asked] == ["shop", "shop", ""]
    assert [one.applied.options for one in asked] == [
        (("kubernetes_version", "1.30"),),
        (("kubernetes_version", "1.36"),),
        (),
    ]
    assert renders.with_render_options([own, other], "", "") == (own, other)


@pytest.mark.parametrize(
    ("now", "again", "was", "was_again", "expected"),
    [
        pytest.param("a", "a", "b", "c", "a", id="drawn no more"),
        pytest.param("a", "b", "c", "d", "c", id="drawn on both sides"),
        pytest.param("a", "b", "c", "c", "a", id="drawn since"),
        pytest.param("a", "a", "b", "a", "b", id="time goes on after the earlier side"),
        pytest.param("a", "b", "b", "b", "b", id="time goes on after the later side"),
        pytest.param(
            {"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 0, "b": 4}, {"a": 0, "b": 5}, {"a": 1, "b": 4}, id="map"
        ),
        pytest.param({"a": 1}, {"a": 2}, {}, {}, {"a": 1}, id="new key"),
        pytest.param([1, 2], [1, 3], [0, 4], [0, 5], [1, 4], id="list"),
        pytest.param([1, 2], [1, 3], [0], [1], [0], id="another length"),
    ],
)
def test_drawn_values_are_the_earlier_ones(now: Json, again: Json, was: Json, was_again: Json, expected: Json) -> None:
    assert renders.steady(now, again, was, was_again) == expected


RANDOM = b"""apiVersion: v1
kind: Secret
metadata: {name: random}
data: {color: '{{ .Values.color | b64enc }}', password: '{{ randAlphaNum 20 | b64enc }}'}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: random}
data: {id: '{{ uuidv4 }}', ca: '{{ (genCA "web" 1).Cert | b64enc }}', at: '{{ now }}'}
"""


def release(color: str, version: str) -> Unit:
    item = {
        "apiVersion": "helm.toolkit.fluxcd.io/v2",
        "kind": "HelmRelease",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"values": {"color": color}},
    }
    chart = ChartSource(SourceKind.HELM, "https://x.io", "web", version)
    applied = Applied("flux", reason=Reason("", "web.yaml", 1), tool_object=item, release=ReleaseInputs(chart))
    return Unit("HelmRelease/shop/web", Form.RELEASE, frozenset(), applied)


@pytest.mark.cluster
@pytest.mark.parametrize("is_cached", [True, False])
def test_random_values_of_a_stored_chart_are_no_difference(
    tmp_path: Path, helm: Path, monkeypatch: pytest.MonkeyPatch, is_cached: bool
) -> None:
    monkeypatch.setenv("PATH", str(helm.parent), prepend=":")
    both = (side(tmp_path / "a", {}), side(tmp_path / "b", {}))
    pair = (release("red", "1.0.0"), release("blue", "1.1.0"))
    with use_store(Store(str(tmp_path / "store"))), use_folder(str(tmp_path / "cache") if is_cached else ""):
        for one in pair:
            source = one.applied.release.chart
            assert source
            store.add(source, packed_chart("web", source.version, [("templates/random.yaml", RANDOM)]))
        was, now = (renders.render_unit(*one) for one in zip(both, pair, strict=True))
        found = renders.without_random_values(both, pair, was, now)
        same = renders.without_random_values(both, (pair[0], pair[0]), was, was)

    assert found.is_random
    before, after = (
        {one.ref.kind: one.object["data"] for one in each.documents if one.ref.name == "random"}
        for each in (was, found)
    )
    assert before["Secret"] | {"color": "Ymx1ZQ=="} == after["Secret"]
    assert before["ConfigMap"] == after["ConfigMap"]
    ((file, words),) = found.remarks
    assert file == "web.yaml"
    assert "makes values at random, which differ each time it is rendered (" in words
    assert same is was


APPLICATION = """
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {source: {path: web%s}, destination: {name: in-cluster, namespace: shop}}
"""
SETTINGS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm}\ndata: {%s}\n"
CHARTS = {
    "web/kustomization.yaml": "helmCharts: [{name: shop}]\n",
    "web/charts/shop/Chart.yaml": "name: shop\nversion: 1.0.0\n",
}
FAILS = "kustomize of Argo CD fails on its helmCharts: must specify --enable-helm"
ASSUMED = "Argo CD is taken to render helmCharts: the files have no kustomize.buildOptions, which needs --enable-helm"


@pytest.mark.parametrize("options", ["", ", kustomize: {namePrefix: a-}"], ids=["as it is", "with options"])
@pytest.mark.parametrize(
    ("settings", "fails"),
    [
        ("application.instanceLabelKey: a", True),
        ("kustomize.buildOptions: --enable-alpha-plugins", True),
        ("kustomize.buildOptions: --enable-helm", False),
        ("", False),
    ],
)
def test_argo_cd_fails_on_charts_that_it_is_not_set_to_render(
    settings: str, fails: bool, options: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Facts: the repository server of Argo CD 3.5.7, which fails with ``must specify --enable-helm``."""
    monkeypatch.chdir(tmp_path)
    write(Path("all"), {**CHARTS, "web.yaml": APPLICATION % options, "cm.yaml": SETTINGS % settings})
    found = runs("all")

    assert any(FAILS in one.message for one in found.problems) is fails
    assert (ASSUMED in found.notes) is (not settings and not options)


def test_only_files_of_the_side_are_searched_for_charts(tmp_path: Path) -> None:
    write(tmp_path, {**CHARTS, "a/kustomization.yaml": "generators: [g.yaml]\n", "a/g.yaml": GENERATOR})
    side = sides.of_folder(str(tmp_path))

    assert renders.has_kustomize_charts(side, ["web/kustomization.yaml", "gone/kustomization.yaml"])
    assert renders.has_kustomize_charts(side, ["a/kustomization.yaml", "a/g.yaml"])
    assert not renders.has_kustomize_charts(side, ["gone/kustomization.yaml", "a/g.yaml"])


GENERATOR = "apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: g}\nname: web\n"
KUSTOMIZED = "helmCharts: [{name: web, releaseName: web, valuesInline: {color: %s}}]\n"


@pytest.mark.cluster
@pytest.mark.parametrize("is_cached", [True, False])
def test_random_values_of_a_chart_in_a_kustomization_are_no_difference(
    tmp_path: Path, helm: Path, kubectl: Path, monkeypatch: pytest.MonkeyPatch, is_cached: bool
) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join([str(helm.parent), str(kubectl.parent), "/usr/bin:/bin"]))
    chart = {
        "app/charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n",
        "app/charts/web/values.yaml": "color: ''\n",
        "app/charts/web/templates/random.yaml": RANDOM.decode(),
    }
    before, after = (
        side(tmp_path / name, {**chart, f"app/{KUSTOMIZATION}": KUSTOMIZED % name}) for name in ("red", "blue")
    )
    with use_folder(str(tmp_path / "cache") if is_cached else ""):
        was, now = (renders.render_unit(one, unit("app")) for one in (before, after))
        found = renders.without_random_values((before, after), (unit("app"), unit("app")), was, now)

    assert found.remarks
    data = [{one.ref.kind: one.object["data"] for one in each.documents} for each in (was, found)]
    assert data[0]["Secret"] | {"color": "Ymx1ZQ=="} == data[1]["Secret"]
    assert data[0]["ConfigMap"] == data[1]["ConfigMap"]
