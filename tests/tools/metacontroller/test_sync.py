"""Stops of the syncs of Metacontroller, and claims of a parent; ``syncParentObject`` of its sources."""

import pytest

from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.set_apply import SetApply
from kubectl_applylint.tools.metacontroller.children import IN_PLACE, UpdateMethod
from kubectl_applylint.tools.metacontroller.sync import ChildrenSync
from tests.tools.metacontroller.test_rolling import (
    A1,
    NEW,
    OWNER,
    A,
    B,
    child,
    desired_child,
    family,
    revision,
    sync,
    words,
)

STRAY = desired_child("stray", labels={"shop": "other"})
ORPHAN = {**A1, "metadata": {key: value for key, value in A1["metadata"].items() if key != "ownerReferences"}}
RELEASED = {**A1, "metadata": {**A1["metadata"], "labels": {}}}
KEPT = child(desired_child("b", data=NEW))


def beside(whole: SetApply) -> list[Outcome]:
    assert isinstance(whole.process, ChildrenSync)
    return [*whole.process.beside(whole.pruned)]


def owners(item: JsonObject | None) -> list[Json]:
    return [owner["uid"] for owner in (item or {})["metadata"].get("ownerReferences", [])]


@pytest.mark.parametrize("method", [UpdateMethod.IN_PLACE, UpdateMethod.ROLLING_IN_PLACE, UpdateMethod.ON_DELETE])
def test_labels_that_the_parent_does_not_select_stop_all(method: UpdateMethod) -> None:
    whole = sync(family(method), [STRAY, A, B], A1)

    assert words(whole) == {"stray": "rejected", "a": "rejected", "b": "rejected"}
    assert whole.pruned == ()
    assert whole.outcomes[2].intended is not None


@pytest.mark.parametrize(("live", "left"), [(ORPHAN, ["7"]), (RELEASED, [])], ids=["taken", "let go"])
def test_a_sync_that_stops_has_claimed_its_children(live: JsonObject, left: list[str]) -> None:
    (_, outcome) = sync(family(UpdateMethod.IN_PLACE), [STRAY, A], live).outcomes

    assert (outcome.verdict, owners(outcome.result)) == (Verdict.REJECTED, left)
    assert [write.method for write in outcome.requests] == ["PUT"]


def test_a_parent_without_a_selector_claims_nothing() -> None:
    (outcome,) = sync(family(UpdateMethod.IN_PLACE, spec={}), [A], ORPHAN).outcomes

    assert (outcome.verdict, owners(outcome.result), outcome.requests) == (Verdict.REJECTED, [], ())
    assert ".spec.selector must have" in outcome.errors[0].message


@pytest.mark.parametrize("method", [UpdateMethod.IN_PLACE, UpdateMethod.ROLLING_RECREATE])
def test_a_parent_releases_unselected_children_that_no_hook_wants(method: UpdateMethod) -> None:
    (outcome,) = beside(sync(family(method), [B], RELEASED, KEPT, revision(1, "a")))

    assert (outcome.ref.name, outcome.verdict, owners(outcome.result)) == ("a", Verdict.CONFIGURED, [])


def test_a_parent_adopts_deleted_objects_only_in_a_sync_that_continues() -> None:
    stopped, through = (sync(family(UpdateMethod.IN_PLACE), [item], ORPHAN) for item in (STRAY, B))

    assert ([ref.name for ref in stopped.pruned], [owners(one.result) for one in beside(stopped)]) == ([], [["7"]])
    assert ([ref.name for ref in through.pruned], beside(through)) == (["a"], [])


def test_children_of_other_parents_are_not_changed() -> None:
    theirs = {**A1, "metadata": {**A1["metadata"], "ownerReferences": [{**OWNER, "uid": "8"}]}}

    assert beside(sync(family(UpdateMethod.IN_PLACE), [B], theirs, KEPT)) == []


def test_children_without_dependencies_are_applied_plainly() -> None:
    whole = sync(IN_PLACE, [A, B], A1)

    assert isinstance(whole.process, ChildrenSync)
    assert (whole.process.is_plain, whole.process.cut_short(0)) == (True, None)
    assert words(whole) == {"a": "configured", "b": "created"}


def test_a_service_gets_the_port_of_one_that_is_deleted_first() -> None:
    def service_with_port(name: str) -> JsonObject:
        return desired_child(name, "Service", spec={"type": "NodePort", "ports": [{"port": 80, "nodePort": 30001}]})

    for method in (UpdateMethod.IN_PLACE, UpdateMethod.ROLLING_IN_PLACE):
        assert words(sync(family(method), [service_with_port("new")], child(service_with_port("old")))) == {
            "new": "created"
        }
        assert (
            words(sync(family(method), [service_with_port("new"), STRAY], child(service_with_port("old"))))["new"]
            == "rejected"
        )
