"""Revisions of a parent; ``controller_revision.go`` of Metacontroller."""

from collections.abc import Sequence

import pytest

from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.metacontroller.revisions import Claim, claim_of, is_revision, revisions_of

LABELS = {"shop": "main"}
SELECTOR: JsonObject = {"matchLabels": LABELS}
PARENT: JsonObject = {"spec": {"size": 2, "template": {"metadata": {"labels": LABELS}}, "more": {"a": 1, "b": 2}}}


def revision(size: int, *names: str, uid: str = "1", labels: JsonObject = LABELS) -> JsonObject:
    """Return the revision of a parent of this size that has claimed these ConfigMaps."""
    metadata: JsonObject = {"name": f"r{size}", "labels": labels, "ownerReferences": [{"uid": uid}]}
    head = {"apiVersion": "metacontroller.k8s.io/v1alpha1", "kind": "ControllerRevision", "metadata": metadata}
    children: list[Json] = [{"apiGroup": "", "kind": "ConfigMap", "names": [*names]}]
    return {**head, "parentPatch": {"spec": {"size": size}}, "children": children}


@pytest.mark.parametrize(
    ("paths", "patch"),
    [
        (["spec.size"], {"spec": {"size": 2}}),
        (["spec.more.b", "spec.size", "spec.more.a"], {"spec": {"more": {"b": 2, "a": 1}, "size": 2}}),
        (["spec"], {"spec": PARENT["spec"]}),
        (["spec.nothing"], {}),
    ],
)
def test_a_revision_has_the_fields_that_the_controller_names(paths: Sequence[str], patch: JsonObject) -> None:
    assert revisions_of(PARENT, paths, SELECTOR, generated={}).patch == patch


def test_a_parent_keeps_the_revisions_that_its_selector_matches() -> None:
    assert revisions_of(PARENT, ["spec"], SELECTOR, generated={}).are_kept
    assert not revisions_of({"spec": {}}, ["spec"], SELECTOR, generated={}).are_kept
    uid = {"controller-uid": "7"}
    assert revisions_of({"spec": {}}, ["spec"], {"matchLabels": uid}, generated=uid).are_kept


CM = ("", "ConfigMap")


@pytest.mark.parametrize(
    ("objects", "claims"),
    [
        ([], None),
        ([revision(1, "a", "b"), revision(2, "c")], {(*CM, "a"), (*CM, "b")}),
        ([revision(2, "c")], set()),
        ([revision(1, "a", uid="2")], None),
        ([revision(1, "a", labels={})], None),
        ([{"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {"name": "r1"}}], None),
    ],
    ids=["none", "two", "latest", "of another", "let go", "of a StatefulSet"],
)
def test_children_that_an_earlier_revision_has_claimed(objects: list[JsonObject], claims: set[Claim] | None) -> None:
    revisions = revisions_of(PARENT, ["spec.size"], SELECTOR, generated={})

    assert revisions.earlier(objects, "1") == claims


def test_revisions_are_known_if_any_is_live() -> None:
    revisions = revisions_of(PARENT, ["spec.size"], SELECTOR, generated={})

    assert revisions.is_known([]) is None
    assert revisions.is_known([revision(1)]) is False
    assert revisions.is_known([revision(1), revision(2, labels={})]) is True


def test_a_revision_names_a_child_without_its_version() -> None:
    assert claim_of(ObjectRef("apps/v1", "Deployment", "shop", "web")) == ("apps", "Deployment", "web")
    assert is_revision(ref_of(revision(1)))
