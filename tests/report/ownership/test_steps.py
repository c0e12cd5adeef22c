"""Output of ``adopt``, ``migrate`` and ``handover``."""

import json
from collections.abc import Sequence

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Present, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE
from kubectl_applylint.ownership.field_ownership import ownership_of
from kubectl_applylint.ownership.handover import handover
from kubectl_applylint.ownership.migration import MergeSite, migration
from kubectl_applylint.ownership.object_state import ObjectState
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.steps import Planner, steps_json, steps_text
from tests.stories import (
    MANIFEST,
    WITHOUT_REPLICAS,
    beside,
    client_side,
    pause,
    scale,
    server_side,
    subject_of,
    update_object,
)

LABELLED: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"app": "web"}}}
SECRET: JsonObject = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "token", "namespace": "shop"},
    "data": {"a": "cGFzc3dvcmQ=", "b": "c2VjcmV0"},
}
RUN = Step(StepKind.RUN, "kubectl apply -f - <<'EOF'\n{}\nEOF", "this shares it", has_values=True)
EDIT = Step(StepKind.EDIT, "", "remove it from a.yaml", place=Location("a.yaml", Span(3, 1, 3, 9)))


def created_object(live: JsonObject) -> JsonObject:
    """Return the object as kubectl create leaves it."""
    managers = [{**entry, "manager": "kubectl-create"} for entry in live["metadata"]["managedFields"]]
    return {**live, "metadata": {**live["metadata"], "managedFields": managers, "annotations": {}}}


def adoption_lines(live: JsonObject | None, manifest: JsonObject = MANIFEST) -> list[str]:
    plan = adoption(subject_of(manifest, live), live, ClusterModel())
    return steps_text(Planner.ADOPT, [plan], [], Context()).splitlines()


def migration_lines(
    live: JsonObject | None, manifest: JsonObject = MANIFEST, to: MergeSite = MergeSite.SERVER, *, verbose: bool = False
) -> list[str]:
    plan = migration(subject_of(manifest, live), live, to)
    return steps_text(Planner.MIGRATE, [plan], [], Context(verbose=verbose)).splitlines()


def plan_of(*steps: Step, manifest: JsonObject = MANIFEST) -> StepPlan:
    """Return a plan of these steps."""
    return StepPlan(subject_of(manifest, None), CLIENT_SIDE, ObjectState.ABSENT, ObjectState.ABSENT, steps)


def shell(steps: Sequence[Step], **look: int) -> str:
    return steps_text(Planner.HANDOVER, [plan_of(*steps)], [], Context(**look))  # type: ignore[arg-type]  # a width


def test_the_steps_of_a_created_object() -> None:
    live = pause(scale(created_object(client_side(MANIFEST)), 7))

    assert adoption_lines(live) == [
        "deployment.apps/web in shop: was created by kubectl create or replace, which write no last-applied annotation",
        "  1. kubectl apply set-last-applied --create-annotation -f web.yaml",
        "     writes only the last-applied annotation. Pass the file as it was when the object was created, so that the"
        " next apply removes what was deleted from it since",
        "  2. kubectl diff -f web.yaml",
        "     shows what the apply changes",
        "  3. kubectl apply -f web.yaml",
        "     from now on change these fields only through kubectl apply",
        "     configured",
        "     sets spec.replicas from 7 (written by kube-controller-manager/scale) to 3; to keep 7, write it in"
        " web.yaml:1:1, or leave the field to its writer: kubectl applylint handover deployment.apps/web spec.replicas"
        " --to kube-controller-manager -f web.yaml",
        "     owners afterwards: kubectl-create (Update) 21 fields, kubectl-edit (Update) 1 field,"
        " kubectl-client-side-apply (Update) 2 fields",
        "     stays, though not in the file (kubectl-edit): spec.paused",
        "  or kubectl replace --save-config -f web.yaml",
        "     replaces the whole object, writes the annotation, and keeps only what is in the file",
        "     configured",
        "     deletes spec.paused: true",
        "     owners afterwards: kubectl-create (Update) 21 fields, kubectl-replace (Update) 2 fields",
        "  to delete it later: kubectl delete -f web.yaml",
        "     its pods are stopped",
    ]


def test_an_edit_and_nothing_more_to_do() -> None:
    lines = adoption_lines(client_side(MANIFEST), {**MANIFEST, "status": {"replicas": 3}})

    assert lines[1:5] == [
        "  1. edit web.yaml:1:1",
        "     the manifest was exported from the cluster; remove the fields that only the server writes: status",
        "  2. done",
        "     nothing to do: kubectl apply already manages it",
    ]


def test_remaining_owners_are_reported_even_without_steps() -> None:
    assert adoption_lines(pause(client_side(MANIFEST)))[1:4] == [
        "  1. done",
        "     nothing to do: kubectl apply already manages it",
        "     stays, though not in the file (kubectl-edit): spec.paused",
    ]


