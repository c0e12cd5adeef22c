"""The next safe step of handovers, from every point on the way."""

import json

import pytest

from kubectl_applylint.core.documents import Documents, Peers
from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.ownership.handover import handover
from kubectl_applylint.ownership.object_state import ObjectState
from kubectl_applylint.ownership.step import Step, StepKind
from tests.stories import (
    MANIFEST,
    WITHOUT_REPLICAS,
    client_side,
    pause,
    scale,
    server_side,
    subject_of,
    update_object,
)

HPA = "kube-controller-manager"
HANDOVER = "handover-to-hpa"
ONE_FIELD: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"replicas": 3},
}
BOTH = server_side(ONE_FIELD, server_side(MANIFEST), HANDOVER)


def step(live: JsonObject, to: str, manifest: JsonObject | None = None, path: str = "spec.replicas") -> Step:
    (found,) = handover(subject_of(manifest or MANIFEST, live, known=manifest is not None), live, parse(path), to).steps
    return found


def remembering(live: JsonObject, manifest: JsonObject) -> JsonObject:
    """Return the object with another manifest in last-applied."""
    return {**live, "metadata": {**live["metadata"], "annotations": {LAST_APPLIED: json.dumps(manifest)}}}


def body(found: Step) -> Json:
    """Return what a command is given on standard input."""
    return json.loads(found.command.splitlines()[1])


def test_client_side_first_forgets() -> None:
    found = step(client_side(MANIFEST), HPA, MANIFEST)

    assert found.kind is StepKind.RUN
    assert found.command.startswith("kubectl apply set-last-applied -n shop -f - <<'EOF'\n")
    assert body(found)["spec"].keys() == {"selector", "template"}


def test_a_file_that_says_all_the_rest_is_named_instead() -> None:
    found = step(client_side(MANIFEST), HPA, WITHOUT_REPLICAS)

    assert (found.command, found.has_values) == ("kubectl apply set-last-applied -f web.yaml", False)


def test_a_file_that_drops_more_would_hide_that() -> None:
    poorer = {**WITHOUT_REPLICAS, "spec": {**WITHOUT_REPLICAS["spec"], "template": {}}}
    slow = {**MANIFEST, "spec": {**MANIFEST["spec"], "minReadySeconds": 5}}

    assert step(client_side(slow), HPA, WITHOUT_REPLICAS).command.endswith("\nEOF")
    assert step(client_side(MANIFEST), HPA, poorer).kind is StepKind.BLOCKED


def test_a_file_with_other_objects_would_change_theirs() -> None:
    subject = subject_of(WITHOUT_REPLICAS, live := client_side(MANIFEST))
    crowded = Peers(Documents((subject.document, subject.document)), 0, subject.ref)
    object.__setattr__(subject, "peers", crowded)

    assert handover(subject, live, parse("spec.replicas"), HPA).steps[0].command.endswith("\nEOF")


def test_client_side_then_takes_the_line_out_and_is_done() -> None:
    live = remembering(client_side(MANIFEST), WITHOUT_REPLICAS)

    edit, done = step(live, HPA, MANIFEST), step(live, HPA, WITHOUT_REPLICAS)

    assert (edit.kind, str(edit.place), edit.command) == (StepKind.EDIT, "web.yaml:1:1", "")
    assert (done.kind, done.why) == (
        StepKind.DONE,
        "done: no manager applies spec.replicas; kube-controller-manager owns it from its first write on;"
        " kubectl-client-side-apply wrote it before and takes nothing back unless it writes again",
    )


def test_a_new_owner_whom_the_object_has_never_seen_may_be_misspelled() -> None:
    first = step(client_side(MANIFEST), "TYPO", MANIFEST)
    last = step(remembering(client_side(MANIFEST), WITHOUT_REPLICAS), "TYPO", WITHOUT_REPLICAS)

    assert first == last
    assert (first.kind, first.why) == (
        StepKind.BLOCKED,
        "the object has no manager TYPO: check the name, or let TYPO write the field first; its managers are"
        " kubectl-client-side-apply",
    )


def test_a_similar_manager_is_suggested() -> None:
    found = step(client_side(MANIFEST), "kube-controler-manager", MANIFEST)

    assert found.kind is StepKind.BLOCKED
    assert found.why.endswith("; its managers are kubectl-client-side-apply; did you mean kube-controller-manager?")


def test_an_entry_for_a_new_manager_is_marked_as_new() -> None:
    found = step(BOTH, "handover-to-hpx")

    assert found.kind is StepKind.RUN
    assert found.why.endswith("; handover-to-hpx is a new manager of the object: check the name")


