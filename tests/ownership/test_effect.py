"""Effects of applies on values and owners besides those that manifests ask for."""

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.ownership.apply_mode import SERVER_SIDE, mode_of
from kubectl_applylint.ownership.effect import effect_of, forced_step
from kubectl_applylint.ownership.step import Effect, Step, StepKind
from tests.stories import (
    MANIFEST,
    WITHOUT_REPLICAS,
    as_served,
    client_side,
    pause,
    scale,
    server_side,
    subject_of,
    update_object,
)

OTHER: JsonObject = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 5}}
LABELLED: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"app": "web", "tier": "front"}}}
# ODD JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"odd": "a b", "number": 1}}}
WIDGET: JsonObject = {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
APPLIED = client_side(MANIFEST)


def annotated_object(live: JsonObject, text: str | None) -> JsonObject:
    """Return the object with another last-applied annotation, or without."""
    rest = {key: value for key, value in live["metadata"].get("annotations", {}).items() if key != LAST_APPLIED}
    annotations = rest if text is None else {**rest, LAST_APPLIED: text}
    return {**live, "metadata": {**live["metadata"], "annotations": annotations}}


def made_by(*managers: str, saved: bool = False) -> JsonObject:
    """Return the Deployment as these managers made it."""
    live = APPLIED if saved else annotated_object(APPLIED, None)
    (entry,) = live["metadata"]["managedFields"]
    return {
        **live,
        "metadata": {**live["metadata"], "managedFields": [{**entry, "manager": name} for name in managers]},
    }


def effect_of_apply(live: JsonObject, manifest: JsonObject = MANIFEST) -> Effect:
    """Return what the next apply does."""
    return effect_of(subject_of(manifest, live), mode_of(live), live)


def test_an_effect_has_resets_deletions_and_remaining_fields() -> None:
    live = pause(scale(client_side({**LABELLED, "spec": OTHER["spec"]}), 7))
    effect = effect_of_apply(live)

    assert [render(each.path) for each in effect.deletes] == ["metadata.labels"]
    (reset,) = effect.resets
    assert (render(reset.change.path), reset.change.before, reset.change.after) == ("spec.replicas", 7, 3)
    assert [writer.title for writer in reset.writers] == ["kube-controller-manager/scale"]
    assert reset.handover == (
        "kubectl applylint handover deployment.apps/web spec.replicas --to kube-controller-manager -f web.yaml"
    )
    assert [(render(each.path), each.managers[0].name) for each in effect.stays] == [("spec.paused", "kubectl-edit")]


@pytest.mark.parametrize(
    ("live", "manifest", "resets"),
    [
        pytest.param(APPLIED, OTHER, [], id="the file has changed"),
        pytest.param(made_by("kubectl-create"), OTHER, ["spec.replicas"], id="nobody knows whether the file has"),
        pytest.param(scale(APPLIED, 7), WITHOUT_REPLICAS, ["spec.replicas"], id="the line has left"),
        pytest.param(server_side(MANIFEST), OTHER, [], id="the file has changed, server-side"),
        pytest.param(
            update_object(server_side(MANIFEST), {**server_side(MANIFEST), "spec": OTHER["spec"]}, "kubectl-edit"),
            MANIFEST,
            ["spec.replicas"],
            id="an edit, server-side",
        ),
    ],
)
def test_a_reset_is_more_than_a_change_of_the_file(live: JsonObject, manifest: JsonObject, resets: list[str]) -> None:
    effect = effect_of_apply(live, manifest)

    assert [render(each.change.path) for each in effect.resets] == resets


def test_a_manual_edit_has_no_new_owner() -> None:
    live = update_object(APPLIED, {**APPLIED, "spec": {**APPLIED["spec"], "replicas": 9}}, "kubectl-edit")
    effect = effect_of_apply(live)

    assert [each.handover for each in effect.resets] == [""]


def test_values_of_the_server_are_no_leftovers() -> None:
    service: JsonObject = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {"name": "web", "namespace": "shop"},
        "spec": {"ports": [{"port": 80}], "type": "NodePort"},
    }
    stored = client_side(service)
    spec: Json = {**stored["spec"], "clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}
    live = as_served({**stored, "spec": spec})
    changed = {**service, "spec": {**service["spec"], "ports": [{"port": 81}]}}
    effect = effect_of_apply(live, changed)

    assert effect.stays == ()


def test_an_edit_loses_its_owner_but_not_its_value() -> None:
    live = update_object(APPLIED, {**APPLIED, "spec": {**APPLIED["spec"], "paused": True}}, "kubectl-client-side-apply")

    assert [render(change.path) for change in effect_of(subject_of(MANIFEST, live), SERVER_SIDE, live).deletes] == [
        "spec.paused"
    ]


def test_only_a_conflict_can_be_forced() -> None:
    live = scale(server_side(MANIFEST), 7)
    subject, command = subject_of(MANIFEST, live), "kubectl apply --server-side -f web.yaml"
    conflicting = Step(StepKind.RUN, command, "", effect_of(subject, SERVER_SIDE, live))
    found = forced_step(subject, live, conflicting)

    assert found is not None
    assert found.command == "kubectl apply --server-side --force-conflicts -f web.yaml"
    assert found.effect is not None
    assert found.effect.outcome.verdict is Verdict.SERVERSIDE_APPLIED
    assert [render(taken.path) for taken in found.effect.taken] == ["spec.replicas"]
    assert forced_step(subject, live, found) is None
    assert forced_step(subject, live, Step(StepKind.DONE, "", "")) is None
