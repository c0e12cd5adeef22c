"""The complaints are kubectl 1.36.3's own."""

import pytest

from kubectl_applylint.appliers.object_meta import fault, json_type
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json

IN_META = "into Go struct field ObjectMeta.metadata"
RFC3339 = '"2006-01-02T15:04:05Z07:00"'


@pytest.mark.parametrize(
    "metadata",
    [
        None,
        {},
        {"name": "a", "labels": {"a": "b", "c": None}, "annotations": None, "finalizers": ["a", None]},
        {"uid": Unknown("the server draws it"), "labels": {"a": Unknown("copied from somewhere")}},
        {"generation": 1, "creationTimestamp": "2020-01-01T1:00:00.5+01:00", "deletionTimestamp": None},
        {"ownerReferences": [{"name": "x", "controller": True, "unknown": 5}, None]},
        {"managedFields": [{"manager": "m", "fieldsV1": 5, "time": "2020-01-01T00:00:00Z"}]},
        {"unknown": 5, "Name": 5, "clusterName": 5},
    ],
    ids=str,
)
def test_metadata_that_decodes(metadata: Json) -> None:
    assert fault({"metadata": metadata}) is None


@pytest.mark.parametrize(
    ("metadata", "path", "message"),
    [
        (
            5,
            "metadata",
            "json: cannot unmarshal number into Go struct field metadataOnlyObject.metadata of type v1.ObjectMeta",
        ),
        ({"name": 5}, "metadata.name", f"json: cannot unmarshal number {IN_META}.name of type string"),
        ({"uid": True}, "metadata.uid", f"json: cannot unmarshal bool {IN_META}.uid of type types.UID"),
        (
            {"labels": {"a": "b", "c": 1}},
            "metadata.labels.c",
            f"json: cannot unmarshal number {IN_META}.labels of type string",
        ),
        (
            {"annotations": ["a"]},
            "metadata.annotations",
            f"json: cannot unmarshal array {IN_META}.annotations of type map[string]string",
        ),
        (
            {"finalizers": ["a", {}]},
            "metadata.finalizers[1]",
            f"json: cannot unmarshal object {IN_META}.finalizers of type string",
        ),
        (
            {"finalizers": "a"},
            "metadata.finalizers",
            f"json: cannot unmarshal string {IN_META}.finalizers of type []string",
        ),
        (
            {"generation": 1.5},
            "metadata.generation",
            f"json: cannot unmarshal number 1.5 {IN_META}.generation of type int64",
        ),
        (
            {"generation": 1e20},
            "metadata.generation",
            f"json: cannot unmarshal number 100000000000000000000 {IN_META}.generation of type int64",
        ),
        (
            {"ownerReferences": [{}, {"name": 5}]},
            "metadata.ownerReferences[1].name",
            "json: cannot unmarshal number into Go struct field OwnerReference.metadata.ownerReferences.name"
            " of type string",
        ),
        (
            {"ownerReferences": ["x"]},
            "metadata.ownerReferences[0]",
            f"json: cannot unmarshal string {IN_META}.ownerReferences of type v1.OwnerReference",
        ),
        (
            {"managedFields": [{"operation": 5}]},
            "metadata.managedFields[0].operation",
            "json: cannot unmarshal number into Go struct field ManagedFieldsEntry.metadata.managedFields.operation"
            " of type v1.ManagedFieldsOperationType",
        ),
        (
            {"creationTimestamp": 5},
            "metadata.creationTimestamp",
            f"json: cannot unmarshal number {IN_META}.creationTimestamp of type string",
        ),
        (
            {"name": 5, "labels": {"a": 1}},
            "metadata.labels.a",
            f"json: cannot unmarshal number {IN_META}.labels of type string",
        ),
    ],
    ids=lambda value: str(value)[:50],
)
def test_metadata_that_does_not(metadata: Json, path: str, message: str) -> None:
    found = fault({"metadata": metadata})

    assert found is not None
    assert (render(found.path), found.message) == (path, message)


@pytest.mark.parametrize(
    ("time", "complaint"),
    [
        ("", f' as {RFC3339}: cannot parse "" as "2006"'),
        ("x", f' as {RFC3339}: cannot parse "x" as "2006"'),
        ("2020-01-01", f' as {RFC3339}: cannot parse "" as "T"'),
        ("2020-1-01T00:00:00Z", f' as {RFC3339}: cannot parse "1-01T00:00:00Z" as "01"'),
        ("2020-01-01T00:00:00", f' as {RFC3339}: cannot parse "" as "Z07:00"'),
        ("2020-01-01T00:00:00Zx", ': extra text: "x"'),
        ("2020-13-01T00:00:00Z", ": month out of range"),
        ("2020-02-30T00:00:00Z", ": day out of range"),
        ("2020-02-03T25:00:00Z", ": hour out of range"),
    ],
)
def test_times(time: str, complaint: str) -> None:
    found = fault({"metadata": {"creationTimestamp": time}})

    assert found is not None
    assert found.message == f'parsing time "{time}"{complaint}'


@pytest.mark.parametrize(
    ("value", "name"), [("", "string"), (True, "bool"), (1, "number"), (1.5, "number"), ([], "array"), ({}, "object")]
)
def test_json_types(value: Json, name: str) -> None:
    assert json_type(value) == name
