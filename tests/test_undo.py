"""What does not come back, and what does not settle."""

from collections.abc import Sequence

import pytest

from kubectl_applylint import predict as engine
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.fold import Fold, fold
from kubectl_applylint.outcome import Outcome, Verdict, Why
from kubectl_applylint.paths import render
from kubectl_applylint.state import State
from kubectl_applylint.transition import before
from kubectl_applylint.undo import not_settled, not_undone
from kubectl_applylint.values import JsonObject
from tests.rules.stories import SCHEMA, document


def predict(manifest: JsonObject, state: State) -> Outcome:
    return engine.predict(ApplyRequest(manifest=manifest, state=state, schema=SCHEMA))


def named(kind: str, name: str = "one", **rest: object) -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "shop"}, **rest}


def claim(size: str) -> JsonObject:
    resources = {"requests": {"storage": size}}
    return named("PersistentVolumeClaim", spec={"accessModes": ["ReadWriteOnce"], "resources": resources})


SETTINGS = named("ConfigMap", data={"a": "1"})


def changed(past: Sequence[JsonObject], now: Sequence[JsonObject]) -> Fold:
    earlier = before([document(one) for one in past], origin="main", schema=SCHEMA, predict=predict)
    return fold([document(one) for one in now], earlier.cluster, schema=SCHEMA, predict=predict)


def remaining(past: Sequence[JsonObject], now: Sequence[JsonObject]) -> list[Outcome]:
    return [outcome for _, outcome in not_undone(changed(past, now), [document(one) for one in past])]


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([SETTINGS], id="nothing changed"),
        pytest.param([{**SETTINGS, "data": {"b": "2"}}], id="another value"),
        pytest.param([], id="an object left the files"),
    ],
)
def test_most_changes_come_back(later: list[JsonObject]) -> None:
    assert remaining([SETTINGS], later) == []


def test_a_key_that_came_as_string_data_stays() -> None:
    past, now = named("Secret", stringData={"a": "1"}), named("Secret", stringData={"a": "1", "b": "2"})
    (outcome,) = remaining([past], [now])

    assert [(render(change.path), change.cause.why) for change in outcome.changes] == [("data.b", Why.LASTING)]


def test_a_revert_may_be_refused() -> None:
    (outcome,) = remaining([SETTINGS], [{**SETTINGS, "data": {"a": "2"}, "immutable": True}])

    assert outcome.verdict is Verdict.REJECTED


def test_what_the_change_made_is_left_behind() -> None:
    (outcome,) = remaining([SETTINGS], [SETTINGS, named("ConfigMap", "two", data={"a": "1"})])

    assert (outcome.ref.name, outcome.verdict) == ("two", Verdict.KEPT)


def test_what_was_never_there_does_not_have_to_come_back() -> None:
    assert remaining([named("ConfigMap", data={"a": 1})], []) == []


def test_a_set_settles_with_its_second_apply() -> None:
    assert not_settled(changed([], [SETTINGS])) == ()


def test_an_object_that_says_to_be_configured_again_does_not_settle() -> None:
    ((place, outcome),) = not_settled(changed([], [SETTINGS, named("Secret", stringData={"a": "1"})]))

    assert (place.ref.kind, outcome.verdict) == ("Secret", Verdict.CONFIGURED)


def test_what_is_refused_at_once_is_not_said_to_settle_or_not() -> None:
    assert not_settled(changed([], [named("ConfigMap", data={"a": 1})])) == ()
