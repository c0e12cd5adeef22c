"""Applies to subresources. kubectl and a server, both 1.36.3, were asked (``tests/cluster/test_subresources.py``)."""

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Outcome, PredictionError, Verdict
from kubectl_applylint.core.state import Absent, Knowledge, Present, State, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load

SCHEMA = load("1.36")
DEPLOYMENT: JsonObject = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "nginx"}]}},
    },
}
SETTINGS: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "s", "namespace": "shop"}}


def predict_subresource(manifest: JsonObject, live: Knowledge, subresource: str, manager: str = "ci") -> Outcome:
    request = ApplyRequest(
        manifest,
        State(live),
        SCHEMA,
        Applier.KUBECTL_SERVER,
        field_manager=manager,
        subresource=subresource,
    )
    return predict(request)


def created_object(manifest: JsonObject) -> Present:
    result = predict(ApplyRequest(manifest, State(Absent()), SCHEMA)).result
    assert result is not None

    return Present(result)


@pytest.mark.parametrize(
    ("manifest", "exists", "subresource", "message"),
    [
        (DEPLOYMENT, False, "status", 'deployments.apps "web" not found'),
        (DEPLOYMENT, False, "scale", 'deployments.apps "web" not found'),
        (DEPLOYMENT, True, "scale", "invalid object type: apps/v1, Kind=Deployment"),
        (DEPLOYMENT, True, "other", "the server could not find the requested resource"),
        (SETTINGS, True, "status", "the server could not find the requested resource"),
    ],
)
def test_requests_that_a_server_rejects_have_its_message(
    manifest: JsonObject, exists: bool, subresource: str, message: str
) -> None:
    outcome = predict_subresource(manifest, created_object(manifest) if exists else Absent(), subresource)

    assert (outcome.verdict, [cause.message for cause in outcome.errors]) == (Verdict.REJECTED, [message])


@pytest.mark.parametrize(
    ("manifest", "live", "subresource", "why"),
    [
        (DEPLOYMENT, Unknown("no cluster"), "status", "it exists only where the object does"),
        ({**SETTINGS, "kind": "Pod"}, Absent(), "resize", "predictions support only status"),
        ({**SETTINGS, "kind": "Other", "apiVersion": "x.io/v1"}, Absent(), "status", "no schema of Other in x.io/v1"),
    ],
)
def test_unsupported_subresources_are_not_predicted(
    manifest: JsonObject, live: Knowledge, subresource: str, why: str
) -> None:
    with pytest.raises(PredictionError, match=why):
        predict_subresource(manifest, live, subresource)


def test_the_status_is_stored_and_owned() -> None:
    metadata = {**DEPLOYMENT["metadata"], "labels": {"a": "b"}, "annotations": {"x": "y"}}
    spec = {**DEPLOYMENT["spec"], "replicas": 7}
    status = {"readyReplicas": 3}

    result = predict_subresource(
        {**DEPLOYMENT, "metadata": metadata, "spec": spec, "status": status}, created_object(DEPLOYMENT), "status"
    ).result

    assert result is not None
    assert (result["status"], result["spec"]["replicas"]) == (status, 2)
    assert "labels" not in result["metadata"]
    assert result["metadata"]["annotations"]["x"] == "y"
    owner = result["metadata"]["managedFields"][0]
    assert (owner["manager"], owner["subresource"]) == ("ci", "status")
    assert owner["fieldsV1"] == {"f:metadata": {"f:annotations": {"f:x": {}}}, "f:status": {"f:readyReplicas": {}}}


def test_owners_of_the_status_are_in_the_way() -> None:
    first = predict_subresource(
        {**DEPLOYMENT, "status": {"readyReplicas": 3}}, created_object(DEPLOYMENT), "status"
    ).result
    assert first is not None

    second = predict_subresource({**DEPLOYMENT, "status": {"readyReplicas": 2}}, Present(first), "status", "other")

    assert second.verdict is Verdict.CONFLICT
    assert 'conflict with "ci" with subresource "status": .status.readyReplicas' in second.error
