from dataclasses import replace

import pytest

from kubectl_applylint.core.documents import NO_BASE
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.state import Absent, Knowledge, ObjectRef, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predictions import cached_prediction
from kubectl_applylint.lint.model import Scenario
from kubectl_applylint.lint.subjects import place, scenarios, subjects
from tests.rules.stories import SCHEMA, document

WEB: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "web"}}
NODE: JsonObject = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "namespace": "odd"}}
WIDGET: JsonObject = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}}


def outcome(manifest: JsonObject, state: State) -> Outcome:
    """Stand for an engine that stores what is applied, and rejects one name."""
    refused = ref_of(manifest).name == "refused"
    return Outcome(
        ref_of(manifest), Verdict.REJECTED if refused else Verdict.CREATED, result=None if refused else manifest
    )


def never(manifest: JsonObject, state: State) -> Outcome:
    raise AssertionError("nobody asked")


def in_namespace(namespace: str) -> JsonObject:
    return {**WEB, "metadata": {"name": "web", "namespace": namespace}}


@pytest.mark.parametrize(
    ("manifest", "namespace", "written"),
    [
        pytest.param(WEB, "shop", "shop", id="none"),
        pytest.param(in_namespace(""), "shop", "shop", id="empty"),
        pytest.param(in_namespace("own"), "own", "own", id="its own"),
        pytest.param(NODE, "", None, id="cluster-scoped"),
        pytest.param(WIDGET, "", None, id="unknown kind"),
    ],
)
def test_place_writes_the_namespace_as_kubectl_does(manifest: JsonObject, namespace: str, written: str | None) -> None:
    placed = place(document(manifest), SCHEMA, "shop")

    assert placed.ref.namespace == namespace
    assert placed.object["metadata"].get("namespace") == written


def test_place_adds_missing_metadata() -> None:
    placed = place(document({"apiVersion": "v1", "kind": "ConfigMap"}), SCHEMA, "shop")

    assert placed.object["metadata"] == {"namespace": "shop"}


def test_subjects_know_state_kind_base_and_peers() -> None:
    states = {"web": State(Present(WEB), "cluster"), "shop": State(Absent()), "w": State(Unknown("offline"))}
    bases: dict[str, Knowledge] = {"web": Present(WEB), "shop": Absent(), "w": NO_BASE}

    found = subjects(
        [document(manifest, index=index) for index, manifest in enumerate((WEB, NODE, WIDGET))],
        schema=SCHEMA,
        state_of=lambda ref: states[ref.name],
        predict=never,
        base_of=lambda ref: bases[ref.name],
    )

    assert [(s.ref.name, s.ref.namespace, s.state, s.base) for s in found] == [
        ("web", "default", states["web"], bases["web"]),
        ("shop", "", states["shop"], bases["shop"]),
        ("w", "", states["w"], bases["w"]),
    ]
    assert [s.kind.resource if s.kind else None for s in found] == ["configmaps", "namespaces", None]
    assert [[peer.ref.name for peer in s.peers] for s in found] == [["shop", "w"], ["web", "w"], ["web", "shop"]]


def test_peers_are_found_by_name_and_by_kind() -> None:
    newer = {**WEB, "data": {"a": "2"}}
    lost = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "elsewhere"}}
    known: JsonObject = {**WEB, "metadata": {"name": "other"}}
    manifests = (WEB, newer, NODE, known, lost)
    documents = [document(manifest, index=index) for index, manifest in enumerate(manifests)]

    first = subjects(documents, schema=SCHEMA, state_of=lambda ref: State(Absent()), predict=never)[0].peers

    assert [peer.index for peer in first] == [peer.index for peer in first[:]] == [1, 2, 3, 4]
    assert (len(first), first[0].index) == (4, 1)
    assert [peer.index for peer in first.namesakes()] == [1]
    assert [peer.index for peer in first.of_kind("ConfigMap.")] == [1, 3]
    assert list(first.of_kind("Secret.")) == []


def test_a_peer_with_an_unknown_namespace_may_be_in_any() -> None:
    documents = [document(manifest, index=index) for index, manifest in enumerate((WEB, WIDGET))]

    first = subjects(documents, schema=SCHEMA, state_of=lambda ref: State(Absent()), predict=never)[0].peers

    assert [peer.index for peer in first.of_kind("Widget.example.com")] == [1]


def test_subjects_without_earlier_manifests_have_no_base() -> None:
    (found,) = subjects([document(WEB)], schema=SCHEMA, state_of=lambda ref: State(Absent()), predict=never)

    assert found.base == NO_BASE


def test_scenarios_ask_for_what_each_is_about() -> None:
    asked: list[Knowledge] = []

    def predict(manifest: JsonObject, state: State) -> Outcome:
        asked.append(state.live)
        return outcome(manifest, state)

    live = Present({**WEB, "data": {"a": "1"}})
    outcome_in = scenarios(WEB, State(live), predict)
    for scenario in (Scenario.APPLY, Scenario.AGAIN, Scenario.FRESH, Scenario.AGAIN):
        outcome_in(scenario)

    assert asked == [live, Present(WEB), Absent()]


def test_a_second_apply_that_sends_nothing_is_not_predicted() -> None:
    asked: list[Knowledge] = []

    def predict(manifest: JsonObject, state: State) -> Outcome:
        asked.append(state.live)
        return replace(outcome(manifest, state), result=manifest)

    outcome_in = scenarios(WEB, State(Absent()), predict, None, lambda stored: stored is WEB)

    assert outcome_in(Scenario.AGAIN).verdict is Verdict.UNCHANGED
    assert outcome_in(Scenario.AGAIN).result is WEB
    assert asked == [Absent()]


def test_scenarios_ask_the_engine_once_each() -> None:
    asked: list[Knowledge] = []

    def predict(manifest: JsonObject, state: State) -> Outcome:
        asked.append(state.live)
        return outcome(manifest, state)

    live = Present({**WEB, "data": {"a": "1"}})
    outcome_in = scenarios(WEB, State(live), cached_prediction(predict))
    for scenario in (Scenario.AGAIN, Scenario.APPLY, Scenario.FRESH, Scenario.AGAIN, Scenario.FRESH):
        outcome_in(scenario)

    assert asked == [live, Present(WEB), Absent()]


def test_applying_again_what_was_never_stored_meets_nothing() -> None:
    asked: list[Knowledge] = []

    def predict(manifest: JsonObject, state: State) -> Outcome:
        asked.append(state.live)
        return outcome(manifest, state)

    scenarios({**WEB, "metadata": {"name": "refused"}}, State(Absent()), predict)(Scenario.AGAIN)

    assert asked == [Absent(), Absent()]


def test_a_ref_is_asked_for_with_its_namespace() -> None:
    asked: list[ObjectRef] = []

    def state_of(ref: ObjectRef) -> State:
        asked.append(ref)
        return State(Absent())

    subjects([document(WEB)], schema=SCHEMA, state_of=state_of, predict=never, namespace="shop")

    assert asked == [ObjectRef("v1", "ConfigMap", "shop", "web")]
