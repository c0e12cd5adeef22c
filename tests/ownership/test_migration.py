"""Plans from client-side to server-side apply and back."""

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.migration import MergeSite, checks, migration, ordered_commands
from kubectl_applylint.ownership.step import Effect, Step, StepPlan
from tests.stories import MANIFEST, WITHOUT_REPLICAS, client_side, pause, scale, server_side, subject_of, update_object

CONFIG: JsonObject = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "settings", "namespace": "shop"},
    "data": {"a": "1"},
}
WIDGET: JsonObject = {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}


def plan(live: JsonObject | None, manifest: JsonObject = MANIFEST, to: MergeSite = MergeSite.SERVER) -> StepPlan:
    return migration(subject_of(manifest, live), live, to)


def forgotten(live: JsonObject) -> JsonObject:
    """Return the object without managers."""
    return {**live, "metadata": {key: value for key, value in live["metadata"].items() if key != "managedFields"}}


def verdicts(found: StepPlan) -> list[tuple[str, str]]:
    return [(step.command, effect_of(step).outcome.verdict.value) for step in found.steps]


def effect_of(step: Step) -> Effect:
    """Return the effect, which each step here has."""
    assert step.effect is not None
    return step.effect


def test_client_side_to_server_side_takes_one_command() -> None:
    found = plan(client_side(MANIFEST))

    assert verdicts(found) == [("kubectl apply --server-side -f web.yaml", "serverside-applied")]
    effect = effect_of(*found.steps)
    assert effect.owners is not None
    assert [manager.name for manager in effect.owners.managers] == ["kubectl-last-applied", "kubectl"]
    assert [render(each.path) for each in effect.owners.of(effect.owners.managers[1])] == [
        "spec.replicas",
        "spec.selector",
        "spec.template.metadata.labels.app",
        "spec.template.spec.containers[name=web].image",
        "spec.template.spec.containers[name=web].name",
        "spec.template.spec.containers[name=web].ports[containerPort=80,protocol=TCP].containerPort",
        "spec.template.spec.containers[name=web].ports[containerPort=80,protocol=TCP].name",
    ]
    assert (effect.orphans, effect.deletes, effect.resets, effect.taken) == ((), (), (), ())
    assert effect.defaults > 5
    assert found.back == ("kubectl apply -f web.yaml",)


def test_a_conflict_stops_the_plan_and_force_is_predicted() -> None:
    found = plan(scale(client_side(MANIFEST), 7))

    assert found.is_blocked
    assert [(render(c.path), c.owner.name) for c in effect_of(found.steps[0]).outcome.conflicts] == [
        ("spec.replicas", "kube-controller-manager")
    ]
    assert found.alternative is not None
    assert found.alternative.command == "kubectl apply --server-side --force-conflicts -f web.yaml"
    assert [render(taken.path) for taken in effect_of(found.alternative).taken] == ["spec.replicas"]


def test_without_its_line_the_field_stays_with_its_owner() -> None:
    found = plan(scale(client_side(MANIFEST), 7), WITHOUT_REPLICAS)

    effect = effect_of(*found.steps)
    assert not found.is_blocked
    assert effect.owners is not None
    assert [
        render(each.path) for each in effect.owners.fields if [m.subresource for m in each.managers] == ["scale"]
    ] == ["spec.replicas"]


def test_an_object_without_managers_loses_fields_missing_in_the_manifest() -> None:
    found = plan(forgotten(pause(client_side(MANIFEST))))

    assert [render(change.path) for change in effect_of(found.steps[0]).deletes] == ["spec.paused"]


def test_fields_of_a_client_side_edit_are_deleted_with_their_owner() -> None:
    live = client_side(CONFIG)
    also = update_object(live, {**live, "data": {"a": "1", "b": "2"}}, "kubectl-client-side-apply")

    effect = effect_of(*plan(also, CONFIG).steps)

    assert [render(change.path) for change in effect.deletes] == ["data.b"]


