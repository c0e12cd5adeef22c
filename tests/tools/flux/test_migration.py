"""Plans from kubectl, and from Helm, to a Kustomization of Flux."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.step import StepKind, StepPlan
from kubectl_applylint.ownership.tool_migration import Origin
from kubectl_applylint.tools.flux.migration import to_flux
from tests.stories import MANIFEST, client_side, pause, subject_of
from tests.tools.helm.test_migration import by_helm3


def plan(live: JsonObject | None, origin: Origin | None = None) -> StepPlan:
    return to_flux(subject_of(MANIFEST, live), live, origin)


def test_fields_of_kubectl_belong_to_flux_or_are_deleted() -> None:
    found = plan(pause(client_side(MANIFEST)))

    (step,) = found.steps
    assert step.command == "flux reconcile kustomization KUSTOMIZATION -n flux-system"
    assert step.effect is not None
    assert step.effect.owners is not None
    assert [manager.name for manager in step.effect.owners.managers] == ["kustomize-controller"]
    assert [render(change.path) for change in step.effect.deletes] == ["spec.paused"]
    assert step.effect.stays == ()
    assert found.leftovers == ()


def test_fields_of_helm_keep_helm_as_an_owner() -> None:
    found = plan(by_helm3())

    assert [step.command.partition(" ")[0] for step in found.steps] == ["flux", "kubectl"]
    assert found.steps[1].command == "kubectl delete secrets -l owner=helm,name=shop -n shop"
    assert "spec.replicas" in {render(field.path) for field in found.leftovers}


def test_a_kustomization_that_has_the_object_is_named() -> None:
    labels = {"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "fleet"}
    live = client_side({**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": labels}})

    assert plan(live).steps[0].command == "flux reconcile kustomization apps -n fleet"
    assert plan(live).back[-1] == "kubectl delete kustomization apps -n fleet"


def test_an_object_that_comes_from_elsewhere_stops_the_plan() -> None:
    assert [step.kind for step in plan(client_side(MANIFEST), Origin.HELM3).steps] == [StepKind.BLOCKED]
