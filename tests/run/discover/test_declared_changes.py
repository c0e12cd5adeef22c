"""Changed objects that make a controller apply others."""

from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.run.discover.declared_changes import (
    by_identity,
    followed_sources,
    is_read_by_release,
    reported_sources,
    unexamined_applies,
    unfollowed_changes,
)
from kubectl_applylint.run.sides.sides import of_folder
from kubectl_applylint.sources.store.chart_source import git_source
from kubectl_applylint.units.model import Applied, Form, IncludedSource, Unit

RELEASE = "helm.toolkit.fluxcd.io/v2/HelmRelease"
KUSTOMIZATION = "kustomize.toolkit.fluxcd.io/v1/Kustomization"
SOURCE = "source.toolkit.fluxcd.io/v1/OCIRepository"
APPLICATION = "argoproj.io/v1alpha1/Application"
INSTANCE = "fluxcd.controlplane.io/v1/FluxInstance"


def declaration(kind: str, **spec: Any) -> Document:
    version, _, name = kind.rpartition("/")
    value = {"apiVersion": version, "kind": name, "metadata": {"name": "web", "namespace": "shop"}, "spec": spec}
    return Document("web.yaml", 0, value, ref_of(value), InCluster())


def messages(was: Document | None, now: Document | None, *units: str) -> list[str]:
    before, after = (by_identity([one] if one else []) for one in (was, now))
    return [problem.message for problem in unexamined_applies(before, after, units)]


@pytest.mark.parametrize(
    ("kind", "was", "now", "is_problem"),
    [
        pytest.param(RELEASE, {"values": {"a": 1}}, {"values": {"a": 2}}, False, id="a release, which is a unit"),
        pytest.param(RELEASE, {"interval": "1m"}, {"interval": "2m"}, False, id="how often"),
        pytest.param(SOURCE, {"ref": {"tag": "1"}}, {"ref": {"tag": "2"}}, True, id="the tag of a source"),
        pytest.param(APPLICATION, {"source": {"chart": "a"}}, {"source": {"chart": "b"}}, False, id="a chart, a unit"),
        pytest.param("v1/ConfigMap", {"a": 1}, {"a": 2}, False, id="an object that applies nothing"),
    ],
)
def test_a_change_of_what_is_not_rendered_is_a_problem(
    kind: str, was: dict[str, Any], now: dict[str, Any], is_problem: bool
) -> None:
    assert len(messages(declaration(kind, **was), declaration(kind, **now))) == is_problem


@pytest.mark.parametrize(
    ("kind", "was", "now", "is_problem"),
    [
        pytest.param(RELEASE, {"values": {"a": 1}}, {"values": {"a": 2}}, False, id="values"),
        pytest.param(RELEASE, {"postRenderers": []}, {"postRenderers": [{}]}, False, id="post-renderers"),
        pytest.param(RELEASE, {"upgrade": {}}, {"upgrade": {"force": True}}, False, id="how a release is upgraded"),
        pytest.param(KUSTOMIZATION, {"path": "a"}, {"path": "b"}, False, id="the path"),
        pytest.param(KUSTOMIZATION, {"postBuild": {}}, {"postBuild": {"a": "b"}}, False, id="substitutions"),
        pytest.param(APPLICATION, {"source": {"path": "a"}}, {"source": {"path": "b"}}, False, id="a source"),
        pytest.param(
            APPLICATION, {"source": {"kustomize": {}}}, {"source": {"kustomize": {"a": 1}}}, False, id="kustomize"
        ),
    ],
)
def test_a_unit_is_examined_with_some_fields_of_what_declares_it(
    kind: str, was: dict[str, Any], now: dict[str, Any], is_problem: bool
) -> None:
    name = f"{kind.rpartition('/')[2]} shop/web"

    assert len(messages(declaration(kind, **was), declaration(kind, **now), name)) == is_problem


