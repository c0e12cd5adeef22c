"""Kustomizations of Flux, built from files."""

import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import dig
from kubectl_applylint.run.sides import renders, sides
from kubectl_applylint.run.sides.units_of import units_of
from tests.run.running import DIR, WEB, plan, runs, write
from tests.run.sides.test_declared_graph import kustomization

pytestmark = pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")

IMAGES = ", images: [{name: nginx, newTag: '1.28'}]"
SHARED = {"apps/kustomization.yaml": "resources: [../base/web.yaml]", "base/web.yaml": WEB}


def test_a_unit_has_what_its_kustomization_builds(tmp_path: Path) -> None:
    settings = ", targetNamespace: shop, postBuild: {substitute: {REPLICAS: '3'}}"
    web = WEB.replace("replicas: 1", "replicas: ${REPLICAS}")
    write(
        tmp_path,
        {**SHARED, "base/web.yaml": web, "clusters/apps.yaml": kustomization("apps", "apps", settings + IMAGES)},
    )
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.applied.declared_by)

    (document,) = renders.render_unit(side, unit).documents
    assert (document.ref.namespace, dig(document.object, "spec", "replicas")) == ("shop", 3)
    assert dig(document.object, "spec", "template", "spec", "containers") == [{"image": "nginx:1.28", "name": "web"}]
    assert document.file.endswith("base/web.yaml")


def test_a_folder_without_a_kustomization_gets_the_namespace_and_the_labels(tmp_path: Path) -> None:
    settings = ", targetNamespace: shop, commonMetadata: {labels: {team: a}}"
    web = WEB.replace("name: web}", "name: web, namespace: old}")
    write(tmp_path, {"apps/web.yaml": web, "clusters/apps.yaml": kustomization("apps", "apps", settings)})
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.applied.declared_by)

    (document,) = renders.render_unit(side, unit).documents
    assert document.object["metadata"] == {"name": "web", "namespace": "shop", "labels": {"team": "a"}}


def test_files_that_the_source_ignores_are_left_out(tmp_path: Path) -> None:
    source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
    ignore = f"{source}metadata: {{name: flux-system, namespace: flux-system}}\nspec: {{ignore: '*.skip.yaml'}}\n---\n"
    files = {"apps/web.yaml": WEB, "apps/other.skip.yaml": WEB.replace("name: web}", "name: other}")}
    write(tmp_path, {**files, "clusters/apps.yaml": ignore + kustomization("apps", "apps", IMAGES)})
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.applied.declared_by)

    assert [one.ref.name for one in renders.render_unit(side, unit).documents] == ["web"]


@pytest.mark.parametrize(
    ("sparse", "names", "problem"),
    [
        ("[apps, base]", ["web"], ""),
        ("[base]", [], "Flux cannot build it: sparseCheckout of its source leaves out its path apps"),
        ("[none]", [], "apps is not rendered: its source has no none, which its sparseCheckout names"),
    ],
)
def test_a_sparse_checkout_has_the_files_of_its_entries(
    tmp_path: Path, sparse: str, names: list[str], problem: str
) -> None:
    source = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\n"
    source += "metadata: {name: flux-system, namespace: flux-system}\n"
    text = f"{source}spec: {{sparseCheckout: {sparse}}}\n---\n{kustomization('apps', 'apps', IMAGES)}"
    write(tmp_path, {**SHARED, "clusters/apps.yaml": text})
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.applied.declared_by)

    found = renders.render_unit(side, unit)
    assert [one.ref.name for one in found.documents] == names
    assert [one.message for one in found.problems] == [problem] * bool(problem)


@pytest.mark.parametrize(
    ("was", "now", "path"),
    [
        ("", IMAGES, "spec.template.spec.containers[name=web].image"),
        (", postBuild: {substitute: {COUNT: '3'}}", ", postBuild: {substitute: {COUNT: '5'}}", "spec.replicas"),
    ],
    ids=["images", "variables"],
)
def test_a_changed_kustomization_changes_its_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, was: str, now: str, path: str
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    for name, more in (("before", was), ("all", now)):
        apps = {f"{name}/{file}": text.replace("replicas: 1", "replicas: ${COUNT:=1}") for file, text in SHARED.items()}
        write(tmp_path, {**apps, f"{name}/clusters/apps.yaml": kustomization("apps", "apps", more)})

    report = plan(runs(against=DIR))
    changes = {str(document.ref): outcome.changes for document, outcome in report.outcomes}
    assert [render(change.path) for change in changes["deployment.apps/web"]][-1] == path
    assert not report.problems