def test_a_field_without_an_owner_is_not_protected() -> None:
    live = server_side(WITHOUT_REPLICAS)
    unowned = {**live, "spec": {**live["spec"], "replicas": 7}}

    assert step(unowned, HPA, WITHOUT_REPLICAS).why == (
        "done: no manager applies spec.replicas; kube-controller-manager owns it from its first write on; it has no"
        " owner now, so a server-side apply of a manifest that has it takes it without a conflict"
    )


def test_without_a_file_the_line_is_left_to_the_reader() -> None:
    live = scale(remembering(client_side(MANIFEST), WITHOUT_REPLICAS), 7)

    assert step(live, HPA).why == (
        "done: kube-controller-manager owns spec.replicas, and no other manager applies it; remove its line from the"
        " manifest before the next apply (-f FILE checks that)"
    )


def test_once_the_other_has_written_it_is_the_owner() -> None:
    live = scale(remembering(client_side(MANIFEST), WITHOUT_REPLICAS), 7)

    assert step(live, HPA, WITHOUT_REPLICAS).why == (
        "done: kube-controller-manager owns spec.replicas, and no other manager applies it"
    )


def test_server_side_first_shares() -> None:
    found = step(server_side(MANIFEST), HANDOVER, MANIFEST)

    assert found.command.startswith(
        "kubectl apply --server-side --field-manager=handover-to-hpa --validate=false -n shop -f - <<'EOF'\n"
    )
    assert body(found) == ONE_FIELD
    assert found.has_values
    assert found.effect is not None
    assert found.effect.owners is not None
    assert {manager.name for manager in found.effect.owners.managers} == {"handover-to-hpa", "kubectl"}


def test_a_plan_has_the_state_before_and_after_and_a_check() -> None:
    live = client_side(MANIFEST, server_side(MANIFEST))
    found = handover(subject_of(MANIFEST, live), live, parse("spec.replicas"), HPA)

    assert (found.before, found.after) == (ObjectState.MIXED, ObjectState.SERVER_SIDE)
    assert found.check == ("kubectl diff --server-side -f web.yaml",)


def test_server_side_then_takes_the_line_out_applies_and_is_done() -> None:
    edit, drop = step(BOTH, HANDOVER, MANIFEST), step(BOTH, HANDOVER, WITHOUT_REPLICAS)
    done = step(server_side(WITHOUT_REPLICAS, BOTH), HANDOVER, WITHOUT_REPLICAS)

    assert edit.kind is StepKind.EDIT
    assert (drop.kind, drop.command) == (StepKind.RUN, "kubectl apply --server-side -f web.yaml")
    assert done.kind is StepKind.DONE


def test_without_a_file_it_says_whose_manifest_has_the_line() -> None:
    assert step(BOTH, HANDOVER).why == (
        "kubectl still applies spec.replicas: remove its line from the manifest of kubectl, and apply that"
    )


def test_an_owner_who_has_written_needs_no_share() -> None:
    live = scale(server_side(MANIFEST), 7)

    kinds = [step(live, HPA, manifest).kind for manifest in (MANIFEST, WITHOUT_REPLICAS)]
    assert kinds == [StepKind.EDIT, StepKind.DONE]


def test_a_new_owner_who_applies_more_keeps_it() -> None:
    labels = {**ONE_FIELD, "metadata": {**ONE_FIELD["metadata"], "labels": {"a": "b"}}}
    team = {key: value for key, value in labels.items() if key != "spec"}

    found = step(server_side(team, server_side(MANIFEST), "team"), "team", MANIFEST)

    assert body(found) == labels
    assert found.why.endswith("from now on whatever team applies must contain the field")


def test_part_of_a_whole_is_handed_over_whole() -> None:
    found = step(server_side(MANIFEST), "team", MANIFEST, "spec.selector.matchLabels.app")

    assert body(found)["spec"] == {"selector": {"matchLabels": {"app": "web"}}}


def test_an_element_is_removed_with_its_last_field() -> None:
    ports = "spec.template.spec.containers[name=web].ports[containerPort=80]"
    unnamed = json.loads(json.dumps(MANIFEST).replace('"name": "http"', '"hostPort": 80'))

    found = step(client_side(unnamed), HPA, None, f"{ports}.hostPort")

    assert body(found)["spec"]["template"]["spec"]["containers"] == [{"image": "web:1", "name": "web"}]