def test_new_and_removed_declarations_are_named() -> None:
    app, source = declaration(INSTANCE), declaration(SOURCE)

    assert messages(None, app) == ["FluxInstance shop/web is new, and the objects that it applies are not rendered"]
    assert messages(app, None) == ["FluxInstance shop/web is removed, and the objects that it applies are not rendered"]
    assert messages(app, None, "FluxInstance shop/web") == messages(None, source) == messages(source, None) == []


@pytest.mark.parametrize(
    ("kind", "was", "now", "message"),
    [
        (SOURCE, {"verify": {"provider": "cosign"}}, {}, "verify changed, and signatures are not checked here"),
        (SOURCE, {}, {"provider": "aws"}, "provider changed, and whether Flux can log in is not known here"),
        (
            SOURCE,
            {},
            {"recurseSubmodules": True},
            "recurseSubmodules changed, and files of submodules are not read here",
        ),
        (SOURCE, {}, {"include": [{}]}, ""),
        (SOURCE, {"verify": {}, "ref": {"tag": "1"}}, {"verify": {}, "ref": {"tag": "2"}}, ""),
        (RELEASE, {}, {"verify": {}}, ""),
    ],
)
def test_a_setting_of_a_source_that_is_not_followed_is_a_problem(
    kind: str, was: dict[str, Any], now: dict[str, Any], message: str
) -> None:
    before, after = (by_identity([declaration(kind, **spec)]) for spec in (was, now))
    found = [one.message for one in unfollowed_changes(before, after)]

    assert found == ([f"OCIRepository shop/web: {message}"] if message else [])
    assert not [*unfollowed_changes({}, after)]


def test_a_source_that_a_release_reads_is_examined_with_it(tmp_path: Path) -> None:
    (tmp_path / "web.yaml").write_text("kind: HelmRelease\nspec: {chartRef: {name: web}}\n")
    side = of_folder(str(tmp_path))

    assert is_read_by_release(side, "OCIRepository/shop/web")
    assert not is_read_by_release(side, "OCIRepository/shop/other")
    assert not is_read_by_release(side, "Application/shop/web")


def test_the_sources_that_a_unit_follows() -> None:
    item = {"metadata": {"namespace": "apps"}, "spec": {"sourceRef": {"name": "fleet"}}}
    inner = IncludedSource("GitRepository apps/inner")
    included = (IncludedSource("GitRepository apps/other", includes=(inner,)),)
    applied = Applied("flux", tool_object=item, includes=included)

    def source_names(*applied: Applied) -> list[str]:
        return sorted(followed_sources([Unit("a", Form.KUSTOMIZATION, frozenset(), one) for one in applied]))

    elsewhere = replace(applied, includes=(), gap="its source is elsewhere")
    own = replace(applied, includes=())
    assert source_names(applied) == ["GitRepository apps/fleet", "GitRepository apps/inner", "GitRepository apps/other"]
    assert source_names(own) == source_names(own, replace(elsewhere, is_suspended=True)) == ["GitRepository apps/fleet"]
    assert source_names(elsewhere) == source_names(own, elsewhere) == []


def test_a_source_that_changed_with_a_unit_without_files_is_named_by_that() -> None:
    item = {"spec": {"sourceRef": {"kind": "OCIRepository", "name": "web"}}}
    was, now = (
        Unit(
            "a", Form.KUSTOMIZATION, frozenset(), Applied("flux", tool_object=item, gap="elsewhere", fetched_source=one)
        )
        for one in (git_source("https://x.io/a", "v1"), git_source("https://x.io/a", "v2"))
    )

    assert [*reported_sources([was], [now])] == ["OCIRepository web"]
    assert [*reported_sources([was], [replace(now, applied=replace(now.applied, gap=""))])] == []
    tagged = replace(now, applied=Applied("flux", tool_object=item, revision="tag v1", gap="it applies tag v1"))
    read = replace(now, applied=Applied("flux", tool_object=item))
    assert [*reported_sources([read], [tagged])] == [*reported_sources([tagged], [read])] == ["OCIRepository web"]
    assert [*reported_sources([now], [now])] == [*reported_sources([], [now])] == []
