"""Custom resources; every outcome was seen on kube-apiserver 1.36.3, on 2026-11-21."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.schema.crd import OPENED
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.custom import apply_defaults, convert, decode, through_storage
from kubectl_applylint.server.faults import DecodeError

FREE = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


def struct(**properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def kinds_with(**versions: Json) -> Mapping[str, Kind]:
    """Return a kind by version; each version is the schema of its spec, the last one is stored."""
    crd = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "names": {"plural": "gizmos", "kind": "Gizmo"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": name,
                    "served": True,
                    "storage": name == list(versions)[-1],
                    "schema": {"openAPIV3Schema": struct(spec=spec)},
                }
                for name, spec in versions.items()
            ],
        },
    }
    kinds = {name: load("1.36", crds=[crd]).kind(f"example.com/{name}", "Gizmo") for name in versions}
    return {name: kind for name, kind in kinds.items() if kind is not None}


def kind_with(spec: Json) -> Kind:
    return kinds_with(v1=spec)["v1"]


def stored_spec(spec: Json, kind: Kind) -> Json:
    obj = {"apiVersion": kind.api_version, "kind": "Gizmo", "metadata": {"name": "a"}, "spec": spec}
    return apply_defaults(decode(obj, kind, creating=True), kind).get("spec")


@pytest.mark.parametrize(
    ("schema", "spec", "written"),
    [
        pytest.param(struct(a={**NUMBER, "default": 3}), {}, {"a": 3}, id="default"),
        pytest.param(struct(a={**NUMBER, "default": 3}), {"a": None}, {"a": 3}, id="null that becomes the default"),
        pytest.param(
            struct(a={**TEXT, "nullable": True, "default": "x"}), {"a": None}, {"a": None}, id="null that is a value"
        ),
        pytest.param(struct(a=TEXT), {"a": None}, {}, id="null that goes"),
        pytest.param(struct(a=FREE), {"a": {"b": None}}, {"a": {"b": None}}, id="null in a free map"),
        pytest.param(
            struct(a={**struct(b={**NUMBER, "default": 1}), "default": {}}), {}, {"a": {"b": 1}}, id="nested default"
        ),
        pytest.param(struct(a=struct(b={**NUMBER, "default": 1})), {}, {}, id="default in an absent object"),
        pytest.param(
            struct(a={"type": "array", "items": struct(b={**NUMBER, "default": 7})}),
            {"a": [{}, {"b": 1}]},
            {"a": [{"b": 7}, {"b": 1}]},
            id="default in a list",
        ),
        pytest.param(
            struct(a={"type": "array", "items": {**TEXT, "default": "x"}}),
            {"a": [None, "y"]},
            {"a": ["x", "y"]},
            id="null in a list",
        ),
        pytest.param(struct(a={"type": "array", "items": TEXT}), {"a": [None]}, {"a": [None]}, id="null stays listed"),
        pytest.param(
            struct(a={"type": "object", "additionalProperties": struct(b={**TEXT, "default": "z"})}),
            {"a": {"k": {}}},
            {"a": {"k": {"b": "z"}}},
            id="default in a map",
        ),
        pytest.param(
            struct(a={"type": "object", "additionalProperties": TEXT}),
            {"a": {"k": None}},
            {"a": {}},
            id="null in a map",
        ),
        pytest.param(
            struct(a={"type": "object", "additionalProperties": True}),
            {"a": {"k": [1]}},
            {"a": {"k": [1]}},
            id="any map",
        ),
        pytest.param(
            struct(a={**FREE, "properties": {"b": struct(c={**TEXT, "default": "d"})}}),
            {"a": {"b": {}, "x": {"y": [1]}}},
            {"a": {"b": {"c": "d"}, "x": {"y": [1]}}},
            id="known field in a free map",
        ),
        pytest.param(
            struct(a={"type": "array", "x-kubernetes-preserve-unknown-fields": True, "items": struct(b=TEXT)}),
            {"a": [{"b": "c", "x": 1}]},
            {"a": [{"b": "c", "x": 1}]},
            id="free list",
        ),
        pytest.param(
            struct(a={"type": "array", "x-kubernetes-preserve-unknown-fields": True}),
            {"a": [{"b": {"c": 1}}]},
            {"a": [{"b": {"c": 1}}]},
            id="free list without items",
        ),
        pytest.param(struct(a={"x-kubernetes-int-or-string": True}), {"a": "5"}, {"a": "5"}, id="int or string"),
        pytest.param(struct(a=TEXT), {"a": 5}, {"a": 5}, id="a wrong type is for validation to find"),
        pytest.param(struct(a=struct()), {"a": {}}, {"a": {}}, id="empty objects stay"),
    ],
)
def test_the_schema_decides_about_nulls_and_defaults(schema: Json, spec: Json, written: Json) -> None:
    assert equal(stored_spec(spec, kind_with(schema)), written)


EMBEDDED = {**struct(spec=struct(x={**NUMBER, "default": 1})), "x-kubernetes-embedded-resource": True}


@pytest.mark.parametrize(
    ("value", "written"),
    [
        pytest.param(
            {"metadata": {"creationTimestamp": None, "labels": {}}, "spec": {}},
            {"metadata": {}, "spec": {"x": 1}},
            id="metadata",
        ),
        pytest.param({"metadata": None}, {"metadata": {}}, id="no metadata"),
        pytest.param({"apiVersion": "v1", "kind": "X"}, {"apiVersion": "v1", "kind": "X"}, id="type"),
    ],
)
def test_embedded_objects_have_metadata_of_their_own(value: Json, written: Json) -> None:
    assert equal(stored_spec({"t": value}, kind_with(struct(t=EMBEDDED))), {"t": written})


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        pytest.param({"z": 1, "b": {"z": 2}}, 'unknown field "spec.b.z", unknown field "spec.z"', id="sorted"),
        pytest.param({"l": [{"a": 1}, {"z": 1}]}, 'unknown field "spec.l[1].z"', id="in a list"),
        pytest.param({"m": {"k": {"z": 1}}}, 'unknown field "spec.m.k.z"', id="in a map"),
        pytest.param({"s": {"z": 1}}, 'unknown field "spec.s.z"', id="object for a text"),
        pytest.param({"any": {"k": {"z": 1}}}, 'unknown field "spec.any.k.z"', id="object in a map of anything"),
        pytest.param({"s": [{"z": 1}]}, 'unknown field "spec.s[0].z"', id="list for a text"),
        pytest.param({"f": {"known": {"z": 1}}}, 'unknown field "spec.f.known.z"', id="known field of a free map"),
        pytest.param({"t": {"metadata": {"z": 1}}}, 'unknown field "spec.t.metadata.z"', id="embedded metadata"),
    ],
)
def test_unknown_fields_are_rejected(spec: Json, message: str) -> None:
    schema = struct(
        s=TEXT,
        b=struct(),
        l={"type": "array", "items": struct(a=NUMBER)},
        m={"type": "object", "additionalProperties": struct(a=NUMBER)},
        any={"type": "object", "additionalProperties": True},
        f={**FREE, "properties": {"known": struct(a=TEXT)}},
        t=EMBEDDED,
    )
    kind, obj = kind_with(schema), {"metadata": {"name": "a"}, "spec": spec}
    with pytest.raises(DecodeError) as post:
        decode(obj, kind, creating=True)
    with pytest.raises(DecodeError) as patch:
        decode(obj, kind, creating=False)

    assert (post.value.status, post.value.message) == (
        400,
        f'Gizmo in version "v1" cannot be handled as a Gizmo: strict decoding error: {message}',
    )
    assert (patch.value.status, patch.value.field) == (422, "patch")
    assert patch.value.message == f"strict decoding error: {message}"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(
            {"metadata": {"labels": {"a": 5}}},
            "json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string",
            id="label",
        ),
        pytest.param(
            {"metadata": []}, "json: cannot unmarshal array into Go value of type v1.ObjectMeta", id="no metadata"
        ),
        pytest.param(
            {"spec": {"t": {"metadata": {"name": 1}}}},
            'spec.t.metadata: Invalid value: {"name":1}: json: cannot unmarshal number into Go struct field '
            "ObjectMeta.name of type string",
            id="embedded metadata",
        ),
        pytest.param(
            {"spec": {"t": {"kind": None}}}, "spec.t.kind: Invalid value: null: must be a string", id="embedded type"
        ),
    ],
)
def test_metadata_have_to_be_of_their_types(content: Json, message: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(content, kind_with(struct(t=EMBEDDED)), creating=False)

    assert caught.value.message == message


def test_fields_missing_in_the_stored_version_are_lost() -> None:
    kinds = kinds_with(v1=struct(a=TEXT, b={**TEXT, "default": "one"}), v2=struct(a={**TEXT, "default": "two"}))
    obj = {"spec": {"b": "x", "metadata": {"z": 1}}, "metadata": {"name": "n"}}

    assert through_storage(obj, kinds["v1"]) == {"spec": {"a": "two"}, "metadata": {"name": "n"}}
    assert through_storage(obj, kinds["v2"]) is obj


def test_a_free_stored_version_keeps_what_the_asked_one_knows() -> None:
    kinds = kinds_with(v1=struct(a=TEXT, l={"type": "array", "items": struct(b=TEXT)}), v2=FREE)
    obj = {"spec": {"a": "x", "l": [{"b": "y"}]}}

    assert through_storage(obj, kinds["v1"]) == obj


def test_a_stored_object_is_read_in_another_version() -> None:
    kinds = kinds_with(v1=struct(a=TEXT, b=TEXT), v2=struct(a=TEXT, c={**TEXT, "default": "two"}))
    schema = load("1.36", crds=[kinds["v1"].definition])
    obj = {"apiVersion": "example.com/v1", "kind": "Gizmo", "spec": {"a": "x", "b": "y"}}
    newer = {"apiVersion": "example.com/v2", "kind": "Gizmo", "spec": {"a": "x", "c": "two"}}

    assert convert(obj, ("example.com/v2", "Gizmo"), schema) == newer
    assert convert(newer, ("example.com/v1", "Gizmo"), schema) == {**obj, "spec": {"a": "x"}}
    assert convert(obj, ("example.com/v3", "Gizmo"), schema) == {**obj, "apiVersion": "example.com/v3"}
    assert convert({**obj, "kind": "Deployment"}, ("apps/v1", "Deployment"), schema) is None
    assert convert({**obj, "kind": "Deployment"}, ("apps/v1beta1", "Deployment"), schema) is None


def test_conversion_loses_only_fields_that_one_version_declares_if_others_are_possible() -> None:
    opened = {"x-kubernetes-preserve-unknown-fields": True, OPENED: True}
    kinds = kinds_with(
        v1={**struct(a=TEXT, l={"type": "array", "items": {**struct(b=TEXT), **opened}}), **opened},
        v2={
            **struct(c={**TEXT, "default": "two"}, l={"type": "array", "items": {**struct(d=TEXT), **opened}}),
            **opened,
        },
    )
    obj = {"spec": {"a": "x", "newer": 1, "l": [{"b": "y", "newer": 2}]}}

    assert through_storage(obj, kinds["v1"]) == {"spec": {"newer": 1, "l": [{"newer": 2}]}}


@pytest.mark.parametrize("versions", [None, [], [{"name": "v1", "storage": True}, {"name": "v2", "storage": True}]])
def test_a_definition_that_does_not_say_how_objects_are_stored_loses_nothing(versions: Json) -> None:
    kind = kind_with(struct())
    broken = Kind(
        kind.api_version,
        kind.name,
        root=kind.root,
        resource="gizmos",
        namespaced=True,
        strategic=False,
        definition={"spec": {"versions": versions}},
    )
    obj = {"spec": {"zzz": 1}}

    assert through_storage(obj, broken) is obj
