"""An apply is predicted again only if something that its outcome depends on has changed."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.state import Absent, ClusterView, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.recent_outcomes import RecentOutcomes
from kubectl_applylint.schema.load import load

SCHEMA = load("1.36")
DEFINITION: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "spec": {
        "group": "example.com",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets"},
        "versions": [{"name": "v1", "served": True, "schema": {"openAPIV3Schema": {"type": "object"}}}],
    },
}


def manifest(value: Json = "1", name: str = "a") -> JsonObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"key": value}}


def view_of(*objects: JsonObject) -> ClusterView:
    return ClusterView().with_objects(objects)


def counting(calls: list[tuple[JsonObject, State]]) -> Predict:
    def predict(given: JsonObject, state: State) -> Outcome:
        calls.append((given, state))
        return Outcome(ref_of(given), Verdict.CREATED)

    return predict


STATE = State(Unknown("no cluster"), cluster_view=lambda: view_of(manifest(Unknown("set by the server"), "other")))


def test_an_equal_apply_is_not_predicted_again_in_the_next_run() -> None:
    calls: list[tuple[JsonObject, State]] = []
    recent = RecentOutcomes()
    for _ in range(3):
        recent.begin_run()
        predict = recent.predict_by(counting(calls), replace(SCHEMA), "settings")
        assert [predict(manifest(), STATE).verdict for _ in range(2)] == [Verdict.CREATED] * 2

    assert len(calls) == 1


def test_an_outcome_that_a_run_did_not_use_is_released() -> None:
    calls: list[tuple[JsonObject, State]] = []
    recent = RecentOutcomes()
    predict = recent.predict_by(counting(calls), SCHEMA, "settings")
    predict(manifest(), STATE)
    for _ in range(2):
        recent.begin_run()
    predict(manifest(), STATE)

    assert len(calls) == 2


def test_outcomes_above_the_limit_are_released() -> None:
    calls: list[tuple[JsonObject, State]] = []
    predict = RecentOutcomes(most=2).predict_by(counting(calls), SCHEMA, "settings")
    for name in ("a", "b", "c", "a", "d", "b"):
        predict(manifest(name=name), STATE)

    assert [given["metadata"]["name"] for given, _ in calls] == ["a", "b", "c", "d", "b"]


@pytest.mark.parametrize(
    "changed",
    [
        {"manifest": manifest(1)},
        {"manifest": manifest(1.0)},
        {"manifest": manifest(value=True)},
        {"manifest": manifest(Unknown("encrypted"))},
        {"manifest": manifest(["\ud800", "encrypted"])},
        {"state": replace(STATE, live=Absent())},
        {"state": replace(STATE, live=Present(manifest()))},
        {"state": replace(STATE, origin="cluster prod")},
        {"state": replace(STATE, age_seconds=1)},
        {"state": replace(STATE, simulated=True)},
        {"state": replace(STATE, cluster_view=lambda: view_of(manifest("1", "other")))},
        {"state": replace(STATE, cluster_view=ClusterView)},
        {"schema": load("1.35")},
        {"schema": replace(SCHEMA, discovered=frozenset({("v1", "ConfigMap")}))},
        {"schema": load("1.36", crds=[DEFINITION])},
        {"settings": "others"},
    ],
    ids=str,
)
def test_another_apply_is_predicted(changed: Mapping[str, Json]) -> None:
    calls: list[tuple[JsonObject, State]] = []
    recent = RecentOutcomes()
    first: dict[str, Json] = {"manifest": manifest(), "state": STATE, "schema": SCHEMA, "settings": "settings"}
    for given in (first, {**first, **changed}):
        recent.begin_run()
        recent.predict_by(counting(calls), given["schema"], given["settings"])(given["manifest"], given["state"])

    assert len(calls) == 2


def test_definitions_of_other_objects_are_other_ones_even_if_they_are_equal() -> None:
    calls: list[tuple[JsonObject, State]] = []
    recent = RecentOutcomes()
    for definition in (DEFINITION, DEFINITION, dict(DEFINITION)):
        recent.predict_by(counting(calls), load("1.36", crds=[definition]), "settings")(manifest(), STATE)

    assert len(calls) == 2


def test_a_failed_prediction_is_tried_again() -> None:
    calls: list[JsonObject] = []

    def fail(given: JsonObject, state: State) -> Outcome:
        calls.append(given)
        raise PredictionError("too deep")

    predict = RecentOutcomes().predict_by(fail, SCHEMA, "settings")
    for _ in range(2):
        with pytest.raises(PredictionError):
            predict(manifest(), STATE)

    assert len(calls) == 2
