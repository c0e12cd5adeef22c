"""Rolling updates of the children of Metacontroller; ``rolling_update.go`` of its sources."""

from collections.abc import Mapping, Sequence

import pytest

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import Level, Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.run.load.prediction import check_predictor, predictor
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.metacontroller.children import Sync, UpdateMethod, read_controller
from kubectl_applylint.tools.metacontroller.rolling import LOST_REVISION
from kubectl_applylint.tools.metacontroller.write import ANNOTATION
from tests.engine.test_set_apply import having, manifest
from tests.rules.stories import document

SCHEMA = load("1.36")
LABELS: JsonObject = {"shop": "main"}
OWNER: JsonObject = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "7", "controller": True}
TEMPLATE: JsonObject = {"metadata": {"labels": LABELS}}
SPEC: JsonObject = {"selector": {"matchLabels": LABELS}, "template": TEMPLATE, "size": 2}


def family(method: UpdateMethod, *, spec: JsonObject = SPEC) -> Sync:
    """Return how a parent manages ConfigMaps, Secrets and Services; it selects those with its label."""
    strategy = {"updateStrategy": {"method": method.value}}
    rules = [{"apiVersion": "v1", "resource": each, **strategy} for each in ("configmaps", "secrets", "services")]
    controller = {
        "apiVersion": "metacontroller.k8s.io/v1alpha1",
        "kind": "CompositeController",
        "metadata": {"name": "shops"},
        "spec": {"childResources": rules, "parentResource": {"revisionHistory": {"fieldPaths": ["spec.size"]}}},
    }
    parent = {"apiVersion": "example.com/v1", "kind": "Shop", "metadata": {"name": "main", "uid": "7"}, "spec": spec}
    return replace(read_controller(controller), parent="shop/main").of_parent(parent)


def desired_child(name: str, kind: str = "ConfigMap", labels: JsonObject = LABELS, **fields: Json) -> JsonObject:
    bare = manifest(kind, name, "shop", **fields)
    return {**bare, "metadata": {**bare["metadata"], "labels": labels}}


def child(noted: JsonObject, **fields: Json) -> JsonObject:
    """Return a child as the hook wanted it before, but for what others wrote."""
    metadata = {**noted["metadata"], "annotations": {ANNOTATION: gotext.encode(noted)}, "ownerReferences": [OWNER]}
    stored = {name: value for name, value in noted.items() if name != "stringData"}
    return {**stored, "metadata": {**metadata, "uid": noted["metadata"]["name"], "resourceVersion": "1"}, **fields}


def revision(size: int, *names: str) -> JsonObject:
    metadata = {"name": f"r{size}", "namespace": "shop", "labels": LABELS, "ownerReferences": [OWNER]}
    head = {"apiVersion": "metacontroller.k8s.io/v1alpha1", "kind": "ControllerRevision", "metadata": metadata}
    children: list[Json] = [{"apiGroup": "", "kind": "ConfigMap", "names": [*names]}]
    return {**head, "parentPatch": {"spec": {"size": size}}, "children": children}


def sync(policy: Sync, items: Sequence[JsonObject], *live: JsonObject) -> SetApply:
    """Return the outcome of a sync with the children that a hook wants."""
    documents = [document(item, index=index) for index, item in enumerate(items)]
    predict, check = predictor(SCHEMA, Flags(sync=policy), policy), check_predictor(SCHEMA, policy)
    return apply_set(documents, having(*live), schema=SCHEMA, predict=predict, policy=policy, check=check)


def words(whole: SetApply) -> Mapping[str, str]:
    return {outcome.ref.name: outcome.verdict.value for outcome in whole.outcomes}


def data(whole: SetApply) -> Mapping[str, Json]:
    return {outcome.ref.name: (outcome.result or {}).get("data") for outcome in whole.outcomes}


