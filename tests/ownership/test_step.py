"""Steps and plans of them."""

import pytest

from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE
from kubectl_applylint.ownership.effect import effect_of
from kubectl_applylint.ownership.object_state import ObjectState
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan, object_after
from tests.stories import MANIFEST, client_side, scale, subject_of

LIVE = scale(client_side(MANIFEST), 7)
SUBJECT = subject_of(MANIFEST, LIVE)
DIFF = Step(StepKind.RUN, "kubectl diff -f web.yaml", "shows it")
APPLY = Step(StepKind.RUN, "kubectl apply -f web.yaml", "applies it", effect_of(SUBJECT, CLIENT_SIDE, LIVE))
CONFLICT = Step(StepKind.RUN, "kubectl apply --server-side", "applies it", effect_of(SUBJECT, SERVER_SIDE, LIVE))
BLOCKED = Step(StepKind.BLOCKED, "", "no way")


@pytest.mark.parametrize(
    ("steps", "blocked"),
    [((), False), ((DIFF, APPLY), False), ((DIFF, CONFLICT), True), ((BLOCKED,), True)],
    ids=["none", "applied", "conflict", "no step"],
)
def test_a_plan_is_blocked_by_any_step(steps: tuple[Step, ...], blocked: bool) -> None:
    plan = StepPlan(SUBJECT, CLIENT_SIDE, ObjectState.STALE, ObjectState.STALE, steps)

    assert plan.is_blocked is blocked


def test_steps_lead_to_the_object_of_their_last_effect() -> None:
    after = object_after([DIFF, APPLY, CONFLICT], LIVE)

    assert after is not None
    assert after["spec"]["replicas"] == 3
    assert object_after([DIFF, CONFLICT], LIVE) is LIVE
    assert object_after([], None) is None
