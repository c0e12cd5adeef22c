"""Answers of another program than an API server are not used."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.http_result import FailureClass
from kubectl_applylint.sources.cluster.response_schema import check_list, check_object, metadata_fault, unexpected_form

DEPLOYMENTS = ServedKind("apps/v1", "Deployment", "deployments", True, ("get", "list"), True)
METADATA: JsonObject = {"name": "web", "namespace": "shop"}
WEB: JsonObject = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": METADATA}
LIST: JsonObject = {"apiVersion": "apps/v1", "kind": "DeploymentList", "metadata": {}, "items": []}


def test_an_unexpected_response_is_reported_with_a_hint() -> None:
    found = unexpected_form("a list", "it is HTML")

    assert (found.failure_class, found.message) == (FailureClass.GARBLED, "the response is not a list: it is HTML")
    assert "login page" in found.advice


@pytest.mark.parametrize(
    ("metadata", "fault"),
    [
        pytest.param(METADATA, "", id="good"),
        pytest.param({"name": "x", "namespace": None, "labels": None, "managedFields": None}, "", id="nulls"),
        pytest.param({"name": "x", "labels": {"a": "b"}, "managedFields": [{}]}, "", id="with all"),
        pytest.param(None, "it has no metadata", id="null"),
        pytest.param([], "it has no metadata", id="a list"),
        pytest.param({}, "it has no name", id="no name"),
        pytest.param({"name": ""}, "it has no name", id="empty name"),
        pytest.param({"name": "x", "namespace": 1}, "its namespace is not text", id="namespace"),
        pytest.param({"name": "x", "labels": {"a": 1}}, "its labels are not a map of strings", id="labels"),
        pytest.param({"name": "x", "annotations": ["a"]}, "its annotations are not a map of strings", id="annotations"),
        pytest.param({"name": "x", "managedFields": {"a": 1}}, "its managedFields are not a list of objects", id="map"),
        pytest.param({"name": "x", "managedFields": [1]}, "its managedFields are not a list of objects", id="managers"),
    ],
)
def test_metadata_have_the_types_that_servers_give_them(metadata: Json, fault: str) -> None:
    assert metadata_fault({"metadata": metadata}) == fault


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param(WEB, None, id="the object"),
        pytest.param({"metadata": METADATA}, None, id="it need not say what it is"),
        pytest.param({**WEB, "metadata": {"name": "web"}}, None, id="no namespace"),
        pytest.param({**WEB, "kind": "Status"}, "it is of kind Status", id="a status"),
        pytest.param({**WEB, "kind": 7}, "its kind is not text", id="a kind that is a number"),
        pytest.param({**WEB, "apiVersion": "apps/v2"}, "it is not of apps/v1", id="another version"),
        pytest.param({}, "it has no metadata", id="some JSON"),
        pytest.param({**WEB, "metadata": {"name": "db"}}, "it has another name", id="another name"),
        pytest.param(
            {**WEB, "metadata": {**METADATA, "namespace": "x"}}, "it is in another namespace", id="another namespace"
        ),
    ],
)
def test_an_object_is_the_one_that_was_asked_for(body: JsonObject, why: str | None) -> None:
    found = check_object(body, DEPLOYMENTS, "shop", "web")

    assert (found and found.message) == (why and f"the response is not the requested Deployment: {why}")


def test_outside_of_namespaces_no_namespace_is_asked_for() -> None:
    assert check_object(WEB, DEPLOYMENTS, "", "web") is None


@pytest.mark.parametrize(
    ("body", "why"),
    [
        pytest.param(LIST, None, id="empty"),
        pytest.param({**LIST, "items": None}, None, id="null is empty in Go"),
        pytest.param({**LIST, "items": [WEB, {"metadata": METADATA}]}, None, id="objects"),
        pytest.param({**LIST, "metadata": {"continue": "x"}}, None, id="continued"),
        pytest.param({"metadata": {}, "items": []}, None, id="it need not say what it is"),
        pytest.param({"metadata": {}}, "its items are not a list", id="no items"),
        pytest.param({**LIST, "items": {}}, "its items are not a list", id="a map"),
        pytest.param({**LIST, "metadata": None}, "it has no list metadata", id="no metadata"),
        pytest.param({**LIST, "metadata": {"continue": 1}}, "it has no list metadata", id="a number to continue"),
        pytest.param({**LIST, "kind": "Status"}, "it is of kind Status", id="a status"),
        pytest.param({**LIST, "kind": "Deployment"}, "it is of kind Deployment", id="one object"),
        pytest.param({**LIST, "kind": []}, "its kind is not text", id="a kind that is a list"),
        pytest.param({**LIST, "apiVersion": "v1"}, "it is not of apps/v1", id="another version"),
        pytest.param({**LIST, "items": [WEB, 7]}, "items[1] is not an object", id="no object"),
        pytest.param(
            {**LIST, "items": [{**WEB, "kind": "Pod"}]},
            "items[0] is not an object of this kind: it is of kind Pod",
            id="of another kind",
        ),
    ],
)
def test_a_list_holds_objects_of_the_kind(body: JsonObject, why: str | None) -> None:
    found = check_list(body, DEPLOYMENTS)

    assert (found and found.message) == (why and f"the response is not a list of deployments.apps: {why}")