OLD, NEW = {"v": "1"}, {"v": "2"}
A, B, C = (desired_child(name, data=NEW) for name in "abc")
A1, B1, C1 = (child(desired_child(name, data=OLD)) for name in "abc")
NEVER = desired_child("never", "Secret", stringData={"a": "2"})
NEVER1 = child(desired_child("never", "Secret", stringData={"a": "1"}), data={"a": "MQ=="}, type="Opaque")
BAD = desired_child("bad", data={"a b": "2"})
BAD1 = child(desired_child("bad", data=OLD))
ROLLING = (UpdateMethod.ROLLING_IN_PLACE, UpdateMethod.ROLLING_RECREATE)


@pytest.mark.parametrize("method", ROLLING)
def test_one_after_the_other_all_are_updated(method: UpdateMethod) -> None:
    whole = sync(family(method), [A, B, C], A1, B1, C1)

    assert data(whole) == {"a": NEW, "b": NEW, "c": NEW}
    assert set(words(whole).values()) == {"configured"}


@pytest.mark.parametrize("method", ROLLING)
@pytest.mark.parametrize(
    ("front", "front1", "word", "why"),
    [(NEVER, NEVER1, "configured", "never looks as wanted"), (BAD, BAD1, "rejected", "is rejected")],
    ids=["undone", "rejected"],
)
def test_a_child_that_does_not_become_as_wanted_holds_up_those_behind_it(
    method: UpdateMethod, front: JsonObject, front1: JsonObject, word: str, why: str
) -> None:
    whole = sync(family(method), [A, front, B], A1, front1, B1)

    assert words(whole) == {"a": "configured", ref_of(front).name: word, "b": "unchanged"}
    assert data(whole)["b"] == OLD
    assert f"the rolling update waits for {ref_of(front)}, which {why}" in whole.outcomes[2].warnings[-1]


def test_a_child_that_is_held_up_is_set_back_to_what_was_wanted_before() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [NEVER, B], NEVER1, {**B1, "data": {"v": "by hand"}})

    assert (words(whole)["b"], data(whole)["b"]) == ("configured", OLD)


def test_new_children_and_those_that_are_as_wanted_do_not_wait() -> None:
    same = child(desired_child("same", data=NEW))
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [NEVER, C, desired_child("same", data=NEW)], NEVER1, same)

    assert words(whole) == {"never": "configured", "c": "created", "same": "unchanged"}


def test_a_rejected_new_child_stops_the_update_of_existing_ones() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [A, BAD], A1)

    assert words(whole) == {"a": "unchanged", "bad": "rejected"}


def test_without_rolling_updates_nothing_waits() -> None:
    assert words(sync(family(UpdateMethod.IN_PLACE), [NEVER, B], NEVER1, B1)) == {
        "never": "configured",
        "b": "configured",
    }


def test_a_child_that_a_revision_has_claimed_is_created_as_that_wants_it() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [NEVER, C], NEVER1, revision(1, "c"))
    outcome = whole.outcomes[1]

    assert (outcome.verdict, outcome.result) == (Verdict.CREATED, None)
    assert (outcome.confidence.level, len(outcome.confidence.reasons)) == (Level.LOW, 1)
    assert [one.confidence.level for one in whole.outcomes] == [Level.MEDIUM, Level.LOW]


def test_children_without_a_revision_use_the_latest_one() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [BAD, B], BAD1, B1, revision(2, "bad", "b"))

    assert words(whole) == {"bad": "rejected", "b": "configured"}


def test_a_child_without_a_record_is_left_to_its_revision() -> None:
    bare = {**B1, "metadata": {**B1["metadata"], "annotations": {}}}
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [BAD, B], BAD1, bare, revision(1, "bad", "b"))

    assert (words(whole)["b"], data(whole)["b"]) == ("configured", OLD)
    assert whole.outcomes[1].confidence.level is Level.LOW


def test_a_note_that_is_not_readable_is_none() -> None:
    broken = {**B1, "metadata": {**B1["metadata"], "annotations": {ANNOTATION: "{"}}}

    assert words(sync(family(UpdateMethod.ROLLING_IN_PLACE), [A, B], A1, broken)) == {
        "a": "unchanged",
        "b": "rejected",
    }


