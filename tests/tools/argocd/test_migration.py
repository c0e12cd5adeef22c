"""Plans from kubectl, and from Helm, to an Application of Argo CD."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.step import StepKind, StepPlan
from kubectl_applylint.ownership.tool_migration import Origin
from kubectl_applylint.tools.argocd.migration import to_argocd
from tests.stories import MANIFEST, WITHOUT_REPLICAS, client_side, pause, subject_of
from tests.tools.helm.test_migration import by_helm3


def plan(live: JsonObject | None, origin: Origin | None = None, manifest: JsonObject = MANIFEST) -> StepPlan:
    return to_argocd(subject_of(manifest, live), live, origin)


def test_argo_cd_uses_the_annotation_of_kubectl() -> None:
    found = plan(pause(client_side(MANIFEST)), manifest=WITHOUT_REPLICAS)

    (step,) = found.steps
    assert step.command == "argocd app sync APPLICATION"
    assert "with the last-applied annotation" in step.why
    assert step.effect is not None
    assert [render(reset.change.path) for reset in step.effect.resets] == ["spec.replicas"]
    assert [render(field.path) for field in step.effect.stays] == ["spec.paused"]
    assert found.back == ("argocd app delete APPLICATION --cascade=false",)


def test_objects_of_helm_have_no_last_applied_annotation() -> None:
    found = plan(by_helm3())

    assert "no last-applied annotation" in found.steps[0].why
    assert found.steps[1].command == "kubectl delete secrets -l owner=helm,name=shop -n shop"


def test_an_application_that_has_the_object_is_named() -> None:
    notes = {"argocd.argoproj.io/tracking-id": "shop:apps/Deployment:shop/web"}
    live = client_side({**MANIFEST, "metadata": {**MANIFEST["metadata"], "annotations": notes}})

    assert plan(live).steps[0].command == "argocd app sync shop"
    assert plan(live).steps[0].effect is not None


def test_an_object_that_comes_from_elsewhere_stops_the_plan() -> None:
    assert [step.kind for step in plan(by_helm3(), Origin.KUBECTL).steps] == [StepKind.BLOCKED]
