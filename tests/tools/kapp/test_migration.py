"""Plans from kubectl, and from Helm, to an app of kapp."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.step import StepKind, StepPlan
from kubectl_applylint.ownership.tool_migration import Origin
from kubectl_applylint.tools.kapp.migration import UNSCOPED, to_kapp
from tests.stories import MANIFEST, client_side, pause, subject_of
from tests.tools.helm.test_migration import by_helm3

UNSCOPED_MANIFEST: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "annotations": {UNSCOPED: ""}}}


def plan(live: JsonObject | None, origin: Origin | None = None, manifest: JsonObject = MANIFEST) -> StepPlan:
    return to_kapp(subject_of(manifest, live), live, origin)


def test_a_selector_that_exists_stays_without_the_label_of_the_app() -> None:
    edit, deploy = plan(client_side(MANIFEST)).steps

    assert (edit.kind, edit.command) == (StepKind.EDIT, "")
    assert f'{UNSCOPED}: ""' in edit.why
    assert edit.place is not None
    assert deploy.command.startswith("kapp deploy -a APP -n shop -f ")
    assert not deploy.is_blocked


def test_manual_edits_are_removed() -> None:
    (step,) = plan(pause(client_side(UNSCOPED_MANIFEST)), manifest=UNSCOPED_MANIFEST).steps

    assert step.effect is not None
    assert "spec.paused" in [render(gone.path) for gone in step.effect.deletes]


def test_an_object_that_does_not_exist_is_created_at_once() -> None:
    found = plan(None)

    assert [step.kind for step in found.steps] == [StepKind.RUN]
    assert found.back[0] == "kubectl delete configmap APP APP.apps.k14s.io -n shop --ignore-not-found"


def test_an_object_of_an_app_keeps_its_label() -> None:
    labels = {**MANIFEST["metadata"].get("labels", {}), "kapp.k14s.io/app": "1"}
    live = client_side({**UNSCOPED_MANIFEST, "metadata": {**UNSCOPED_MANIFEST["metadata"], "labels": labels}})
    found = plan(live, manifest=UNSCOPED_MANIFEST).steps[-1].effect

    assert found is not None
    assert (found.outcome.result or {})["metadata"]["labels"]["kapp.k14s.io/app"] == "1"


def test_a_release_of_helm_is_forgotten() -> None:
    assert plan(by_helm3()).steps[-1].command == "kubectl delete secrets -l owner=helm,name=shop -n shop"
    assert [step.kind for step in plan(by_helm3(), Origin.KUBECTL).steps] == [StepKind.BLOCKED]
