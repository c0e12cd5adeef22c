import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.validate import validate_metadata
from kubectl_applylint.server.validate.metadata import ANNOTATIONS_LIMIT
from tests.server.validate.objects import a, fields, messages

OWNER = {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u"}


def config(**metadata: Json) -> JsonObject:
    return a("v1", "ConfigMap", metadata=metadata)


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        pytest.param({}, [], id="nothing"),
        pytest.param({"name": "A"}, ["metadata.name"], id="name"),
        pytest.param({"name": "a/b"}, ["metadata.name"], id="slash"),
        pytest.param({"name": "", "generateName": "a-"}, ["metadata.name"], id="no name was made"),
        pytest.param({"generateName": "Ab-"}, ["metadata.generateName"], id="beginning of a name"),
        pytest.param({"labels": {"a b": "x", "c": "y z"}}, ["metadata.labels"] * 2, id="labels"),
        pytest.param({"annotations": {"A": "x", "b c": ""}}, ["metadata.annotations"], id="annotations"),
        pytest.param({"annotations": {"a": "x" * ANNOTATIONS_LIMIT}}, ["metadata.annotations"], id="long annotations"),
        pytest.param({"ownerReferences": [OWNER]}, [], id="owner"),
        pytest.param({"ownerReferences": [{**OWNER, "name": ""}]}, ["metadata.ownerReferences.name"], id="no name"),
        pytest.param({"ownerReferences": [{**OWNER, "kind": "Event"}]}, ["metadata.ownerReferences"], id="event"),
        pytest.param(
            {"ownerReferences": [{**OWNER, "controller": True}, {**OWNER, "controller": True}]},
            ["metadata.ownerReferences"],
            id="two controllers",
        ),
        pytest.param({"finalizers": ["orphan", "a/b"]}, [], id="finalizers"),
        pytest.param({"finalizers": ["mine"]}, ["metadata.finalizers[0]"], id="finalizer without domain"),
        pytest.param({"finalizers": ["a b"]}, ["metadata.finalizers", "metadata.finalizers[0]"], id="bad finalizer"),
        pytest.param({"finalizers": ["orphan", "foregroundDeletion"]}, ["metadata.finalizers"], id="both kinds of end"),
        pytest.param(
            {"managedFields": [{"operation": "x", "fieldsType": "y"}]},
            ["metadata.managedFields[0].fieldsType", "metadata.managedFields[0].operation"],
            id="managers",
        ),
    ],
)
def test_metadata_are_checked(metadata: JsonObject, expected: list[str]) -> None:
    assert fields(config(**metadata)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param({"uid": "a"}, {"uid": "b"}, ['metadata.uid: Invalid value: "b": field is immutable'], id="uid"),
        pytest.param({"uid": "a"}, {}, [], id="a uid that the server fills in"),
        pytest.param({"name": "A"}, {"name": "A"}, [], id="a stored name"),
        pytest.param(
            {"generation": 1},
            {"generation": -1},
            ["metadata.generation: Invalid value: -1: must be greater than or equal to 0"],
            id="generation",
        ),
        pytest.param(
            {"managedFields": [{"operation": "x"}]}, {"managedFields": [{"operation": "x"}]}, [], id="stored managers"
        ),
        pytest.param(
            {"deletionTimestamp": "2026-11-21T00:00:00Z", "finalizers": ["a/b"]},
            {"deletionTimestamp": "2026-11-21T00:00:00Z", "finalizers": ["a/d", "a/b", "a/c"]},
            [
                "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, "
                'found new finalizers []string{"a/c", "a/d"}'
            ],
            id="finalizers of what is being deleted",
        ),
        pytest.param({"finalizers": ["a/b"]}, {"finalizers": ["a/c"]}, [], id="finalizers of what is not"),
    ],
)
def test_some_metadata_stay(old: JsonObject, new: JsonObject, expected: list[str]) -> None:
    assert messages(config(**new), config(**old)) == expected


@pytest.mark.parametrize(
    ("api_version", "name", "expected"),
    [
        ("example.com/v1", "a_b", ["metadata.name"]),
        ("user.openshift.io/v1", "a_b", []),
        ("user.openshift.io/v1", "a/b", ["metadata.name"]),
        ("config.openshift.io/v1", "a_b", ["metadata.name"]),
    ],
)
def test_aggregated_apis_have_rules_of_their_own_for_names(api_version: str, name: str, expected: list[str]) -> None:
    found = validate_metadata({"apiVersion": api_version, "kind": "X", "metadata": {"name": name}}, None, "1.36")

    assert [error.field for error in found] == expected