def test_a_value_without_a_known_writer() -> None:
    live = client_side(MANIFEST)
    bare = {**live, "metadata": {**live["metadata"], "managedFields": []}, "spec": {**live["spec"], "replicas": 7}}

    assert any(line.startswith("     sets spec.replicas from 7 (writer unknown) to 3") for line in adoption_lines(bare))


@pytest.mark.parametrize(
    ("names", "more"), [(["web"], []), (["web", "b"], ["     also deletes: deployment.apps/b"])], ids=["alone", "twin"]
)
def test_other_objects_that_a_prune_deletes_are_listed(names: list[str], more: list[str]) -> None:
    stored = [client_side({**LABELLED, "metadata": {**LABELLED["metadata"], "name": name}}) for name in names]
    settings: JsonObject = {**SECRET, "metadata": {**LABELLED["metadata"], "name": "x"}}
    subject = beside(subject_of(LABELLED, stored[0]), settings, file="other.yaml")
    cluster = ClusterModel({ref_of(item).identity: Present(item) for item in stored})
    lines = steps_text(Planner.ADOPT, [adoption(subject, stored[0], cluster)], [], Context()).splitlines()

    assert lines[lines.index("     its pods are stopped") + 1 :] == [
        "  or remove its manifest from the folder, and prune: kubectl apply --prune -l app=web"
        " --prune-allowlist=apps/v1/Deployment -f .",
        *more,
    ]


def test_without_a_file_only_an_export_is_printed() -> None:
    live = client_side(MANIFEST)
    plan = adoption(subject_of(MANIFEST, live, known=False), live, ClusterModel())

    assert steps_text(Planner.ADOPT, [plan], [Problem("a", "b")], Context()) == (
        "deployment.apps/web in shop: is managed by kubectl apply\n"
        "  1. kubectl apply view-last-applied deployment.apps/web -n shop -o yaml > deployment_web.yaml\n"
        "     no file has the object: this writes what was applied last to deployment_web.yaml; then run adopt -f"
        " deployment_web.yaml\n"
        "\n"
        "a: problem: b\n"
    )


def test_a_migration() -> None:
    assert migration_lines(client_side(MANIFEST)) == [
        "deployment.apps/web in shop: is managed by kubectl apply",
        "  1. kubectl apply --server-side -f web.yaml",
        "     applies server-side: the field manager kubectl (Apply) then owns the fields of the manifest",
        "     serverside-applied",
        "     owners afterwards: kubectl-last-applied (Apply) 1 field, kubectl (Apply) 7 fields, no owner 15 fields",
        "",
        "commands, in this order:",
        "  kubectl apply --server-side -f web.yaml",
        "check, prints nothing when all is done:",
        "  kubectl diff --server-side -f web.yaml",
        "to go back:",
        "  kubectl apply -f web.yaml",
        "  # after that two managers own the fields, kubectl (Apply) and kubectl-client-side-apply (Update):"
        " client-side apply does not remove the entry of a server-side apply",
    ]


def test_a_migration_counts_fields_without_an_owner_as_owners_does() -> None:
    live = client_side(MANIFEST)
    created_so = {**live, "spec": {**live["spec"], "minReadySeconds": 5}}
    subject = subject_of(MANIFEST, created_so)
    effect = migration(subject, created_so, MergeSite.SERVER).steps[0].effect
    assert effect is not None
    assert effect.outcome.result is not None

    unowned = ownership_of(effect.outcome.result, subject.kind).unowned

    assert f", no owner {len(unowned)} fields" in migration_lines(created_so)[4]
    assert len(unowned) > effect.defaults


def test_the_state_of_an_object_wraps_in_a_terminal() -> None:
    live = client_side(MANIFEST)
    plan = migration(subject_of(MANIFEST, live), live, MergeSite.SERVER)

    assert steps_text(Planner.MIGRATE, [plan], [], Context(width=50)).splitlines()[:2] == [
        "deployment.apps/web in shop: is managed by kubectl",
        "  apply",
    ]


def test_a_conflict_with_its_ways_out() -> None:
    lines = migration_lines(scale(client_side(MANIFEST), 7))

    assert lines[3:8] == [
        "     conflict",
        "     conflict: kube-controller-manager owns spec.replicas with another value",
        "  or kubectl apply --server-side --force-conflicts -f web.yaml",
        "     takes over the conflicting fields by force; to leave them to their owners instead, remove their lines"
        " from the manifest, or write the live values",
        "     serverside-applied",
    ]
    assert lines[8].startswith(
        "     sets spec.replicas from 7 (written by kube-controller-manager/scale) to 3; to keep"
    )
    assert "commands, once what is rejected above is resolved:" in lines


def test_a_field_that_is_taken_by_a_change_of_the_file() -> None:
    five = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 5}}
    one = {**WITHOUT_REPLICAS, "spec": {"replicas": 3}}
    shared = server_side(one, client_side(MANIFEST), "team")

    assert "     takes spec.replicas from team" in migration_lines(shared, five, MergeSite.CLIENT)


