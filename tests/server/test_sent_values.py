"""Owners of values that are stored in another spelling than sent: kube-apiserver 1.36.3, on 2026-11-21."""

import pytest

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.ownership import context_of
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, Server, Stored, answer
from tests.server.stored import kind_of

SCHEMA = load("1.36")


def limits(memory: Json) -> JsonObject:
    content = {"limits": [{"type": "Container", "default": {"memory": memory}}]}
    return {"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "x", "namespace": "shop"}, "spec": content}


def autoscaler(amount: Json) -> JsonObject:
    target = {"type": "AverageValue", "averageValue": amount}
    metrics = [{"type": "Pods", "pods": {"metric": {"name": "p"}, "target": target}}]
    reference = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    spec = {"maxReplicas": 3, "scaleTargetRef": reference, "metrics": metrics}
    name = {"name": "x", "namespace": "shop"}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": name, "spec": spec}


def stored_object(write: Write, live: JsonObject | None) -> JsonObject:
    kind = kind_of(live or write.body)
    found = answer(write, live, Server(kind, "1.36", context_of(kind, SCHEMA, kind.api_version)))
    assert isinstance(found, Stored)
    return found.object


def owners(first: JsonObject, patch: JsonObject, field: str) -> list[str]:
    """Return who owns a field of the spec after another manager's patch."""
    live = stored_object(Write("POST", JSON_BODY, first, (("fieldManager", "first"),)), None)
    after = stored_object(Write("PATCH", MERGE_PATCH, patch, (("fieldManager", "second"),)), live)
    return [
        entry["manager"]
        for entry in after["metadata"]["managedFields"]
        if f"f:{field}" in entry["fieldsV1"].get("f:spec", {})
    ]


def role(rules: Json) -> JsonObject:
    metadata = {"name": "x", "namespace": "shop"}
    return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": metadata, "rules": rules}


@pytest.mark.parametrize(
    ("content", "owned"),
    [
        ({"rules": []}, True),  # a client gets null
        ({}, False),
    ],
)
def test_an_empty_list_that_is_stored_as_null_is_owned(content: JsonObject, owned: bool) -> None:
    live = stored_object(Write("POST", JSON_BODY, {**role(None), **content}, (("fieldManager", "first"),)), None)
    assert live["rules"] is None
    fields = [field for entry in live["metadata"].get("managedFields", ()) for field in entry["fieldsV1"]]
    assert ("f:rules" in fields) is owned


@pytest.mark.parametrize(
    ("first", "second", "owner"),
    [
        ("1Gi", "1Gi", "first"),
        ("1024Mi", "1Gi", "first"),
        ("1Gi", "1024Mi", "second"),
        ("1024Mi", "1024Mi", "second"),
        ("2", 2, "first"),
        ("1k", 1000, "second"),
    ],
)
def test_another_spelling_of_a_limit_takes_the_limits(first: Json, second: Json, owner: str) -> None:
    assert owners(limits(first), {"spec": limits(second)["spec"]}, "limits") == [owner]


@pytest.mark.parametrize(("second", "owner"), [("1500m", "first"), ("1.5", "second")])
def test_another_spelling_of_a_metric_takes_the_metrics(second: str, owner: str) -> None:
    assert owners(autoscaler("1.5"), {"spec": {"metrics": autoscaler(second)["spec"]["metrics"]}}, "metrics") == [owner]


def test_a_patch_of_other_fields_changes_no_owner() -> None:
    assert owners(limits("1024Mi"), {"metadata": {"labels": {"a": "b"}}}, "limits") == ["first"]


def test_amounts_that_are_owned_one_by_one_compare_by_value() -> None:
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "x", "namespace": "shop"}}

    taken = owners({**quota, "spec": {"hard": {"cpu": "1"}}}, {"spec": {"hard": {"cpu": "1000m"}}}, "hard")

    assert taken == ["first"]
