"""No value of a Secret is left in steps."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from kubectl_applylint.core.paths import parse
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.adoption import adoption
from kubectl_applylint.ownership.migration import MergeSite, migration
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ownership.steps import Planner, steps_json, steps_text
from kubectl_applylint.secrets.masked_steps import mask_plans
from kubectl_applylint.secrets.secret_places import MASK
from tests.report.ownership.test_steps import EDIT, RUN, created_object, plan_of
from tests.stories import client_side, subject_of, update_object

SECRET: JsonObject = {
    "apiVersion": "v1",
    "kind": "Secret",
    "metadata": {"name": "token", "namespace": "shop"},
    "data": {"a": "cGFzc3dvcmQ=", "b": "c2VjcmV0"},
}
HELD = "correct-horse-battery"
HOLDER: JsonObject = {**SECRET, "stringData": {"a": HELD}}
SETTINGS: JsonObject = {**SECRET, "kind": "ConfigMap", "data": {"a": "b"}}


def masked_steps(plan: StepPlan, *known: JsonObject) -> Sequence[Step]:
    """Return the steps of a plan without credentials."""
    (masked,) = mask_plans([plan], known)
    return masked.steps


def test_a_command_with_values_of_a_secret_is_withheld() -> None:
    (masked,) = masked_steps(plan_of(RUN, manifest=SECRET))

    assert (masked.kind, masked.command, masked.effect) == (StepKind.BLOCKED, "", None)
    assert masked_steps(plan_of(RUN)) == (RUN,)
    assert masked_steps(plan_of(EDIT, manifest=SECRET)) == (EDIT,)


@pytest.mark.parametrize(
    ("manifest", "kind"),
    [
        ('{"spec":{"values":{"password":"x"}}}', StepKind.BLOCKED),
        ('{"spec":{"values":{"existingSecret":"x"}}}', StepKind.RUN),
        ('{"spec":{"url":"https://a:b@c"}}', StepKind.BLOCKED),
    ],
    ids=["values", "name", "URL"],
)
def test_a_command_with_another_credential_is_withheld(manifest: str, kind: StepKind) -> None:
    run = replace(RUN, command=RUN.command.replace("{}", manifest))

    assert [step.kind for step in masked_steps(plan_of(run))] == [kind]


@pytest.mark.parametrize(
    ("path", "value", "kind"),
    [
        ("spec.values.auth.password", "x", StepKind.BLOCKED),
        ("spec.values.auth.user", "x", StepKind.EDIT),
        ("spec.values", {"password": "x"}, StepKind.BLOCKED),
    ],
)
def test_an_edit_that_names_a_credential_is_withheld(path: str, value: Json, kind: StepKind) -> None:
    edit = replace(EDIT, has_values=True, place_in_object=parse(path), value=value)

    assert [step.kind for step in masked_steps(plan_of(edit))] == [kind]


def test_values_of_secrets_are_masked() -> None:
    live = client_side(SECRET)
    drifted = update_object(live, {**live, "data": {"a": "b2xk", "b": "c2VjcmV0"}}, "kubectl-edit")
    also = update_object(
        live, {**live, "data": {"a": "eA==", "b": "c2VjcmV0", "c": "eQ=="}}, "kubectl-client-side-apply"
    )
    manifest = {**SECRET, "data": {"a": "cGFzc3dvcmQ="}}
    printed = ""
    for stored in (drifted, created_object(drifted), also):
        for plan in (
            adoption(subject_of(manifest, stored), stored, ClusterModel()),
            migration(subject_of(manifest, stored), stored, MergeSite.SERVER),
        ):
            masked = mask_plans([plan], [manifest, stored])
            printed += steps_text(Planner.ADOPT, masked, [], Context()) + steps_json(Planner.ADOPT, masked, [])

    assert f'deletes data.c: "{MASK}"' in printed
    assert [text for text in ("cGFzc3dvcmQ=", "b2xk", "c2VjcmV0", "eQ==", "eA==") if text in printed] == []


def test_values_of_secrets_in_other_objects_are_masked() -> None:
    live = client_side(SETTINGS)
    drifted = update_object(live, {**live, "data": {"a": HELD, "b": f"x={HELD}"}}, "kubectl-edit")
    plans = [migration(subject_of(SETTINGS, drifted), drifted, to) for to in MergeSite]
    edit = replace(EDIT, has_values=True, place_in_object=parse("data.a"), value=HELD)
    masked = mask_plans([*plans, plan_of(edit, manifest=SETTINGS)], [HOLDER])
    printed = steps_text(Planner.MIGRATE, masked, [], Context(verbose=True)) + steps_json(Planner.MIGRATE, masked, [])

    assert MASK in printed
    assert HELD not in printed
    assert masked[-1].steps[0].kind is StepKind.BLOCKED
