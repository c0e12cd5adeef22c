"""Texts and verdicts are those of kubectl 1.36.3 and a server of the same version."""

import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.addressing import within_scope
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject

GIZMO: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "gizmos.example.com"},
    "spec": {
        "group": "example.com",
        "scope": "Cluster",
        "names": {"kind": "Gizmo", "plural": "gizmos"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}
SCHEMA = api.load_schema("1.36", crds=[GIZMO])
APPLIERS = ("kubectl-client", "kubectl-server")


def role(metadata: Json, *verbs: str) -> JsonObject:
    rules = [{"apiGroups": [""], "resources": ["pods"], "verbs": list(verbs) or ["get"]}]
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": metadata, "rules": rules}


def gizmo(metadata: Json) -> JsonObject:
    return {"apiVersion": "example.com/v1", "kind": "Gizmo", "metadata": metadata}


def config_map(metadata: Json) -> JsonObject:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata}


def error_messages(outcome: Outcome) -> list[str]:
    return [cause.message for cause in outcome.errors]


@pytest.mark.parametrize("applier", APPLIERS)
@pytest.mark.parametrize("make", [role, gizmo], ids=["built-in kind", "custom kind"])
def test_the_namespace_of_a_cluster_scoped_object_is_not_sent(applier: str, make: object) -> None:
    assert callable(make)
    manifest = make({"name": "x", "namespace": "shop"})
    first = api.predict(manifest, schema=SCHEMA, applier=applier)
    second = api.predict(manifest, schema=SCHEMA, applier=applier, live=first.result)

    assert first.requests[0].body["metadata"].get("namespace") is None
    assert first.result is not None
    assert "namespace" not in first.result["metadata"]
    assert second.verdict == ("unchanged" if applier == "kubectl-client" else "serverside-applied")


def test_the_annotation_of_a_cluster_scoped_object_holds_no_namespace() -> None:
    live = api.predict(role({"name": "x"}), schema=SCHEMA).result
    changed = api.predict(role({"name": "x", "namespace": "shop"}, "get", "list"), schema=SCHEMA, live=live)

    assert changed.verdict == "configured"
    assert "shop" not in changed.requests[0].body["metadata"]["annotations"][LAST_APPLIED]
    assert {render(change.path[:1]) for change in changed.changes} == {"metadata", "rules"}


@pytest.mark.parametrize(
    "manifest",
    [
        role({"name": "x", "namespace": ""}),
        role("junk"),
        config_map({"name": "x", "namespace": "shop"}),
        {"apiVersion": "example.org/v1", "kind": "Widget", "metadata": {"name": "x", "namespace": "shop"}},
    ],
    ids=["empty namespace", "no metadata", "namespaced kind", "unknown kind"],
)
def test_other_manifests_stay_as_they_are(manifest: JsonObject) -> None:
    kind = SCHEMA.kind(manifest["apiVersion"], manifest["kind"])

    assert within_scope(manifest, kind) is manifest


@pytest.mark.parametrize("applier", APPLIERS)
@pytest.mark.parametrize("make", [role, gizmo, config_map], ids=["built-in", "custom", "namespaced"])
@pytest.mark.parametrize(
    ("metadata", "message"),
    [
        ({}, "resource name may not be empty"),
        (None, "resource name may not be empty"),
        ({"name": ""}, "resource name may not be empty"),
        ({"name": None}, "resource name may not be empty"),
        ({"generateName": "x-"}, "from x-: cannot use generate name with apply"),
        ({"name": ".."}, "invalid resource name \"..\": [may not be '..']"),
        ({"name": "."}, "invalid resource name \".\": [may not be '.']"),
        ({"name": "a/b"}, "invalid resource name \"a/b\": [may not contain '/']"),
        ({"name": "%2e/"}, "invalid resource name \"%2e/\": [may not contain '/' may not contain '%']"),
    ],
)
def test_a_name_that_no_url_can_hold_is_rejected_before_anything_is_sent(
    applier: str, make: object, metadata: Json, message: str
) -> None:
    assert callable(make)
    outcome = api.predict(make(metadata), schema=SCHEMA, applier=applier)

    assert outcome.verdict == "rejected"
    assert error_messages(outcome) == [message]
    assert outcome.requests == ()
    assert outcome.status is None


def test_a_namespace_that_no_url_can_hold_is_rejected_first() -> None:
    outcome = api.predict(config_map({"name": "a/b", "namespace": "c/d"}), schema=SCHEMA)

    assert error_messages(outcome) == ["invalid namespace \"c/d\": [may not contain '/']"]


def test_replace_takes_no_object_without_a_name() -> None:
    outcome = api.predict(config_map({"generateName": "x-"}), schema=SCHEMA, applier="kubectl-replace")

    assert error_messages(outcome) == ["resource name may not be empty"]
