"""Typed decoding: converted values and rejected ones.

Outcomes were seen on kube-apiserver 1.36.3, the refusals by way of dry runs on 2026-11-21.
"""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, dig, equal
from kubectl_applylint.server.decode import decode
from tests.server.stored import kind_of

POD = {"apiVersion": "v1", "kind": "Pod"}


def decoded_object(obj: Json, *, creating: bool = True) -> Json:
    return decode(obj, kind_of(obj), creating=creating)


def pod_with(**container: Json) -> Json:
    return {**POD, "metadata": {"name": "a"}, "spec": {"containers": [{"name": "c", **container}]}}


@pytest.mark.parametrize(
    ("content", "left"),
    [
        pytest.param({"args": []}, {}, id="empty list"),
        pytest.param({"resources": {"limits": {}}}, {}, id="empty map in an empty struct"),
        pytest.param({"image": ""}, {}, id="empty text"),
        pytest.param({"tty": False}, {}, id="false"),
        pytest.param({"securityContext": {}}, {"securityContext": {}}, id="empty struct behind a pointer"),
        pytest.param(
            {"securityContext": {"runAsUser": 0, "privileged": False}},
            {"securityContext": {"runAsUser": 0, "privileged": False}},
            id="zero behind a pointer",
        ),
        pytest.param({"env": None, "command": ["a"]}, {"command": ["a"]}, id="null"),
        pytest.param({"args": [None, "a"]}, {"args": ["", "a"]}, id="null in a list of texts"),
        pytest.param({"env": [None]}, {"env": [{}]}, id="null in a list of structs"),
        pytest.param({"env": [{"name": "A", "value": ""}]}, {"env": [{"name": "A"}]}, id="empty value in a list"),
        pytest.param(
            {"resources": {"requests": {"cpu": 0.5, "memory": None}}},
            {"resources": {"requests": {"cpu": "500m", "memory": "0"}}},
            id="amounts",
        ),
        pytest.param(
            {"readinessProbe": {"httpGet": {"port": "80"}, "periodSeconds": 0}},
            {"readinessProbe": {"httpGet": {"port": "80"}}},
            id="port as a text",
        ),
    ],
)
@pytest.mark.parametrize("creating", [True, False], ids=["POST", "PATCH"])
def test_zero_values_go_unless_they_differ_from_absent(content: Json, left: Json, creating: bool) -> None:
    containers = dig(decoded_object(pod_with(**content), creating=creating), "spec", "containers")

    assert equal(containers, [{"name": "c", **left}])


@pytest.mark.parametrize(
    ("obj", "left"),
    [
        pytest.param(
            {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "", "b": None}, "immutable": False},
            {"data": {"a": "", "b": ""}, "immutable": False},
            id="map entries stay",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Secret", "data": {"a": "YQ==\n", "b": [104, 105]}},
            {"data": {"a": "YQ==", "b": "aGk="}},
            id="bytes",
        ),
        pytest.param(
            {"apiVersion": "apps/v1", "kind": "ControllerRevision", "data": {"x": None, "y": []}},
            {"data": {"x": None, "y": []}},
            id="free values are left alone",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": []}},
            {},
            id="a struct of empty fields",
        ),
        pytest.param(
            {"apiVersion": "v1", "kind": "Event", "eventTime": "2026-01-01T01:00:00.000001+01:00"},
            {"eventTime": "2026-01-01T00:00:00.000001Z"},
            id="time to the microsecond",
        ),
    ],
)
def test_values_of_each_type_take_their_stored_form(obj: Json, left: Json) -> None:
    kept = {key: value for key, value in decoded_object(obj).items() if key not in ("apiVersion", "kind")}

    assert equal(kept, left)


@pytest.mark.parametrize(
    ("schema", "left"),
    [
        pytest.param({"items": {"type": "object", "x": 1}}, {"items": {"type": "object"}}, id="items"),
        pytest.param({"items": [{"type": "string"}]}, {"items": [{"type": "string"}]}, id="list of items"),
        pytest.param({"items": 5}, {"items": None}, id="items that are neither"),
        pytest.param({"additionalProperties": False}, {"additionalProperties": False}, id="additional properties"),
        pytest.param(
            {"additionalProperties": {"maximum": 1.0}}, {"additionalProperties": {"maximum": 1}}, id="number inside"
        ),
        pytest.param(
            {"dependencies": {"a": ["b"], "c": {}}}, {"dependencies": {"a": ["b"], "c": {}}}, id="dependencies"
        ),
        pytest.param(
            {"default": {"a": None}, "enum": [None, 1]}, {"default": {"a": None}, "enum": [None, 1]}, id="raw"
        ),
    ],
)
def test_schemas_hold_schemas_or_something_else(schema: Json, left: Json) -> None:
    """Inside of such fields the server does not search for unknown ones: it drops them silently."""
    validation = {"schema": {"openAPIV3Schema": {"properties": {"a": schema}}}}
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"versions": [validation]},
    }
    versions = dig(decoded_object(crd), "spec", "versions")

    assert equal(versions, [{"schema": {"openAPIV3Schema": {"properties": {"a": left}}}}])


@pytest.mark.parametrize("data", [0, "", False, [], {}], ids=repr)
def test_raw_json_may_be_empty(data: Json) -> None:
    revision = {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": {"name": "r"}, "revision": 1}

    assert equal(decoded_object({**revision, "data": data}), {**revision, "data": data})


def test_unknown_values_are_decoded() -> None:
    unknown = Unknown("the server chooses it")
    service = {"apiVersion": "v1", "kind": "Service", "spec": {"clusterIP": unknown, "clusterIPs": [unknown]}}

    assert decoded_object(service)["spec"] == service["spec"]


def test_unchanged_texts_are_shared() -> None:
    pod: Json = {**POD, "metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "args": ["x"]}]}}
    tree = decoded_object(pod)

    assert tree["metadata"]["labels"] is pod["metadata"]["labels"]
    assert tree["spec"]["containers"][0]["args"] is pod["spec"]["containers"][0]["args"]