def test_a_kustomization_with_the_same_secret_is_unchanged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    more = ", postBuild: {substituteFrom: [{kind: Secret, name: keys}]}"
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\nstringData: {KEY: hunter2}\n"
    for name in ("before", "all"):
        files = {**SHARED, "clusters/apps.yaml": kustomization("apps", "apps", more), "clusters/keys.yaml": secret}
        write(tmp_path, {f"{name}/{file}": text for file, text in files.items()})
    write(tmp_path, {"all/other/web.yaml": WEB})

    assert [run.unit.root for run in runs(against=DIR).each if run.unit] == ["other"]


@pytest.mark.parametrize(
    ("changed", "messages"),
    [
        ("OTHER", []),
        ("IMAGE", ["not compared, as it has changed: variable IMAGE of Secret flux-system/keys"]),
        ("TAG", ["not compared, as it has changed: variable TAG of Secret flux-system/keys"]),
    ],
    ids=["not used", "used", "used by a default"],
)
def test_only_the_values_that_the_objects_use_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str, messages: list[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    more = ", postBuild: {substituteFrom: [{kind: Secret, name: keys}]}"
    web = WEB.replace('"nginx:1.27"', "'${IMAGE:=nginx:$TAG}'")
    for name, value in (("before", "1"), ("all", "2")):
        data = {"IMAGE": "web", "TAG": "1", "OTHER": "1"} | {changed: value}
        secret = f"apiVersion: v1\nkind: Secret\nmetadata: {{name: keys}}\nstringData: {data}\n"
        files = {**SHARED, "base/web.yaml": web, "clusters/apps.yaml": kustomization("apps", "apps", more)}
        write(tmp_path, {f"{name}/{file}": text for file, text in {**files, "clusters/keys.yaml": secret}.items()})

    problems = plan(runs(against=DIR)).problems
    assert [one.message for one in problems] == messages
    assert [one.where for one in problems] == ["all/clusters/apps.yaml:4"] * len(messages)


def test_nothing_of_a_suspended_kustomization_is_applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    write(
        tmp_path, {"all/apps/web.yaml": WEB, "all/clusters/apps.yaml": kustomization("apps", "apps", ", suspend: true")}
    )

    assert [document.ref.kind for document, _ in plan(runs()).outcomes] == ["Kustomization"]


def test_a_changed_kustomization_that_changes_no_object_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    monkeypatch.chdir(tmp_path)
    for name, path in (("before", "apps"), ("all", "moved")):
        write(tmp_path, {f"{name}/{path}/web.yaml": WEB, f"{name}/clusters/apps.yaml": kustomization("apps", path)})

    report = plan(runs(against=DIR))
    assert {(unit.root, unit.compared, unit.applies) for unit in report.units} == {
        ("clusters", "yes", 1),
        ("moved", "yes", 0),
    }


def test_the_path_in_a_copied_artifact_is_that_of_the_repository(tmp_path: Path) -> None:
    generator = """\
apiVersion: source.extensions.fluxcd.io/v1beta1
kind: ArtifactGenerator
metadata: {name: apps, namespace: flux-system}
spec:
  sources: [{alias: repo, kind: GitRepository, name: flux-system}]
  artifacts: [{name: apps, copy: [{from: "@repo/deploy/apps/**", to: "@artifact/"}]}]
---
"""
    apps = kustomization("apps", "./", IMAGES).replace(
        "GitRepository, name: flux-system", "ExternalArtifact, name: apps"
    )
    write(tmp_path, {"deploy/apps/web.yaml": WEB, "clusters/apps.yaml": generator + apps})
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.applied.declared_by)

    found = renders.render_unit(side, unit)
    assert (unit.root, [one.ref.name for one in found.documents], found.problems) == ("deploy/apps", ["web"], ())


@pytest.mark.parametrize(
    ("declaring", "is_found"),
    [
        pytest.param("clusters/prod", False, id="below no other Kustomization"),
        pytest.param("clusters/prod/apps", True, id="rendered by the Kustomization of the cluster"),
    ],
)
def test_an_encrypted_secret_needs_decryption_if_nothing_can_add_it(
    tmp_path: Path, declaring: str, is_found: bool
) -> None:
    secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\nsops: {mac: x, version: '3'}\n"
    root = {"clusters/prod/root.yaml": kustomization("root", "clusters/prod")} if is_found else {}
    write(tmp_path, {**root, "apps/secret.yaml": secret, f"{declaring}/apps.yaml": kustomization("apps", "apps")})
    side = sides.of_folder(str(tmp_path))
    (unit,) = (one for one in units_of(side).units if one.root.endswith("apps") and one.applied.declared_by)

    messages = [problem.message for problem in renders.render_unit(side, unit).problems]
    assert any("configuring decryption is required" in message for message in messages) == is_found
