"""Manifests as Flux sends them: normalized by ``normalize.UnstructuredList`` of fluxcd/pkg/ssa 0.77."""

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.flux.normalize import normalize_manifest
from tests.engine.test_set_apply import CRD

SCHEMA = load("1.36", crds=[CRD])


def sent(api_version: str, kind: str, **fields: Json) -> JsonObject:
    manifest = {"apiVersion": api_version, "kind": kind, "metadata": {"name": "web"}, **fields}
    return normalize_manifest(manifest, SCHEMA.kind(api_version, kind))


def test_unknown_and_empty_fields_disappear_and_structs_appear() -> None:
    pod = {"containers": [{"name": "web", "image": "", "surprise": 1, "ports": [{"containerPort": 80}]}]}
    found = sent("apps/v1", "Deployment", spec={"template": {"spec": pod}}, status={"replicas": 1})
    container = found["spec"]["template"]["spec"]["containers"][0]

    assert container == {"name": "web", "ports": [{"containerPort": 80, "protocol": "TCP"}], "resources": {}}
    assert (found["spec"]["strategy"], "status" in found) == ({}, False)
    assert found["metadata"]["creationTimestamp"] is None


def test_ports_of_a_service_get_their_protocol() -> None:
    found = sent("v1", "Service", spec={"ports": [{"port": 80}, {"port": 53, "protocol": "UDP"}]})

    assert [port["protocol"] for port in found["spec"]["ports"]] == ["TCP", "UDP"]


def test_texts_of_a_secret_become_data() -> None:
    found = sent("v1", "Secret", data={"a": "YQ==", "b": "Yg=="}, stringData={"b": "B"})

    assert (found["data"], "stringData" in found) == ({"a": "YQ==", "b": "Qg=="}, False)
    assert sent("v1", "Secret", data={"a": "YQ=="})["data"] == {"a": "YQ=="}


def test_values_of_a_wrong_type_are_sent_unchanged() -> None:
    assert sent("v1", "ConfigMap", data=["a"])["data"] == ["a"]


def test_roles_are_left_alone_and_custom_resources_lose_their_status() -> None:
    role: JsonObject = {"rules": [{"surprise": 1}]}

    assert sent("rbac.authorization.k8s.io/v1", "Role", **role) == {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "web"},
        **role,
    }
    assert sent("example.com/v1", "Widget", spec={"a": {}}, status={"b": 1}) == {
        "apiVersion": "example.com/v1",
        "kind": "Widget",
        "metadata": {"name": "web", "creationTimestamp": None},
        "spec": {"a": {}},
    }
    assert sent("apiextensions.k8s.io/v1", "CustomResourceDefinition", status={"a": 1})["status"] == {"a": 1}
