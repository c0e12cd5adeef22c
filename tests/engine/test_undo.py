"""Changes that a revert does not undo, and objects that never become stable."""

from collections.abc import Sequence
from functools import partial

import pytest

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.engine.transition import earlier_revision
from kubectl_applylint.engine.undo import Stage, changed_by_second_apply, changed_by_stages, not_restored_by_revert
from tests.rules.stories import SCHEMA, document


def predict(manifest: JsonObject, state: State) -> Outcome:
    return engine.predict(ApplyRequest(manifest=manifest, state=state, schema=SCHEMA))


def object_named(kind: str, name: str = "one", **rest: object) -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, "namespace": "shop"}, **rest}


def claim(size: str) -> JsonObject:
    resources = {"requests": {"storage": size}}
    return object_named("PersistentVolumeClaim", spec={"accessModes": ["ReadWriteOnce"], "resources": resources})


SETTINGS = object_named("ConfigMap", data={"a": "1"})


def apply_change(past: Sequence[JsonObject], now: Sequence[JsonObject]) -> SetApply:
    earlier = earlier_revision([document(one) for one in past], origin="main", schema=SCHEMA, predict=predict)
    return apply_set([document(one) for one in now], earlier.cluster, schema=SCHEMA, predict=predict)


def remaining(past: Sequence[JsonObject], now: Sequence[JsonObject]) -> list[Outcome]:
    return [outcome for _, outcome in not_restored_by_revert(apply_change(past, now), [document(one) for one in past])]


@pytest.mark.parametrize(
    "later",
    [
        pytest.param([SETTINGS], id="nothing changed"),
        pytest.param([{**SETTINGS, "data": {"b": "2"}}], id="another value"),
        pytest.param([], id="an object left the files"),
    ],
)
def test_most_changes_are_reverted(later: list[JsonObject]) -> None:
    assert remaining([SETTINGS], later) == []


def test_a_key_that_came_as_string_data_stays() -> None:
    past, now = object_named("Secret", stringData={"a": "1"}), object_named("Secret", stringData={"a": "1", "b": "2"})
    (outcome,) = remaining([past], [now])

    assert [(render(change.path), change.provenance.why) for change in outcome.changes] == [
        ("data.b", Why.LEFT_BY_REVERT)
    ]


def test_a_revert_may_be_rejected() -> None:
    (outcome,) = remaining([SETTINGS], [{**SETTINGS, "data": {"a": "2"}, "immutable": True}])

    assert outcome.verdict is Verdict.REJECTED


def test_objects_that_the_change_created_remain() -> None:
    (outcome,) = remaining([SETTINGS], [SETTINGS, object_named("ConfigMap", "two", data={"a": "1"})])

    assert (outcome.ref.name, outcome.verdict) == ("two", Verdict.KEPT)


def test_rejected_objects_need_no_revert() -> None:
    assert remaining([object_named("ConfigMap", data={"a": 1})], []) == []


def test_a_set_settles_with_its_second_apply() -> None:
    assert changed_by_second_apply(apply_change([], [SETTINGS])) == ()


def test_an_object_that_says_to_be_configured_again_does_not_settle() -> None:
    ((place, outcome),) = changed_by_second_apply(
        apply_change([], [SETTINGS, object_named("Secret", stringData={"a": "1"})])
    )

    assert (place.ref.kind, outcome.verdict) == ("Secret", Verdict.CONFIGURED)


def test_a_rejected_object_has_no_second_apply() -> None:
    assert changed_by_second_apply(apply_change([], [object_named("ConfigMap", data={"a": 1})])) == ()


def pod(image: str = "") -> JsonObject:
    side = [{"name": "side", "image": image}] if image else []
    return object_named("Pod", spec={"containers": [{"name": "web", "image": "web:1"}, *side]})


def web(image: str = "") -> JsonObject:
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pod(image)["spec"]}
    spec = {"selector": {"matchLabels": {"app": "web"}}, "template": template}
    return {**object_named("Deployment", spec=spec), "apiVersion": "apps/v1"}


def depending(past: Sequence[JsonObject], *commits: Sequence[JsonObject]) -> list[tuple[str, Outcome]]:
    """Return what depends on the way over these commits, with the kind of each object."""
    whole = apply_change(past, commits[-1])
    stages = [
        Stage(f"commit {number}", partial(apply_set, [*map(document, manifests)], schema=SCHEMA, predict=predict))
        for number, manifests in enumerate(commits[:-1], 1)
    ]
    return [(found.ref.kind, outcome) for found, outcome in changed_by_stages(whole, stages)]


def test_a_default_that_a_commit_in_between_has_brought_stays() -> None:
    commits = ([web()], [web("side:latest")], [web("side:latest"), SETTINGS], [web("side:1"), SETTINGS])
    ((kind, outcome),) = depending([web()], *commits)

    assert kind == "Deployment"
    assert [
        (render(change.path), change.before, change.after, str(change.provenance)) for change in outcome.changes
    ] == [
        (
            "spec.template.spec.containers[name=side].imagePullPolicy",
            "IfNotPresent",
            "Always",
            "left by an intermediate commit (commit 2)",
        )
    ]


def test_an_object_that_only_a_commit_in_between_has_stays() -> None:
    ((kind, outcome),) = depending([web()], [web(), SETTINGS], [web()])

    assert (kind, outcome.verdict, outcome.changes) == ("ConfigMap", Verdict.KEPT, ())


def test_a_removed_object_has_the_state_of_its_last_commit() -> None:
    ((kind, outcome),) = depending([SETTINGS], [{**SETTINGS, "data": {"a": "2"}}], [web()])

    assert (kind, outcome.verdict) == ("ConfigMap", Verdict.KEPT)
    (change,) = outcome.changes
    assert (change.before, change.after, change.provenance.detail) == ("1", "2", "(commit 1)")


def test_a_commit_in_between_can_make_the_last_one_fail() -> None:
    ((_, outcome),) = depending([SETTINGS], [{**SETTINGS, "immutable": True}], [{**SETTINGS, "data": {"a": "2"}}])

    assert outcome.refused


def test_most_ways_lead_to_the_same() -> None:
    later = {**SETTINGS, "data": {"b": "2"}}

    assert depending([SETTINGS], [later], [{**SETTINGS, "data": {"c": "3"}}], [SETTINGS]) == []
    assert depending([SETTINGS], [later]) == []
