"""The fields that Flux leaves to other writers; what it then sends is in ``tests/stories/flux/ignored-*``."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.server_side import APPLY, UPDATE
from kubectl_applylint.tools.flux.ignore_rules import ignored_paths, missing_path, settled_operations, without_paths
from tests.appliers.test_kubectl_server import entry

FLUX, OTHER = "kustomize-controller", "scaler"
LIVE: JsonObject = {
    "kind": "Deployment",
    "apiVersion": "apps/v1",
    "metadata": {
        "name": "web",
        "labels": {"app": "web"},
        "managedFields": [
            entry(FLUX, APPLY, {"f:spec": {"f:replicas": {}, "f:paused": {}}}),
            entry("hand", UPDATE, {"f:spec": {"f:paused": {}}}),
            entry(OTHER, APPLY, {"f:spec": {"f:replicas": {}, "f:list": {'k:{"name":"b"}': {"f:size": {}}}}}),
        ],
    },
    "spec": {"replicas": 5, "paused": True, "list": [{"name": "a", "size": 1}, {"name": "b", "size": 2}]},
}


def with_spec(**fields: Json) -> JsonObject:
    return {**LIVE, "spec": {**LIVE["spec"], **fields}}


@pytest.mark.parametrize(
    ("target", "is_selected"),
    [
        ({"kind": "Deploy.*", "group": "apps", "version": "v1"}, True),
        ({"kind": "Deploy"}, False),
        ({"name": "("}, False),
        ({"labelSelector": "app=web"}, True),
        ({"annotationSelector": "a in ("}, False),
        ({}, True),
    ],
)
def test_a_rule_selects_objects(target: JsonObject, is_selected: bool) -> None:
    assert ignored_paths([{"paths": ["/spec/replicas"], "target": target}], LIVE) == ("/spec/replicas",) * is_selected


def test_a_field_is_removed_from_a_copy() -> None:
    assert without_paths(LIVE, ("/spec/list/0", "/none/x", ""))["spec"]["list"] == [{"name": "b", "size": 2}]
    assert len(LIVE["spec"]["list"]) == 2


@pytest.mark.parametrize(
    ("wanted", "path", "operation"),
    [
        (with_spec(replicas=3), "/spec/replicas", {"op": "remove"}),
        (with_spec(paused=False), "/spec/paused", {"op": "replace", "value": True}),
        (with_spec(new=1), "/spec/new", {"op": "replace", "value": None}),
        (with_spec(list=[{"name": "a"}, {"name": "b"}]), "/spec/list/1/size", {"op": "remove"}),
        (with_spec(list=[{"name": "a"}, {"name": "b"}]), "/spec/list/0/size", {"op": "replace", "value": 1}),
        (with_spec(list=[]), "/spec/list/1", {"op": "remove"}),
        (with_spec(list=[1, 2, 3]), "/spec/list/2", {"op": "replace", "value": None}),
        (LIVE, "/spec/replicas", None),
        (LIVE, "/spec/replicas/x", None),
    ],
)
def test_a_drifted_field_keeps_its_live_value(wanted: JsonObject, path: str, operation: JsonObject | None) -> None:
    expected = () if operation is None else ({"path": path, **operation},)

    assert settled_operations(LIVE, wanted, [path, path], FLUX) == expected


def test_removals_come_before_replacements() -> None:
    found = settled_operations(LIVE, with_spec(paused=False, replicas=3), ["/spec/paused", "/spec/replicas"], FLUX)

    assert [one["op"] for one in found] == ["remove", "replace"]
    assert missing_path({"spec": {"replicas": 3}}, found) == "/spec/paused"
    assert missing_path({"spec": {"paused": False}}, found) == ""
