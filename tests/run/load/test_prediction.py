"""Effects of the flags and of the age of the live state on a prediction."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.core.outcome import Level, Verdict
from kubectl_applylint.core.state import Absent, Present, State, Unknown
from kubectl_applylint.engine.recent_outcomes import RecentOutcomes
from kubectl_applylint.run.load.prediction import check_predictor, earlier_predictor, predictor
from kubectl_applylint.tools.metacontroller.children import IN_PLACE
from tests.stories import MANIFEST, SCHEMA, client_side, server_side

DAY = 24 * 3600
LIVE = State(Present(client_side(MANIFEST)), "snapshot prod.json")


@pytest.mark.parametrize(
    ("flags", "verdict", "manager"),
    [
        pytest.param(NO_FLAGS, Verdict.CREATED, "kubectl-client-side-apply", id="none"),
        pytest.param(Flags(server_side=True), Verdict.SERVERSIDE_APPLIED, "kubectl", id="server-side"),
        pytest.param(
            Flags(server_side=True, field_manager="ci"), Verdict.SERVERSIDE_APPLIED, "ci", id="as another manager"
        ),
    ],
)
def test_flags_say_how_it_is_applied(flags: Flags, verdict: Verdict, manager: str) -> None:
    outcome = predictor(SCHEMA, flags)(MANIFEST, State(Absent()))

    assert outcome.verdict is verdict
    assert outcome.result is not None
    assert [each["manager"] for each in outcome.result["metadata"]["managedFields"]] == [manager]


@pytest.mark.parametrize(("force", "verdict"), [(False, Verdict.CONFLICT), (True, Verdict.SERVERSIDE_APPLIED)])
def test_conflicts_are_forced_by_a_flag(force: bool, verdict: Verdict) -> None:
    other = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 9}}
    state = State(Present(server_side(MANIFEST, manager="ci")))

    assert predictor(SCHEMA, Flags(server_side=True, force_conflicts=force))(other, state).verdict is verdict


@pytest.mark.parametrize(
    ("state", "level", "doubt"),
    [
        pytest.param(LIVE, Level.HIGH, "", id="seen just now"),
        pytest.param(replace(LIVE, age_seconds=DAY - 1), Level.HIGH, "", id="younger than a day"),
        pytest.param(
            replace(LIVE, age_seconds=3 * DAY), Level.MEDIUM, "the snapshot prod.json is 3 days old", id="old"
        ),
        pytest.param(replace(LIVE, simulated=True), Level.MEDIUM, "snapshot prod.json", id="never seen"),
    ],
)
def test_confidence_depends_on_the_age_of_the_state(state: State, level: Level, doubt: str) -> None:
    confidence = predictor(SCHEMA, NO_FLAGS)(MANIFEST, state).confidence

    assert confidence.level is level
    assert bool(confidence.reasons) == bool(doubt)
    assert doubt in "".join(confidence.reasons)


def test_the_age_of_a_snapshot_adds_a_reason_to_low_confidence() -> None:
    state = State(Unknown("offline"), "snapshot", age_seconds=3 * DAY)
    fresh = predictor(SCHEMA, NO_FLAGS)(MANIFEST, replace(state, age_seconds=0)).confidence
    old = predictor(SCHEMA, NO_FLAGS)(MANIFEST, state).confidence

    assert fresh.level is not Level.HIGH
    assert old == replace(fresh, reasons=(*fresh.reasons, "the snapshot is 3 days old"))


@pytest.mark.parametrize(
    ("make", "verdict"), [(predictor, Verdict.REJECTED), (earlier_predictor, Verdict.SERVERSIDE_APPLIED)]
)
def test_earlier_applies_wrote_to_the_object_itself(make: Callable[..., object], verdict: Verdict) -> None:
    predict = make(SCHEMA, Flags(server_side=True, subresource="scale"))

    assert callable(predict)
    assert predict(MANIFEST, LIVE).verdict is verdict


def test_a_stop_before_writing_is_reported_for_programs_that_check_first() -> None:
    check = check_predictor(SCHEMA, IN_PLACE)

    assert check_predictor(SCHEMA, None) is None
    assert check is not None
    assert check(MANIFEST, State(Absent())).verdict is Verdict.UNCHANGED


@pytest.mark.parametrize(
    ("other", "is_shared"),
    [
        (Flags(namespace="shop", unit_command="helm upgrade", unit_tool="helm"), True),
        (Flags(force=True), False),
        (Flags(is_unit=True), False),
        (Flags(server_side=True), False),
        (Flags(tracks_first_owners=False), False),
    ],
)
def test_units_share_outcomes_unless_their_flags_change_the_apply(other: Flags, is_shared: bool) -> None:
    recent = RecentOutcomes()
    first, second = (predictor(SCHEMA, flags, recent=recent)({**MANIFEST}, LIVE) for flags in (NO_FLAGS, other))

    assert (first is second) is is_shared