def test_duplicates_are_rejected() -> None:
    twice = [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]
    containers = [{**MANIFEST["spec"]["template"]["spec"]["containers"][0], "env": twice}]
    template = {**MANIFEST["spec"]["template"], "spec": {"containers": containers}}
    manifest = {**MANIFEST, "spec": {**MANIFEST["spec"], "template": template}}

    found = plan(client_side(MANIFEST), manifest)

    assert effect_of(found.steps[0]).outcome.verdict is Verdict.REJECTED
    assert "duplicate entries for key" in effect_of(found.steps[0]).outcome.errors[0].message
    assert (found.is_blocked, found.alternative) == (True, None)


def test_fields_of_kubectl_create_remain_as_leftovers() -> None:
    live = server_side(MANIFEST)
    created = update_object({**forgotten(live), "spec": {}}, forgotten(live), "kubectl-create")
    shared = server_side(MANIFEST, created)

    found = plan(shared)

    assert found.steps == ()
    assert "spec.replicas" in [render(field.path) for field in found.leftovers]


def test_fields_of_two_appliers_are_no_leftovers() -> None:
    assert plan(server_side(MANIFEST, server_side(MANIFEST), "team")).leftovers == ()


def test_server_side_to_client_side_applies_once_more_before() -> None:
    found = plan(server_side(MANIFEST), WITHOUT_REPLICAS, MergeSite.CLIENT)

    assert verdicts(found) == [
        ("kubectl apply --server-side -f web.yaml", "serverside-applied"),
        ("kubectl apply -f web.yaml", "configured"),
    ]
    resets = [(render(reset.change.path), reset.change.after) for reset in effect_of(found.steps[0]).resets]
    assert resets == [("spec.replicas", 1)]
    assert found.back == ("kubectl apply --server-side -f web.yaml",)


@pytest.mark.parametrize(
    ("live", "to", "commands"),
    [
        (server_side(MANIFEST), MergeSite.CLIENT, ["kubectl apply -f web.yaml"]),
        (server_side(MANIFEST, client_side(MANIFEST)), MergeSite.CLIENT, ["kubectl apply -f web.yaml"]),
        (server_side(MANIFEST, manager="team"), MergeSite.CLIENT, ["kubectl apply -f web.yaml"]),
        (client_side(MANIFEST), MergeSite.CLIENT, []),
        (server_side(MANIFEST), MergeSite.SERVER, []),
        (None, MergeSite.SERVER, ["kubectl apply --server-side -f web.yaml"]),
        (None, MergeSite.CLIENT, ["kubectl apply -f web.yaml"]),
    ],
    ids=["back", "migrated back", "other manager", "client already", "server already", "new", "new by client"],
)
def test_the_commands(live: JsonObject | None, to: MergeSite, commands: list[str]) -> None:
    assert [step.command for step in plan(live, to=to).steps] == commands


def test_a_rejected_step_to_the_client_is_skipped_if_another_owns_the_field() -> None:
    found = plan(scale(server_side(MANIFEST), 7), to=MergeSite.CLIENT)

    assert verdicts(found) == [("kubectl apply -f web.yaml", "configured")]
    assert [render(taken.path) for taken in effect_of(found.steps[0]).taken] == ["spec.replicas"]


def test_kinds_without_a_schema_can_be_planned() -> None:
    found = plan(client_side(WIDGET), WIDGET)

    assert verdicts(found) == [("kubectl apply --server-side -f web.yaml", "serverside-applied")]


def test_a_migration_of_an_invalid_manifest_is_rejected() -> None:
    broken = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": "many"}}

    assert effect_of(plan(client_side(MANIFEST), broken).steps[0]).outcome.refused


def test_the_commands_of_a_run_come_once_a_file_and_server_side_first() -> None:
    back = plan(server_side(MANIFEST), WITHOUT_REPLICAS, MergeSite.CLIENT)
    other = migration(subject_of(CONFIG, None, file="other.yaml"), None, MergeSite.CLIENT)

    assert ordered_commands([other, back, back]) == (
        "kubectl apply --server-side -f web.yaml",
        "kubectl apply -f other.yaml",
        "kubectl apply -f web.yaml",
    )
    assert checks([other, back, back]) == ("kubectl diff -f other.yaml", "kubectl diff -f web.yaml")
    assert checks([plan(None)]) == ("kubectl diff --server-side -f web.yaml",)


def test_there_is_no_way_back_to_nothing() -> None:
    refused = plan(None, {**MANIFEST, "spec": {}})

    assert (refused.is_blocked, refused.back) == (True, ())
