"""Writes to the status, as the strategies of pkg/registry of Kubernetes 1.36 store them."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.status import doubts, prepare, reset_fields


def kind(api_version: str, name: str) -> Kind:
    found = load("1.36").kind(api_version, name)
    assert found is not None
    return found


DEPLOYMENT = kind("apps/v1", "Deployment")
CUSTOM = replace(DEPLOYMENT, definition={"kind": "CustomResourceDefinition"})
WHOLE: JsonObject = {"f:metadata": {}, "f:spec": {}}
METADATA: JsonObject = {"name": "x", "uid": "u", "generation": 2, "labels": {"a": "b"}}
OLD: JsonObject = {"metadata": METADATA, "spec": {"replicas": 2}, "status": {"replicas": 1}}


@pytest.mark.parametrize(
    ("of", "fields"),
    [
        pytest.param(kind("apps/v1", "StatefulSet"), {"f:spec": {}}, id="as usual"),
        pytest.param(kind("resource.k8s.io/v1", "ResourceClaim"), WHOLE, id="metadata too"),
        pytest.param(CUSTOM, WHOLE, id="a custom resource"),
        pytest.param(DEPLOYMENT, {"f:metadata": {"f:labels": {}}, "f:spec": {}}, id="of its own"),
        pytest.param(
            kind("certificates.k8s.io/v1", "CertificateSigningRequest"),
            {"f:spec": {}, "f:status": {"f:conditions": {}}},
            id="approval is another subresource",
        ),
    ],
)
def test_writers_of_the_status_do_not_own_reset_fields(of: Kind, fields: Json) -> None:
    assert reset_fields(of).to_json() == fields


def test_a_status_is_stored_and_the_spec_stays() -> None:
    new = {**OLD, "spec": {"replicas": 9}, "status": {"replicas": 2}}

    assert prepare(new, OLD, DEPLOYMENT, "1.36") == {**OLD, "status": {"replicas": 2}}
    assert prepare({**OLD, "spec": {}}, {"metadata": METADATA}, DEPLOYMENT, "1.36").keys() == {"metadata", "status"}


@pytest.mark.parametrize(
    ("of", "labels"),
    [
        pytest.param(DEPLOYMENT, {"a": "b"}, id="labels of a Deployment stay"),
        pytest.param(kind("apps/v1", "StatefulSet"), {"a": "c"}, id="those of a StatefulSet change"),
        pytest.param(kind("resource.k8s.io/v1", "ResourceClaim"), {"a": "b"}, id="those of a ResourceClaim stay"),
    ],
)
def test_a_write_to_the_status_changes_labels_of_some_kinds(of: Kind, labels: JsonObject) -> None:
    new = {**OLD, "metadata": {**METADATA, "generation": 7, "labels": {"a": "c"}}}
    stored = prepare(new, OLD, of, "1.36")["metadata"]

    assert (stored["labels"], stored["generation"], stored["uid"]) == (labels, 2, "u")


def test_metadata_that_was_not_there_is_not_added() -> None:
    bare = {"metadata": {"name": "x"}, "spec": {}}
    new = {"metadata": {"name": "x", "generation": 5, "labels": {"a": "b"}}, "spec": {}, "status": {}}

    assert prepare(new, bare, DEPLOYMENT, "1.36") == {"metadata": {"name": "x"}, "spec": {}, "status": {}}


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        pytest.param({"status": {"a": 1}}, {"status": {"a": 1}}, id="changed"),
        pytest.param({"status": None}, {"status": None}, id="null"),
        pytest.param({}, {}, id="removed"),
    ],
)
def test_only_the_status_of_a_custom_resource_is_stored(written: JsonObject, stored: JsonObject) -> None:
    new = {"metadata": {"name": "x", "labels": {"a": "c"}}, "spec": {"replicas": 9}, **written}

    assert prepare(new, OLD, CUSTOM, "1.36") == {"metadata": METADATA, "spec": {"replicas": 2}, **stored}


def test_the_servers_own_validation_is_left_open() -> None:
    assert "status of a Deployment are not predicted" in doubts(DEPLOYMENT)[0]
