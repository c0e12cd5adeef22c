"""Fields that creates and updates may not set, and fields that are kept or filled in, as seen on Kubernetes 1.36.3."""

from dataclasses import replace
from typing import Any

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.update import prepare

BORN = {"uid": "u", "creationTimestamp": "2026-01-01T00:00:00Z", "resourceVersion": "7"}


def kind_of(api_version: str, name: str, version: str = "1.36") -> Kind:
    kind = load(version).kind(api_version, name)
    assert kind is not None
    return kind


def prepared_object(api_version: str, name: str, new: JsonObject, old: JsonObject | None = None) -> Any:
    return prepare(new, old, kind_of(api_version, name), "1.36")


def test_a_new_object_brings_no_system_metadata() -> None:
    written = {
        "name": "n",
        "labels": {"a": "b"},
        **BORN,
        "selfLink": "/x",
        "deletionTimestamp": "t",
        "managedFields": [],
    }

    assert prepared_object("v1", "ConfigMap", {"metadata": written}) == {
        "metadata": {"name": "n", "labels": {"a": "b"}}
    }


@pytest.mark.parametrize(
    ("before", "written", "after"),
    [
        pytest.param(BORN, {}, BORN, id="nothing written"),
        pytest.param(BORN, {"creationTimestamp": "2020-01-01T00:00:00Z"}, BORN, id="another birth"),
        pytest.param(BORN, {"uid": "other"}, {**BORN, "uid": "other"}, id="another uid, which is refused later"),
        pytest.param(
            {**BORN, "deletionTimestamp": "t", "deletionGracePeriodSeconds": 30},
            {},
            {**BORN, "deletionTimestamp": "t", "deletionGracePeriodSeconds": 30},
            id="being deleted",
        ),
    ],
)
def test_an_update_keeps_system_metadata(before: JsonObject, written: JsonObject, after: JsonObject) -> None:
    assert prepared_object("v1", "ConfigMap", {"metadata": written}, {"metadata": before}) == {"metadata": after}


@pytest.mark.parametrize(
    ("api_version", "kind", "old", "after"),
    [
        pytest.param("apps/v1", "Deployment", None, None, id="a new object has none"),
        pytest.param("apps/v1", "Deployment", {"status": {"replicas": 1}}, {"replicas": 1}, id="the stored one stays"),
        pytest.param("apps/v1", "Deployment", {}, None, id="none stays none"),
        pytest.param("v1", "Node", None, {"written": True}, id="a new node reports its own"),
        pytest.param("v1", "ConfigMap", None, {"written": True}, id="a kind without status"),
    ],
)
def test_only_controllers_write_a_status(
    api_version: str, kind: str, old: JsonObject | None, after: JsonObject | None
) -> None:
    assert prepared_object(api_version, kind, {"status": {"written": True}}, old).get("status") == after


@pytest.mark.parametrize(
    ("old_type", "new_type", "after"),
    [
        pytest.param("LoadBalancer", "ClusterIP", {}, id="the balancer goes"),
        pytest.param("LoadBalancer", "LoadBalancer", {"ingress": [{"ip": "192.0.2.1"}]}, id="the balancer stays"),
    ],
)
def test_the_status_of_a_service(old_type: str, new_type: str, after: JsonObject) -> None:
    old = {"spec": {"type": old_type}, "status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}}

    assert prepared_object("v1", "Service", {"spec": {"type": new_type}}, old)["status"] == {"loadBalancer": after}


def test_a_custom_resource_keeps_what_it_says() -> None:
    kind = replace(
        kind_of("v1", "Secret"), definition={"kind": "CustomResourceDefinition"}, api_version="example.com/v1"
    )

    assert prepare({"spec": {}}, None, kind, "1.36") == {"spec": {}, "metadata": {"generation": 1}}


def test_a_new_service_has_both_spellings_of_its_address() -> None:
    spec = prepared_object("v1", "Service", {"spec": {"clusterIP": "None"}})["spec"]

    assert spec == {"clusterIP": "None", "clusterIPs": ["None"]}
