from collections.abc import Sequence
from functools import partial

import pytest

from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import LAST_APPLIED, Absent, Knowledge, Present, Unknown, annotations_of, live_object
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import apply_set
from kubectl_applylint.lint.fixes.commands import Apply, Command, Delete, MergePatch, NoChange, Removal
from kubectl_applylint.lint.fixes.playing import Simulation, simulate
from kubectl_applylint.lint.model import Scenario
from kubectl_applylint.run.load.prediction import predictor
from tests.rules.stories import SCHEMA, subject

APPLY = Apply(("web.yaml",))


def settings(**data: str) -> JsonObject:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "settings", "namespace": "shop"},
        "data": data,
        "immutable": True,
    }


def applied_object(manifest: JsonObject) -> Present:
    result = subject(manifest).predict(Scenario.APPLY).result
    assert result is not None
    return Present(result)


def turn(manifest: JsonObject, live: Knowledge) -> Simulation:
    found = subject(manifest, live=live)
    cluster = ClusterModel({found.ref.identity: live}, Absent())
    whole = apply_set([found.document], cluster, schema=SCHEMA, predict=predictor(SCHEMA, NO_FLAGS))
    return Simulation(found, whole, 0, partial(predictor, SCHEMA))


def end(commands: Sequence[Command], live: Knowledge, **data: str) -> Simulation:
    found = simulate(turn(settings(**data), live), commands)
    assert found is not None
    return found


def test_a_deleted_object_is_created_again() -> None:
    live = applied_object(settings(a="1"))

    assert turn(settings(a="2"), live).subject.predict(Scenario.APPLY).verdict is Verdict.REJECTED
    assert end([Delete(), APPLY], live, a="2").subject.predict(Scenario.APPLY).verdict is Verdict.CREATED


def test_a_patch_changes_what_the_apply_meets() -> None:
    without = MergePatch({"metadata": {"annotations": {LAST_APPLIED: None}}}, "kubectl-annotate")
    found = end([NoChange(), without, APPLY], applied_object(settings(a="1")), a="1")

    assert annotations_of(live_object(found.subject.state.live)) == {}
    assert found.subject.predict(Scenario.APPLY).verdict is Verdict.CONFIGURED


def test_a_removal_takes_a_field_or_an_element_away() -> None:
    manifest = settings(a="1")
    kept = {**manifest, "metadata": {**manifest["metadata"], "finalizers": ["a.example.com/x", "b.example.com/y"]}}
    removal = Removal((("metadata", "finalizers", "0"), ("metadata", "annotations")))
    found = end([removal, APPLY], applied_object(kept), a="1")

    assert dig(live_object(found.subject.state.live), "metadata", "finalizers") == ["b.example.com/y"]
    assert annotations_of(live_object(found.subject.state.live)) == {}


def test_the_last_apply_has_the_flags_of_its_command() -> None:
    command = Apply(("web.yaml",), server_side=True, field_manager="ci")
    found = end([command], applied_object(settings(a="1")), a="1")

    assert (found.subject.flags.server_side, found.subject.flags.field_manager) == (True, "ci")
    assert found.subject.predict(Scenario.APPLY).verdict is Verdict.SERVERSIDE_APPLIED


def test_an_apply_in_between_leaves_its_result() -> None:
    server_side = Apply(("web.yaml",), server_side=True)
    found = end([Delete(), APPLY, server_side], applied_object(settings(a="1")), a="2")

    assert dig(live_object(found.subject.state.live), "data") == {"a": "2"}


@pytest.mark.parametrize(
    ("commands", "live"),
    [
        ([APPLY], applied_object(settings(a="1"))),
        ([NoChange()], applied_object(settings(a="1"))),
        ([Delete(), Apply(("other.yaml",))], applied_object(settings(a="1"))),
        ([Removal((("spec", "replicas"),)), APPLY], applied_object(settings(a="1"))),
        ([Removal((("metadata", "managedFields", "7"),)), APPLY], applied_object(settings(a="1"))),
        ([MergePatch({"data": {"a": "3"}}, "kubectl-patch"), APPLY], applied_object(settings(a="1"))),
        ([MergePatch({"data": {"a": "3"}}, "kubectl-patch"), APPLY], Unknown("no cluster was read")),
    ],
    ids=["same apply", "look", "other file", "absent", "no such element", "refused", "unknown"],
)
def test_an_unknown_or_empty_effect_is_not_reported(commands: Sequence[Command], live: Knowledge) -> None:
    assert simulate(turn(settings(a="1"), live), commands) is None
