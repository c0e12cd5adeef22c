"""The ways from kubectl, and from Helm 3, to other programs, walked with the real ones: each step is as predicted."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
import yaml

from kubectl_applylint.core.paths import get, parse, render
from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.tools.kapp.migration import UNSCOPED
from tests.cluster.argocd_program import Operation, sync
from tests.cluster.desk import Desk
from tests.cluster.flux_program import Kustomization, reconcile
from tests.cluster.kapp_program import deploy
from tests.cluster.test_adoption import SIDECAR, WEB, apply, not_there
from tests.stories import SCHEMA

KIND: Final = SCHEMA.kind("apps/v1", "Deployment")


def server_side(desk: Desk) -> None:
    desk.write(SIDECAR)
    desk.does("kubectl apply --server-side -f web.yaml")
    desk.write(WEB)


def apply_and_edit(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl apply -f web.yaml")
    desk.does("kubectl set env deployment/web HAND=1")
    desk.does("kubectl label deployment/web team=a")


def apply_and_scale(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl apply -f web.yaml")
    desk.scale(7)


def create(desk: Desk) -> None:
    desk.write(WEB)
    desk.does("kubectl create -f web.yaml")


def create_other_image(desk: Desk) -> None:
    desk.write(WEB.replace("web:1", "web:2"))
    desk.does("kubectl create -f web.yaml")
    desk.write(WEB)


STORIES: Final[Mapping[str, Callable[[Desk], None]]] = {
    story.__name__: story
    for story in (not_there, apply, server_side, apply_and_edit, apply_and_scale, create, create_other_image)
}


@pytest.fixture(name="helm_at_desk", params=["helm3", "helm4"])
def _helm_at_desk(request: pytest.FixtureRequest, desk: Desk, helm_programs: Mapping[str, Path]) -> str:
    """A Helm among the programs of the desk, by its name."""
    with_helm(desk, helm_programs[request.param])
    return str(request.param)


def with_helm(desk: Desk, program: Path) -> None:
    """Put a Helm among the programs of the desk; it keeps its files there."""
    homes = " ".join(f"HELM_{kind}_HOME={desk.folder}" for kind in ("CACHE", "CONFIG", "DATA"))
    script = desk.folder / "bin" / "helm"
    script.write_text(f'#!/bin/sh\n{homes} exec {program} "$@"\n')
    script.chmod(0o755)


def chart(desk: Desk) -> None:
    """Write the chart that renders the manifest."""
    (desk.folder / "CHART" / "templates").mkdir(parents=True, exist_ok=True)
    (desk.folder / "CHART" / "Chart.yaml").write_text("apiVersion: v2\nname: web\nversion: 1.0.0\n")
    (desk.folder / "CHART" / "templates" / "web.yaml").write_text((desk.folder / "web.yaml").read_text())


def plan(desk: Desk, words: str) -> JsonObject:
    (item,) = desk.report(f"migrate -f web.yaml {words}")["objects"]
    found: JsonObject = item
    return found


def run(desk: Desk, steps: Sequence[JsonObject]) -> None:
    """Run the commands, with a name for the release; those that are predicted to fail have to."""
    for step in steps:
        done = desk.sh(fill_names(step["command"]))
        effect = step["effect"]
        is_refused = effect is not None and effect["verdict"] in ("conflict", "rejected")
        assert (done.returncode != 0) == is_refused, done.stderr
        if effect is not None and not is_refused:
            check(effect, desk.live())


def fill_names(command: str) -> str:
    """Return a command with its placeholders for names filled in."""
    return command.replace("RELEASE", "shop").replace("APP", "shop")


def check(effect: JsonObject, live: JsonObject) -> None:
    """Hold what is live against what a step does to values and owners."""
    for reset in effect["resets"]:
        assert get(live, parse(reset["path"])) == reset["after"]
    for gone in effect["deletes"]:
        assert get(live, parse(gone["path"])) is MISSING
    for stays in effect["stays"]:
        assert get(live, parse(stays["path"])) is not MISSING
    assert owned_fields(effect) == really_owned(live)


def owned_fields(effect: JsonObject) -> dict[tuple[str, str], set[str]]:
    return {(each["manager"], each["operation"]): set(each["fields"]) for each in effect["owners"]}


def really_owned(live: JsonObject) -> dict[tuple[str, str], set[str]]:
    found = ownership_of(live, KIND)
    return {(m.name, m.operation): {render(field.path) for field in found.of(m)} for m in found.managers}


@pytest.mark.parametrize("story", STORIES)
def test_a_migration_to_helm_has_the_predicted_results(story: str, desk: Desk, helm_at_desk: str) -> None:
    STORIES[story](desk)
    chart(desk)
    found = plan(desk, f"--to {helm_at_desk}")

    run(desk, found["steps"])
    if found["alternative"]:
        run(desk, [found["alternative"]])
        if found["alternative"]["command"].startswith("kubectl"):
            run(desk, plan(desk, f"--to {helm_at_desk} --from kubectl")["steps"])

    assert desk.live()["metadata"]["annotations"]["meta.helm.sh/release-name"] == "shop"
    for command in found["check"]:
        done = desk.sh(fill_names(command))
        assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("story", ["apply", "apply_and_edit"])
def test_fields_removed_from_a_chart_of_helm_4_are_deleted(
    story: str, desk: Desk, helm_programs: Mapping[str, Path]
) -> None:
    STORIES[story](desk)
    with_helm(desk, helm_programs["helm4"])
    chart(desk)
    run(desk, plan(desk, "--to helm4")["steps"])

    desk.write(WEB.replace("  replicas: 3\n", ""))
    chart(desk)
    desk.does("helm upgrade shop CHART")

    assert desk.live()["spec"]["replicas"] == 1


def test_helm_forgets_a_release_and_deletes_nothing(desk: Desk, helm_at_desk: str) -> None:
    apply(desk)
    chart(desk)
    found = plan(desk, f"--to {helm_at_desk}")
    run(desk, found["steps"])

    for command in found["back"]:
        assert desk.sh(fill_names(command)).returncode == 0

    assert desk.live()["metadata"]["name"] == "web"
    assert desk.sh(f"helm status shop -n {desk.namespace}").returncode != 0


@pytest.mark.parametrize(("before", "undo"), [("install", "rollback"), ("", "uninstall")])
def test_an_interrupted_release_of_helm_has_a_remedy(desk: Desk, helm_at_desk: str, before: str, undo: str) -> None:
    not_there(desk)
    chart(desk)
    if before:
        desk.does(f"helm {before} shop CHART")
    command = "upgrade" if before else "install"
    desk.sh(f"timeout -s KILL 4 helm {command} shop CHART --wait -n {desk.namespace}")

    assert "in progress" in desk.sh(f"helm upgrade shop CHART -n {desk.namespace}").stderr
    assert desk.sh(f"helm {undo} shop -n {desk.namespace}").returncode == 0
    assert desk.sh(f"helm upgrade --install shop CHART -n {desk.namespace}").returncode == 0


@pytest.mark.parametrize("is_scaled", [False, True])
def test_the_way_from_helm_3_to_helm_4(desk: Desk, helm_programs: Mapping[str, Path], *, is_scaled: bool) -> None:
    not_there(desk)
    chart(desk)
    with_helm(desk, helm_programs["helm3"])
    desk.does("helm install shop CHART")
    desk.does("kubectl set env deployment/web HAND=1")
    if is_scaled:
        desk.scale(7)
    found = plan(desk, "--from helm3 --to helm4")
    with_helm(desk, helm_programs["helm4"])

    run(desk, found["steps"])
    if is_scaled:
        run(desk, [found["alternative"]])

    names = {(manager, operation) for manager, operation in really_owned(desk.live()) if manager == "helm"}
    assert names == {("helm", "Apply")}
    assert found["blocked"] == is_scaled


@pytest.mark.parametrize("story", STORIES)
def test_a_migration_to_flux_has_the_predicted_results(story: str, desk: Desk, flux: Path) -> None:
    STORIES[story](desk)
    (step,) = plan(desk, "--to flux")["steps"]

    result = reconcile(
        flux,
        desk.cluster.kubeconfig,
        Kustomization("KUSTOMIZATION", "flux-system"),
        [rendered_manifest(desk)],
    )

    assert not result.get("error")
    check(step["effect"], desk.live())


@pytest.mark.parametrize("story", STORIES)
def test_a_migration_to_argo_cd_has_the_predicted_results(story: str, desk: Desk, argocd: Path) -> None:
    STORIES[story](desk)
    (step,) = plan(desk, "--to argocd")["steps"]

    result = sync(argocd, desk.cluster.kubeconfig, Operation("APPLICATION", desk.namespace), [rendered_manifest(desk)])

    assert result["phase"] == "Succeeded", result
    check(step["effect"], desk.live())


@pytest.mark.parametrize("story", STORIES)
def test_a_migration_to_kapp_has_the_predicted_results(story: str, desk: Desk, kapp: Path) -> None:
    STORIES[story](desk)
    steps = plan(desk, "--to kapp")["steps"]
    manifest = rendered_manifest(desk)
    for step in steps:
        if step["kind"] == "edit":
            manifest["metadata"]["annotations"] = {UNSCOPED: ""}

    done = deploy(kapp, desk.cluster, (desk.namespace, "shop"), [manifest])

    assert done.code == 0, done.stderr
    check(steps[-1]["effect"], desk.live())


def test_kapp_forgets_an_app_and_deletes_nothing(desk: Desk, kapp: Path) -> None:
    not_there(desk)
    found = plan(desk, "--to kapp")
    deploy(kapp, desk.cluster, (desk.namespace, "shop"), [rendered_manifest(desk)])
    assert "shop" in desk.sh(f"kubectl get configmaps -n {desk.namespace}").stdout

    for command in found["back"]:
        assert desk.sh(fill_names(command)).returncode == 0

    assert desk.live()["metadata"]["name"] == "web"
    assert "shop" not in desk.sh(f"kubectl get configmaps -n {desk.namespace} --show-labels").stdout


def rendered_manifest(desk: Desk) -> JsonObject:
    """Return the manifest with the namespace that a rendering program sets."""
    manifest: JsonObject = yaml.safe_load(WEB)
    return {**manifest, "metadata": {**manifest["metadata"], "namespace": desk.namespace}}
