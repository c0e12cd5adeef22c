"""Deletions of a prune by labels, as kubectl 1.36 makes them."""

import pytest

from kubectl_applylint.appliers.prune import DEFAULT_KINDS, ByLabels, GroupKind, read_kinds
from kubectl_applylint.core.selector import parse
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject

SHOP = ByLabels(parse("app=shop"))


def item(kind: str, name: str, namespace: str = "shop", *, annotated: bool = True, app: str = "shop") -> JsonObject:
    annotations = {LAST_APPLIED: "{}"} if annotated else {}
    metadata = {"name": name, "namespace": namespace, "labels": {"app": app}, "annotations": annotations}
    version = {"Deployment": "apps/v1", "Role": "rbac.authorization.k8s.io/v1"}.get(kind, "v1")
    return {"apiVersion": version, "kind": kind, "metadata": metadata}


APPLIED = [ref_of(item("ConfigMap", "web"))]


@pytest.mark.parametrize(
    ("policy", "there", "is_pruned"),
    [
        pytest.param(SHOP, item("ConfigMap", "old"), True, id="it left the files"),
        pytest.param(SHOP, item("ConfigMap", "web"), False, id="applied"),
        pytest.param(SHOP, item("ConfigMap", "old", app="bank"), False, id="another label"),
        pytest.param(SHOP, item("ConfigMap", "old", annotated=False), False, id="never applied"),
        pytest.param(SHOP, item("ConfigMap", "old", "bank"), False, id="a namespace that the run has not met"),
        pytest.param(ByLabels(SHOP.selector, namespace="bank"), item("ConfigMap", "old", "bank"), True, id="of -n"),
        pytest.param(SHOP, item("Namespace", "old", ""), True, id="a whole namespace"),
        pytest.param(SHOP, item("Role", "old"), False, id="a kind that is not on the list"),
        pytest.param(ByLabels(), item("Secret", "old", app="bank"), True, id="--all"),
        pytest.param(ByLabels(kinds=read_kinds(["apps/v1/Deployment"])), item("Deployment", "old"), True, id="allowed"),
        pytest.param(ByLabels(kinds=read_kinds(["apps/v1/Deployment"])), item("Secret", "old"), False, id="else not"),
    ],
)
def test_labelled_objects_without_a_manifest_are_pruned(policy: ByLabels, there: JsonObject, is_pruned: bool) -> None:
    assert list(policy.targets([there], APPLIED)) == [ref_of(there)] * is_pruned


def test_one_object_in_two_versions_is_one_object() -> None:
    there = {**item("Deployment", "web"), "apiVersion": "apps/v1"}

    assert list(ByLabels().targets([there], [ObjectRef("apps/v1beta2", "Deployment", "shop", "web")])) == []


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ([], DEFAULT_KINDS),
        (["core/v1/ConfigMap", "apps/v1/Deployment"], frozenset({("", "ConfigMap"), ("apps", "Deployment")})),
    ],
)
def test_the_list_of_kinds_replaces_the_default(words: list[str], kinds: frozenset[GroupKind]) -> None:
    assert read_kinds(words) == kinds


@pytest.mark.parametrize("word", ["v1/ConfigMap", "ConfigMap", "a/b/c/d"])
def test_a_kind_needs_group_and_version(word: str) -> None:
    with pytest.raises(ValueError, match=f"invalid GroupVersionKind format: {word}"):
        read_kinds([word])