def test_a_migration_is_finished_first() -> None:
    live = client_side(MANIFEST, server_side(MANIFEST))

    run, blocked = step(live, HPA, MANIFEST), step(live, HPA)
    other = step(pause(live, "kubectl-edit"), HPA, {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 1}})

    assert (run.kind, run.command) == (StepKind.RUN, "kubectl apply --server-side -f web.yaml")
    assert {blocked.kind, other.kind} == {StepKind.BLOCKED}
    assert blocked.why.endswith("finish the migration first, see the command migrate")
    assert "finishing the migration would change spec.replicas" in other.why


def test_last_applied_is_brought_in_step_by_a_server_side_apply() -> None:
    live = scale(server_side(MANIFEST, client_side(MANIFEST)), 7)

    found = step(live, HPA, WITHOUT_REPLICAS)

    assert (found.kind, found.command) == (StepKind.RUN, "kubectl apply --server-side -f web.yaml")
    assert step(server_side(WITHOUT_REPLICAS, live), HPA, WITHOUT_REPLICAS).kind is StepKind.DONE


def test_a_drop_that_would_be_rejected_is_not_offered() -> None:
    live = update_object(BOTH, {**BOTH, "spec": {**BOTH["spec"], "paused": True}}, "another-client")
    paused = {**WITHOUT_REPLICAS, "spec": {**WITHOUT_REPLICAS["spec"], "paused": False}}

    assert step(live, HANDOVER, paused).why == (
        "the next apply would change spec.replicas or be rejected: see the command plan"
    )


def test_the_manifest_takes_a_field_with_its_live_value() -> None:
    live = scale(server_side(MANIFEST), 7)
    seven = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 7}}

    steps = [step(live, "kubectl", manifest) for manifest in (WITHOUT_REPLICAS, MANIFEST, seven)]
    done = step(server_side(seven, live), "kubectl", seven)

    assert [each.kind for each in steps] == [StepKind.EDIT, StepKind.EDIT, StepKind.RUN]
    assert steps[0].why == "add spec.replicas in web.yaml to its live value 7, so that nothing changes"
    assert steps[1].why == "change spec.replicas in web.yaml to its live value 7, so that nothing changes"
    assert steps[2].command == "kubectl apply --server-side -f web.yaml"
    assert done.why == (
        "done: kubectl owns spec.replicas, and no other manager applies it; kube-controller-manager/scale wrote it"
        " before and takes nothing back unless it writes again"
    )


def test_client_side_takes_a_field_too() -> None:
    live = scale(client_side(WITHOUT_REPLICAS), 3)
    to = "kubectl-client-side-apply"

    assert step(live, to, MANIFEST).command == "kubectl apply -f web.yaml"
    assert step(client_side(MANIFEST, live), to, MANIFEST).kind is StepKind.DONE
    assert step(live, to).why == (
        "name with -f the manifest that kubectl-client-side-apply applies: spec.replicas has to be added to it"
    )


def test_client_side_cannot_take_what_another_applies() -> None:
    live = remembering(server_side(MANIFEST, manager="team"), WITHOUT_REPLICAS)

    assert step(live, "kubectl-client-side-apply", MANIFEST).why == (
        "team applies spec.replicas server-side, and client-side apply cannot share a field"
    )


def test_a_rejected_manifest_blocks_the_handover() -> None:
    live = scale(server_side(WITHOUT_REPLICAS), 3)
    wrong = {**MANIFEST, "spec": {**MANIFEST["spec"], "repl": 3}}

    assert step(live, "kubectl", wrong).kind is StepKind.BLOCKED


def test_two_appliers_are_distinguished() -> None:
    assert step(BOTH, "kubectl", MANIFEST).why == (
        "handover-to-hpa still applies spec.replicas: remove its line from the manifest of handover-to-hpa, and apply"
        " that"
    )


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("spec.paused", "spec.paused has no value in the live object, so there is nothing to hand over"),
        (
            "spec.template.metadata",
            "spec.template.metadata consists of fields that are owned one by one, such as"
            " spec.template.metadata.labels.app",
        ),
    ],
    ids=["absent", "several"],
)
def test_fields_that_cannot_be_handed_over_have_a_reason(path: str, words: str) -> None:
    found = step(server_side(MANIFEST), HANDOVER, MANIFEST, path)

    assert (found.kind, found.why.startswith(words)) == (StepKind.BLOCKED, True), found.why


def test_a_share_that_would_change_something_is_not_offered() -> None:
    live = server_side(MANIFEST)
    spoilt = {**live, "spec": {**live["spec"], "replicas": -1}}

    assert step(spoilt, HANDOVER, MANIFEST).why == (
        "handover-to-hpa cannot share spec.replicas: that would change the object or be rejected"
    )