def test_nothing_to_do() -> None:
    assert migration_lines(server_side(MANIFEST)) == [
        "deployment.apps/web in shop: is managed by kubectl apply --server-side, nothing to do",
        "",
        "check, prints nothing when all is done:",
        "  kubectl diff --server-side -f web.yaml",
    ]


def test_changes_that_the_manifest_does_not_contain_are_listed() -> None:
    live = pause(client_side(MANIFEST))
    bare = {**live, "metadata": {key: value for key, value in live["metadata"].items() if key != "managedFields"}}

    assert "     deletes spec.paused: true" in migration_lines(bare)
    assert (
        "     sets spec.replicas from 3 (written by kubectl) to 1; to keep 3, write it in web.yaml:1:1"
        in migration_lines(server_side(MANIFEST), WITHOUT_REPLICAS, MergeSite.CLIENT)
    )


def test_a_rejection_with_its_field() -> None:
    negative = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": -1}}
    wrong = {**MANIFEST, "spec": {**MANIFEST["spec"], "repl": 1}}

    assert any(
        line.startswith("     rejected: spec.replicas: Invalid value: -1") for line in migration_lines(None, negative)
    )
    assert any(line.startswith("     rejected: failed to create typed patch") for line in migration_lines(None, wrong))


def test_long_lists_are_cut_unless_asked_for() -> None:
    labelled = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"a": "b", "c": "d"}}}
    live = server_side(labelled)
    bare = {key: value for key, value in live["metadata"].items() if key != "managedFields"}
    empty = {**live, "metadata": {key: value for key, value in bare.items() if key != "labels"}, "spec": {}}
    shared = server_side(labelled, update_object(empty, {**live, "metadata": bare}, "kubectl-create"))

    short, long = migration_lines(shared), migration_lines(shared, verbose=True)

    assert any("and 1 more (-v to list)" in line for line in short), short
    assert not any("(-v to list)" in line for line in long)


def test_verbose_names_the_fields_of_every_owner() -> None:
    assert any(
        line.startswith("     kubectl: spec.replicas, ")
        for line in migration_lines(client_side(MANIFEST), verbose=True)
    )


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (RUN, "# this shares it\nkubectl apply -f - <<'EOF'\n{}\nEOF\n"),
        (EDIT, "# a.yaml:3:1: edit: remove it from a.yaml\n"),
        (Step(StepKind.DONE, "", "done: it is"), "# done: it is\n"),
        (Step(StepKind.BLOCKED, "", "why not"), "# no safe step: why not\n"),
    ],
    ids=["run", "edit", "done", "blocked"],
)
def test_a_step_is_printed_as_a_shell_script(step: Step, text: str) -> None:
    assert shell([step]) == text


def test_the_effect_of_a_handover_is_written_in_comments() -> None:
    live = server_side(MANIFEST)
    plan = handover(subject_of(MANIFEST, live), live, parse("spec.replicas"), "team")
    lines = steps_text(Planner.HANDOVER, [plan], [], Context()).splitlines()

    assert [line for line in lines if not line.startswith("# ")] == plan.steps[0].command.splitlines()
    assert lines[1] == "# serverside-applied"
    assert lines[2].startswith("# owners afterwards: ")
    assert "team (Apply) 1 field" in lines[2]


def test_a_line_break_does_not_end_the_comment() -> None:
    assert shell([Step(StepKind.DONE, "", "a\nrm b")]) == "# a\\nrm b\n"


def test_words_wrap_as_comments() -> None:
    lines = shell([Step(StepKind.DONE, "", "word " * 20)], width=40).splitlines()

    assert len(lines) > 1
    assert all(line.startswith("# ") for line in lines)


def test_json_of_a_conflict() -> None:
    live = scale(client_side(MANIFEST), 7)
    plan = migration(subject_of(MANIFEST, live), live, MergeSite.SERVER)

    document = json.loads(steps_json(Planner.MIGRATE, [plan], [Problem("a", "b")]))

    (item,) = document["objects"]
    step, other = item["steps"][0]["effect"], item["alternative"]["effect"]
    assert (document["version"], document["command"], item["blocked"]) == ("steps-v1", "migrate", True)
    assert (item["before"], item["after"], item["serverSide"]) == ("stale", "stale", True)
    assert document["commands"] == ["kubectl apply --server-side -f web.yaml"]
    assert step["conflicts"] == [{"path": "spec.replicas", "manager": "kube-controller-manager"}]
    assert step["owners"] == []
    assert other["taken"] == [{"path": "spec.replicas", "from": ["kube-controller-manager"]}]
    assert other["owners"][1]["manager"] == "kubectl"
    assert item["back"] == ["kubectl apply -f web.yaml"]


def test_json_of_a_single_step() -> None:
    wanted: Json = {
        "kind": "edit",
        "why": "remove it from a.yaml",
        "command": None,
        "place": "a.yaml:3:1",
        "effect": None,
    }
    document = json.loads(steps_json(Planner.HANDOVER, [plan_of(EDIT)], []))

    assert (document["command"], document["commands"], document["objects"][0]["steps"]) == ("handover", [], [wanted])
