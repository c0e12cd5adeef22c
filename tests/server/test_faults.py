"""Errors of the server about objects that it cannot read; seen on kube-apiserver 1.36.3, on 2026-11-21."""

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.faults import DecodeError, explain
from tests.server.stored import kind_of

QUANTITY = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
CONTAINER = "Go struct field Container.spec.containers"


def decode_error(obj: Json, *, creating: bool) -> DecodeError:
    with pytest.raises(DecodeError) as caught:
        decode(obj, kind_of(obj), creating=creating)
    return caught.value


def pod(**container: Json) -> Json:
    return {"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [{"name": "c", **container}]}}


FAULTS = [
    pytest.param(
        pod(tty="yes"),
        f"json: cannot unmarshal string into {CONTAINER}.tty of type bool",
        "unrecognized type: bool",
        id="text for a boolean",
    ),
    pytest.param(
        pod(image=5),
        f"json: cannot unmarshal number into {CONTAINER}.image of type string",
        "cannot convert int64 to string",
        id="number for a text",
    ),
    pytest.param(
        pod(image=1.5),
        f"json: cannot unmarshal number into {CONTAINER}.image of type string",
        "unrecognized type: string",
        id="fraction for a text",
    ),
    pytest.param(
        pod(ports=[{"containerPort": 1.5}]),
        "json: cannot unmarshal number 1.5 into Go struct field ContainerPort.spec.containers.ports.containerPort "
        "of type int32",
        "cannot convert float64 to int32",
        id="fraction for an integer",
    ),
    pytest.param(
        pod(args="a"),
        f"json: cannot unmarshal string into {CONTAINER}.args of type []string",
        "cannot restore slice from string",
        id="text for a list",
    ),
    pytest.param(
        pod(env=["a"]),
        f"json: cannot unmarshal string into {CONTAINER}.env of type v1.EnvVar",
        "cannot restore struct from: string",
        id="text for a struct in a list",
    ),
    pytest.param(
        {"apiVersion": "v1", "kind": "ConfigMap", "data": [1]},
        "json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string",
        "cannot restore map from slice",
        id="list for a map",
    ),
    pytest.param(
        {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": True}},
        "json: cannot unmarshal bool into Go struct field ConfigMap.data of type string",
        "unrecognized type: string",
        id="boolean in a map",
    ),
    pytest.param(pod(resources={"limits": {"cpu": "x"}}), QUANTITY, QUANTITY, id="amount"),
    pytest.param(
        {"apiVersion": "v1", "kind": "Secret", "data": {"a": "new"}},
        "illegal base64 data at input byte 0",
        "error decoding from json: illegal base64 data at input byte 0",
        id="bytes",
    ),
    pytest.param(
        {"apiVersion": "v1", "kind": "Service", "spec": {"ports": [{"targetPort": True}]}},
        "json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32",
        "json: cannot unmarshal bool into Go value of type int32",
        id="neither number nor text",
    ),
    pytest.param(
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "spec": {"renewTime": 5}},
        "json: cannot unmarshal number into Go struct field LeaseSpec.spec.renewTime of type string",
        "json: cannot unmarshal number into Go value of type string",
        id="number for a time",
    ),
    pytest.param(
        pod(imagepullpolicy="Always"),
        'strict decoding error: unknown field "spec.containers[0].imagepullpolicy"',
        'strict decoding error: unknown field "spec.containers[0].imagepullpolicy"',
        id="wrong case",
    ),
]
"""An object, the error of a POST of it, and the error of a patch that leads to it."""


@pytest.mark.parametrize(("obj", "created", "patched"), FAULTS)
def test_a_fault_has_the_message_of_the_server(obj: Json, created: str, patched: str) -> None:
    post, patch = decode_error(obj, creating=True), decode_error(obj, creating=False)
    prefix = f'{obj["kind"]} in version "v1" cannot be handled as a {obj["kind"]}: '

    assert (post.status, post.reason, post.field, post.message) == (400, "BadRequest", "", prefix + created)
    assert (patch.status, patch.reason, patch.field, patch.message) == (422, "FieldValueInvalid", "patch", patched)


@pytest.mark.parametrize("free", [None, Unknown("only the server knows")], ids=["null", "unknown"])
def test_null_and_unknown_values_are_no_faults(free: Json) -> None:
    obj = {"apiVersion": "apps/v1", "kind": "ControllerRevision", "data": [1], "metadata": {"name": free}, "zzz": 1}

    assert decode_error(obj, creating=False).message == 'strict decoding error: unknown field "zzz"'


def test_an_error_hides_unknown_fields() -> None:
    assert "unknown" not in decode_error(pod(zzz=1, tty=5), creating=True).message


def test_an_error_that_stops_a_post_is_the_last_one() -> None:
    message = decode_error(pod(args=5, resources={"limits": {"cpu": "x"}}), creating=True).message

    assert message.endswith(QUANTITY)


def test_unknown_fields_come_in_the_order_of_the_body_or_sorted() -> None:
    obj = {**pod(zzz=1), "a": 1, "spec": {"containers": [{"x": 1}], "b": 1}}

    assert decode_error(obj, creating=True).message.endswith(
        'strict decoding error: unknown field "a", unknown field "spec.b", unknown field "spec.containers[0].x"'
    )
    assert decode_error(
        {"apiVersion": "v1", "kind": "Pod", "spec": {"b": 1}, "zz": {}, "a": 1}, creating=False
    ).message == ('strict decoding error: unknown field "a", unknown field "spec.b", unknown field "zz"')


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        pytest.param({"additionalProperties": 5}, "boolean or JSON schema expected", id="neither"),
        pytest.param(
            {"not": {"items": {"type": 5}}},
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema"
            ".not.items.type of type string",
            id="inside",
        ),
        pytest.param(
            {"additionalProperties": True, "items": {}, "dependencies": {"a": ["b", 5]}},
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema"
            ".dependencies of type string",
            id="dependency",
        ),
        pytest.param(
            {"dependencies": 5},
            "json: cannot unmarshal number into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema"
            ".dependencies of type map[string]interface {}",
            id="no map of dependencies",
        ),
        pytest.param(
            {"items": [{"required": "a"}]},
            "json: cannot unmarshal string into Go struct field JSONSchemaProps.spec.versions.schema.openAPIV3Schema"
            ".items.required of type []string",
            id="list of items",
        ),
        pytest.param(
            {"properties": {"a": {"zzz": 1}}},
            'strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema.properties.a.zzz"',
            id="unknown field below a key",
        ),
    ],
)
def test_schemas_are_read_by_a_parser_of_their_own(schema: Json, message: str) -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"versions": [{"schema": {"openAPIV3Schema": schema}}]},
    }

    assert decode_error(crd, creating=True).message.endswith(": " + message)


def test_a_patch_leaves_the_keys_of_maps_out_of_paths() -> None:
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"versions": [{"schema": {"openAPIV3Schema": {"properties": {"a": {"zzz": 1}}}}}]},
    }

    assert decode_error(crd, creating=False).message == (
        'strict decoding error: unknown field "spec.versions[0].schema.openAPIV3Schema.properties.zzz"'
    )


def test_one_struct_is_explained_on_its_own() -> None:
    metadata = kind_of(pod()).root.fields["metadata"]

    assert explain({"zzz": 1, "labels": {}}, metadata, "metadata").unknown == ("metadata.zzz",)
    assert explain({"labels": 5}, metadata, "metadata").error == (
        "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type map[string]string"
    )
