"""Plans from kubectl, and from Helm 3, to a release of Helm."""

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.migration import checks, ordered_commands
from kubectl_applylint.ownership.step import StepKind, StepPlan
from kubectl_applylint.ownership.tool_migration import Origin
from kubectl_applylint.tools.helm.migration import to_helm
from tests.stories import MANIFEST, as_served, client_side, pause, scale, server_side, subject_of

MARKS: JsonObject = {
    "labels": {"app.kubernetes.io/managed-by": "Helm"},
    "annotations": {"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "shop"},
}


def plan(live: JsonObject | None, origin: Origin | None = None, *, is_helm4: bool = True) -> StepPlan:
    return to_helm(subject_of(MANIFEST, live), live, origin, is_helm4=is_helm4)


def by_helm3() -> JsonObject:
    """Return the object as Helm 3 has installed it."""
    marked = {**MANIFEST, "metadata": {**MANIFEST["metadata"], **MARKS}}
    stored = client_side(marked)
    metadata = stored["metadata"]
    notes = {key: text for key, text in metadata["annotations"].items() if key in MARKS["annotations"]}
    managers = [{**metadata["managedFields"][0], "manager": "helm"}]
    return as_served({**stored, "metadata": {**metadata, "annotations": notes, "managedFields": managers}})


def commands(found: StepPlan) -> list[str]:
    return [step.command for step in found.steps]


def owners(found: StepPlan) -> list[str]:
    effect = found.steps[-1].effect
    assert effect is not None
    assert effect.owners is not None
    return [str(manager).partition(",")[0] for manager in effect.owners.managers]


def test_helm_4_owns_alone_what_kubectl_applied_client_side() -> None:
    found = plan(client_side(MANIFEST))

    assert commands(found) == [
        "kubectl apply --server-side --field-manager=helm -f web.yaml",
        "helm upgrade --install RELEASE CHART -n shop --take-ownership",
    ]
    assert owners(found) == ["helm (Apply"]
    assert found.leftovers == ()
    assert not found.is_blocked


def test_helm_4_owns_alone_what_kubectl_applied_server_side() -> None:
    found = plan(server_side(MANIFEST))

    helm, kubectl = commands(found)
    assert helm == "helm upgrade --install RELEASE CHART -n shop --take-ownership"
    assert kubectl.splitlines()[0] == "kubectl apply --server-side -f - <<'EOF'"
    assert "  namespace: shop" in kubectl.splitlines()
    assert owners(found) == ["helm (Apply"]


def test_helm_3_patches_and_the_annotation_goes() -> None:
    found = plan(client_side(MANIFEST), is_helm4=False)

    assert commands(found) == [
        "helm upgrade --install RELEASE CHART -n shop --take-ownership",
        "kubectl annotate deployment.apps/web -n shop kubectl.kubernetes.io/last-applied-configuration-",
    ]
    assert found.check == ()
    assert found.back[-1] == "kubectl apply -f web.yaml"


def test_a_missing_object_is_installed() -> None:
    assert commands(plan(None)) == ["helm upgrade --install RELEASE CHART -n shop"]
    assert plan(None).back == ()


def test_a_conflict_is_shown_with_the_way_by_force() -> None:
    found = plan(scale(client_side(MANIFEST), 7))

    assert found.is_blocked
    assert len(found.steps) == 1
    assert found.alternative is not None
    assert found.alternative.command == (
        "kubectl apply --server-side --field-manager=helm --force-conflicts -f web.yaml"
    )


def test_helm_4_takes_a_release_of_helm_3_over() -> None:
    found = plan(by_helm3(), Origin.HELM3)

    assert commands(found) == ["helm upgrade shop CHART -n shop --server-side=true"]
    assert owners(found) == ["helm (Apply"]
    assert found.back == ()


def test_an_upgrade_to_helm_4_conflicts_with_a_controller_that_scales() -> None:
    found = plan(scale(by_helm3(), 7))

    assert found.is_blocked
    assert found.alternative is not None
    assert found.alternative.command == "helm upgrade shop CHART -n shop --server-side=true --force-conflicts"
    assert found.alternative.effect is not None
    assert [render(taken.path) for taken in found.alternative.effect.taken] == ["spec.replicas"]


def test_an_object_that_comes_from_elsewhere_stops_the_plan() -> None:
    stopped = plan(client_side(MANIFEST), Origin.HELM3)

    assert [(step.kind, step.command) for step in stopped.steps] == [(StepKind.BLOCKED, "")]
    assert "belongs to no Helm release" in stopped.steps[0].why
    assert "belongs to the Helm release shop in shop" in plan(by_helm3(), Origin.KUBECTL).steps[0].why


def test_one_call_of_helm_does_for_all_objects() -> None:
    plans = [plan(client_side(MANIFEST)), plan(server_side(MANIFEST)), plan(pause(client_side(MANIFEST)))]

    found = ordered_commands(plans)
    assert found[:2] == (
        "kubectl apply --server-side --field-manager=helm -f web.yaml",
        "helm upgrade --install RELEASE CHART -n shop --take-ownership",
    )
    assert found[2].startswith("kubectl apply --server-side -f -")
    assert len(found) == 3
    assert checks(plans) == ("helm get manifest RELEASE -n shop | kubectl diff --server-side -n shop -f -",)
