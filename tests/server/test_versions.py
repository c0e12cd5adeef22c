"""Objects in other versions. What a server 1.36.3 stored and printed is the measure."""

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import Absent, Present, State
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.former import convert_former
from kubectl_applylint.server.versions import convert

SCHEMA = load("1.36")
TARGET = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
FIRST: JsonObject = {
    "apiVersion": "autoscaling/v1",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "web", "namespace": "shop"},
    "spec": {"maxReplicas": 5, "minReplicas": 2, "scaleTargetRef": TARGET, "targetCPUUtilizationPercentage": 80},
}
CPU = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
SECOND: JsonObject = {
    **FIRST,
    "apiVersion": "autoscaling/v2",
    "spec": {
        "maxReplicas": 6,
        "minReplicas": 2,
        "scaleTargetRef": TARGET,
        "metrics": [{"type": "Resource", "resource": CPU}],
    },
}
BUSY = {"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": 70, "averageValue": "7m"}}}
QUEUED = {"type": "External", "external": {"metric": {"name": "queue"}, "current": {"value": "3"}}}
READY = {"type": "AbleToScale", "status": "True"}


def apply_both_versions(applier: Applier) -> tuple[JsonObject, list[str]]:
    """Apply version 1 and then version 2; return the stored object, and the fields that have no owner then."""
    first = predict(ApplyRequest(FIRST, State(Absent()), SCHEMA, applier)).result
    assert first is not None
    live = convert_former(first, ("autoscaling/v2", "HorizontalPodAutoscaler"), SCHEMA)
    assert live is not None
    outcome = predict(ApplyRequest(SECOND, State(Present(live)), SCHEMA, applier))
    assert outcome.result is not None
    assert [change for change in outcome.changes if render(change.path).startswith("status")] == []

    return outcome.result, [render(change.path) for change in outcome.owner_changes if not change.after]


def test_owners_of_version_1_keep_what_they_own() -> None:
    stored, lost = apply_both_versions(Applier.KUBECTL_CLIENT)

    first, second = stored["metadata"]["managedFields"]
    assert (first["apiVersion"], list(first["fieldsV1"]["f:spec"])) == (
        "autoscaling/v1",
        ["f:minReplicas", "f:scaleTargetRef", "f:targetCPUUtilizationPercentage"],
    )
    assert (second["apiVersion"], second["fieldsV1"]["f:spec"]) == ("autoscaling/v2", {"f:maxReplicas": {}})
    assert lost == []


def test_atomic_fields_of_one_version_are_not_lost_in_the_other() -> None:
    stored, lost = apply_both_versions(Applier.KUBECTL_SERVER)

    (owner,) = stored["metadata"]["managedFields"]
    assert owner["fieldsV1"]["f:spec"]["f:scaleTargetRef"] == {"f:apiVersion": {}, "f:kind": {}, "f:name": {}}
    assert lost == []


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"currentReplicas": 0, "desiredReplicas": 0}, {"currentMetrics": None, "desiredReplicas": 0}),
        (
            {"currentReplicas": 2, "desiredReplicas": 3, "currentCPUUtilizationPercentage": 70},
            {
                "currentReplicas": 2,
                "desiredReplicas": 3,
                "currentMetrics": [
                    {"type": "Resource", "resource": {"name": "cpu", "current": {"averageUtilization": 70}}}
                ],
            },
        ),
    ],
)
def test_the_status_has_the_message_of_the_version(first: JsonObject, second: JsonObject) -> None:
    there = convert({**FIRST, "status": first}, "autoscaling/v2")

    assert there["status"] == second
    assert convert(there, "autoscaling/v1")["status"] == first


def test_fields_unknown_to_version_1_are_stored_in_annotations() -> None:
    status = {"desiredReplicas": 1, "currentMetrics": [BUSY, QUEUED], "conditions": [READY]}

    there = convert({**SECOND, "status": status}, "autoscaling/v1")

    assert there["status"] == {"desiredReplicas": 1, "currentReplicas": 0, "currentCPUUtilizationPercentage": 70}
    assert list(there["metadata"]["annotations"]) == [
        "autoscaling.alpha.kubernetes.io/current-metrics",
        "autoscaling.alpha.kubernetes.io/conditions",
    ]
    assert convert(there, "autoscaling/v2")["status"]["conditions"] == [READY]


def test_an_object_without_status_has_none_elsewhere() -> None:
    assert "status" not in convert(convert(SECOND, "autoscaling/v1"), "autoscaling/v2")