STRAY = desired_child("stray", data=NEW, labels={"shop": "other"})
STRAY1 = child(desired_child("stray", data=OLD))


def test_a_sync_stops_at_labels_when_their_child_has_its_turn() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [A, STRAY, B], A1, STRAY1, B1)

    assert words(whole) == {"a": "configured", "stray": "rejected", "b": "rejected"}
    assert "don't match parent selector" in whole.outcomes[2].errors[0].message
    assert data(whole) == {"a": NEW, "stray": OLD, "b": OLD}


def test_a_child_is_not_recreated_if_the_sync_stops_before() -> None:
    whole = sync(family(UpdateMethod.ROLLING_RECREATE), [STRAY, B], STRAY1, {**B1, "data": {"v": "by hand"}})

    assert words(whole) == {"stray": "rejected", "b": "rejected"}
    assert data(whole) == {"stray": OLD, "b": {"v": "by hand"}}

    whole = sync(family(UpdateMethod.ROLLING_RECREATE), [A, STRAY], {**A1, "data": {"v": "x"}}, STRAY1)
    assert data(whole) == {"a": NEW, "stray": OLD}


UNLABELLED: JsonObject = {key: value for key, value in SPEC.items() if key != "template"}


@pytest.mark.parametrize(
    ("method", "left"), [(UpdateMethod.ROLLING_IN_PLACE, NEW), (UpdateMethod.ROLLING_RECREATE, None)]
)
def test_a_parent_that_loses_its_revision_updates_all_at_once_and_never_again(method: UpdateMethod, left: Json) -> None:
    whole = sync(family(method, spec=UNLABELLED), [NEVER, B, C], NEVER1, B1, child(desired_child("gone")))

    assert set(words(whole).values()) == {"rejected"}
    assert [outcome.errors[0].message for outcome in whole.outcomes] == [LOST_REVISION] * 3
    assert (data(whole)["b"], data(whole)["c"]) == (left, NEW)
    assert [bool(outcome.warnings) for outcome in whole.outcomes] == [left is None] * 2 + [False]
    assert [ref.name for ref in whole.pruned] == ["gone"]


@pytest.mark.parametrize(
    ("items", "seen"),
    [([desired_child("b", data=OLD)], []), ([B], [{**revision(2), "metadata": {"name": "r2"}}])],
    ids=["nothing new", "seen"],
)
def test_a_revision_that_exists_already_stops_every_sync(items: list[JsonObject], seen: list[JsonObject]) -> None:
    meddled = {**B1, "data": {"v": "by hand"}}
    whole = sync(
        family(UpdateMethod.ROLLING_IN_PLACE, spec=UNLABELLED), items, meddled, child(desired_child("old")), *seen
    )

    assert (words(whole), data(whole)) == ({"b": "rejected"}, {"b": {"v": "by hand"}})
    assert whole.pruned == ()


def test_labels_stop_a_sync_before_its_revision_is_lost() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE, spec=UNLABELLED), [STRAY], STRAY1)

    assert "don't match parent selector" in whole.outcomes[0].errors[0].message


def test_missing_children_of_a_revision_are_unknown_if_its_syncs_may_stop() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [A, B, C], revision(1, "a", "b"))

    assert words(whole) == {"a": "unknown", "b": "unknown", "c": "created"}
    assert "its syncs stop" in whole.outcomes[0].confidence.reasons[0]


def test_one_child_that_is_absent_was_deleted() -> None:
    assert words(sync(family(UpdateMethod.ROLLING_IN_PLACE), [A, C], revision(1, "a"))) == {
        "a": "created",
        "c": "created",
    }


def test_missing_children_of_a_revision_are_rejected_if_a_sync_stops() -> None:
    whole = sync(family(UpdateMethod.ROLLING_IN_PLACE), [A, STRAY, C], revision(1, "a", "stray"))

    assert words(whole) == {"a": "rejected", "stray": "rejected", "c": "rejected"}
    assert {outcome.confidence.level for outcome in whole.outcomes} == {Level.LOW}
