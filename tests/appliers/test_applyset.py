"""ApplySets, as kubectl 1.36 keeps them; the identifier was recorded from a real one."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.appliers.applyset import (
    ID,
    KINDS,
    NAMESPACES,
    PART_OF,
    TOOLING,
    ApplySet,
    Tracked,
    read,
    tracked_after,
)
from kubectl_applylint.core.state import Absent, ObjectRef, Present, ref_of
from kubectl_applylint.core.values import Json, JsonObject

MINE = ApplySet(ObjectRef("v1", "Secret", "as", "mine"))
MAPS = Tracked(frozenset({("", "ConfigMap")}), frozenset({"as", "shop"}))


def member(kind: str, name: str, namespace: str = "shop", part_of: str = MINE.id) -> JsonObject:
    metadata = {"name": name, "namespace": namespace, "labels": {PART_OF: part_of}}
    return {"apiVersion": "v1", "kind": kind, "metadata": metadata}


def parent(annotations: Mapping[str, Json] | None = None, labels: Mapping[str, Json] | None = None) -> JsonObject:
    whole = MINE.parent_object(MAPS, "1.36")["metadata"]
    metadata = {
        "labels": whole["labels"] if labels is None else labels,
        "annotations": whole["annotations"] if annotations is None else annotations,
    }
    return {"metadata": metadata}


def test_the_identifier_follows_from_the_name_of_the_parent() -> None:
    assert MINE.id == "applyset-sPOGzAPri7IaMltts4klI_cnLaVYwp4u0kZYEHKwbsM-v1"


def test_members_carry_the_label_beside_their_own() -> None:
    manifest: JsonObject = {"kind": "ConfigMap", "metadata": {"name": "web", "labels": {"app": "web"}}}

    assert MINE.with_label(manifest)["metadata"]["labels"] == {"app": "web", PART_OF: MINE.id}
    assert manifest["metadata"]["labels"] == {"app": "web"}


def test_the_parent_remembers_kinds_and_namespaces() -> None:
    kinds = frozenset({("apps", "Deployment"), ("", "ConfigMap")})
    tracked = Tracked(kinds, frozenset({"as", "shop", "bank"}))

    written = MINE.parent_object(tracked, "1.36")

    assert written["metadata"]["labels"] == {ID: MINE.id}
    assert written["metadata"]["annotations"] == {
        TOOLING: "kubectl/v1.36",
        KINDS: "ConfigMap,Deployment.apps",
        NAMESPACES: "bank,shop",
    }
    assert MINE.read_tracked(written) == tracked


def test_a_new_or_empty_set_remembers_nothing() -> None:
    empty = MINE.parent_object(Tracked(), "1.36")

    assert MINE.read_tracked(None) == Tracked()
    assert MINE.read_tracked(empty) == Tracked(namespaces=frozenset({"as"}))


def test_a_run_holds_the_kinds_and_namespaces_of_its_objects() -> None:
    refs = [ObjectRef("v1", "ConfigMap", "shop", "a"), ObjectRef("v1", "Namespace", "", "shop")]

    assert tracked_after(refs) == Tracked(frozenset({("", "ConfigMap"), ("", "Namespace")}), frozenset({"shop"}))


@pytest.mark.parametrize(
    ("there", "is_pruned"),
    [
        pytest.param(member("ConfigMap", "old"), True, id="it left the files"),
        pytest.param(member("ConfigMap", "web"), False, id="applied"),
        pytest.param(member("ConfigMap", "old", part_of="another"), False, id="of another set"),
        pytest.param(member("Secret", "old"), False, id="a kind that the set did not have"),
        pytest.param(member("ConfigMap", "old", "bank"), False, id="a namespace that the set was not in"),
        pytest.param(member("ConfigMap", "old", ""), True, id="cluster-scoped"),
    ],
)
def test_members_that_were_not_applied_are_pruned(there: JsonObject, is_pruned: bool) -> None:
    applied = [ref_of(member("ConfigMap", "web"))]

    assert list(MINE.targets([there], applied, MAPS)) == [ref_of(there)] * is_pruned


@pytest.mark.parametrize(
    ("live", "complaint"),
    [
        pytest.param(None, "", id="not there yet"),
        pytest.param(parent(), "", id="its own"),
        pytest.param(parent({}), f'already exists and is missing required annotation "{TOOLING}"', id="no tool"),
        pytest.param(parent({TOOLING: "helm/v3"}), 'managed by tooling "helm" instead of "kubectl"', id="another tool"),
        pytest.param(parent(labels={}), f"exists and does not have required label {ID}", id="no label"),
        pytest.param(parent(labels={ID: "x"}), f'incorrect value for label "{ID}" (got: x, want: ', id="another set's"),
        pytest.param(parent({TOOLING: "kubectl/v1"}), f'kubectl requires the "{KINDS}" annotation', id="no kinds"),
    ],
)
def test_an_object_without_the_marks_of_the_set_is_no_parent(live: JsonObject | None, complaint: str) -> None:
    known = Absent() if live is None else Present(live)

    assert complaint in MINE.complaint(known)
    assert bool(MINE.complaint(known)) == bool(complaint)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("mine", "Secret"), ("secret/mine", "Secret"), ("configmaps/mine", "ConfigMap")],
)
def test_a_set_is_named_by_its_parent(text: str, kind: str) -> None:
    assert read(text, "as") == ApplySet(ObjectRef("v1", kind, "as", "mine"))


@pytest.mark.parametrize(
    ("text", "namespace", "fault"),
    [
        ("", "as", "name cannot be blank"),
        ("secrets/", "as", "name cannot be blank"),
        ("mine", "", "namespace is required to use namespace-scoped ApplySet"),
    ],
)
def test_an_invalid_name_of_a_set_is_rejected(text: str, namespace: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        read(text, namespace)
