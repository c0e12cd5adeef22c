"""Each apply is predicted once."""

import pytest

from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.shortage import shortage
from kubectl_applylint.core.state import Absent, Present, State, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predictions import attempt, cached_prediction, outcome_or_raise

MANIFEST: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "shop"}}


def test_the_same_apply_is_predicted_once_and_any_other_by_itself() -> None:
    asked: list[tuple[JsonObject, State]] = []

    def outcome(manifest: JsonObject, state: State) -> Outcome:
        asked.append((manifest, state))
        return Outcome(ref_of(manifest), Verdict.CREATED)

    predict, there = cached_prediction(outcome), {**MANIFEST, "data": {"key": "1"}}
    states = [
        State(Absent()),
        State(Present(there)),
        State(Present(dict(there))),
        State(Present(there), simulated=True),
    ]
    outcomes = [predict(manifest, state) for manifest in (there, dict(there)) for state in (*states, *states)]

    assert len(asked) == 2 * len(states)
    assert all(outcomes[place] is outcomes[place + len(states)] for place in range(len(states)))


def test_the_reason_of_an_unknown_outcome_is_computed_once() -> None:
    asked: list[State] = []

    def fail(manifest: JsonObject, state: State) -> Outcome:
        asked.append(state)
        raise KeyError("kind")

    predict = cached_prediction(fail)
    for _ in range(2):
        with pytest.raises(PredictionError, match="KeyError: 'kind'"):
            predict(MANIFEST, State(Absent()))

    assert len(asked) == 1


def test_a_fault_is_distinguished_from_a_limit() -> None:
    def fault() -> Outcome:
        raise KeyError("kind")

    def bound() -> Outcome:
        raise PredictionError("too deep")

    def limit() -> Outcome:
        raise MemoryError

    found = [attempt(fault), attempt(bound), attempt(limit)]

    assert [one.message for one in found if isinstance(one, PredictionError)] == [
        "not predicted: KeyError: 'kind'",
        "cannot be predicted: too deep",
        f"cannot be predicted: {shortage(MemoryError())}",
    ]


def test_a_predicted_outcome_is_no_error() -> None:
    outcome = Outcome(ref_of(MANIFEST), Verdict.CREATED)

    assert outcome_or_raise(attempt(lambda: outcome)) is outcome
