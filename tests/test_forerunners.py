"""What is known around each object of a run when its turn comes."""

from kubectl_applylint.forerunners import along
from kubectl_applylint.model import Document, InCluster
from kubectl_applylint.schema.load import load
from kubectl_applylint.state import UNSEEN, Absent, Knowledge, Present, Surroundings, Unknown, ref_of
from kubectl_applylint.values import Json, JsonObject, dig

SHOP: JsonObject = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop", "labels": {"a": "new"}}}
SETTINGS: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "s", "namespace": "shop"}}
LIMITS: JsonObject = {
    "apiVersion": "v1",
    "kind": "LimitRange",
    "metadata": {"name": "l", "namespace": "shop"},
    "spec": {"limits": [{"type": "Container", "max": {"cpu": 1}}]},
}


def seen_by(*objects: JsonObject, live: Knowledge | None = None, known: Surroundings = UNSEEN) -> Surroundings:
    """Return what is known around the last of the objects; ``live`` is the state of the first."""
    documents = [Document("f", place, obj, ref_of(obj), InCluster()) for place, obj in enumerate(objects)]
    states: dict[Json, Knowledge] = {document.ref: Absent() for document in documents}
    states[documents[0].ref] = live or Absent()
    return along(documents, states, known, load("1.36"))[documents[-1].ref]


def test_what_was_applied_before_is_there() -> None:
    assert seen_by(SHOP, SETTINGS).named("", "Namespace", "shop") != Absent()
    assert isinstance(seen_by(SHOP, SETTINGS).named("", "Namespace", "shop"), Present)
    assert isinstance(seen_by(SETTINGS, SHOP, SETTINGS).named("", "Namespace", "shop"), Unknown)


def test_the_cluster_is_known_from_the_start() -> None:
    known = Surroundings(whole=frozenset({("", "Namespace", "")}))

    assert seen_by(SETTINGS, known=known) == known
    assert isinstance(seen_by(SHOP, SETTINGS, known=known).named("", "Namespace", "shop"), Present)


def test_defaults_are_filled_in() -> None:
    (limits,) = seen_by(LIMITS, SETTINGS).known("", "LimitRange", "shop")

    assert limits["spec"]["limits"][0]["default"] == {"cpu": "1"}


def test_live_status_and_labels_stay() -> None:
    live = {**SHOP, "metadata": {"name": "shop", "labels": {"a": "old", "b": "kept"}}, "status": {"phase": "Active"}}
    found = seen_by(SHOP, SETTINGS, live=Present(live)).named("", "Namespace", "shop")

    assert isinstance(found, Present)
    assert dig(found.object, "metadata", "labels", "a") == "new"
    assert dig(found.object, "metadata", "labels", "b") == "kept"
    assert dig(found.object, "status", "phase") == "Active"


def test_what_cannot_be_read_changes_nothing() -> None:
    unreadable = {**SHOP, "metadata": {"name": "shop", "labels": 1}}
    unserved = {**SHOP, "apiVersion": "v7"}

    assert seen_by(unreadable, SETTINGS) == UNSEEN
    assert seen_by(unserved, SETTINGS) == UNSEEN
