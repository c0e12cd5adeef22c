import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import LABELS, a, fields, pod, template, workload

BAD_TERM = {
    "topologyKey": "t",
    "labelSelector": {"matchExpressions": [{"key": "k", "operator": "In", "values": ["b c"]}]},
}
AFFINITY = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [BAD_TERM]}}
BAD_SELECTOR = {"matchLabels": LABELS, "matchExpressions": [{"key": "k", "operator": "NotIn", "values": ["b c"]}]}


def rolling(**limits: Json) -> JsonObject:
    return {"type": "RollingUpdate", "rollingUpdate": limits}


def controller(**spec: Json) -> JsonObject:
    return a("v1", "ReplicationController", {"selector": LABELS, "template": template(), **spec})


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        (
            {"replicas": -1, "minReadySeconds": -1, "revisionHistoryLimit": -1},
            ["minReadySeconds", "replicas", "revisionHistoryLimit"],
        ),
        ({"selector": None}, ["selector", "template.metadata.labels"]),
        ({"selector": {}}, ["selector"]),
        ({"selector": {"matchLabels": {"app": "b"}}}, ["template.metadata.labels"]),
        ({"selector": {"matchLabels": {"a b": ""}}}, ["selector", "selector.matchLabels"]),
        ({"pods": template(restartPolicy="Never")}, ["template.spec.restartPolicy"]),
        ({"pods": template(activeDeadlineSeconds=5)}, ["template.spec.activeDeadlineSeconds"]),
        ({"strategy": {"type": "Recreate"}}, []),
        ({"strategy": {"type": "Recreate", "rollingUpdate": {}}}, ["strategy.rollingUpdate"]),
        ({"strategy": {"type": "x"}}, ["strategy"]),
        ({"strategy": rolling(maxUnavailable=0, maxSurge="0%")}, ["strategy.rollingUpdate.maxUnavailable"]),
        ({"strategy": rolling(maxUnavailable="101%", maxSurge="200%")}, ["strategy.rollingUpdate.maxUnavailable"]),
        ({"strategy": rolling(maxSurge=-1)}, ["strategy.rollingUpdate.maxSurge"]),
        ({"progressDeadlineSeconds": 5, "minReadySeconds": 5}, ["progressDeadlineSeconds"]),
    ],
)
def test_deployments(spec: JsonObject, expected: list[str]) -> None:
    assert fields(workload("Deployment", **spec)) == [f"spec.{field}" for field in expected]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"selector": {}}, ["selector"]),
        ({"updateStrategy": {"type": "OnDelete"}}, []),
        ({"updateStrategy": {"type": "x"}}, ["updateStrategy"]),
        ({"updateStrategy": rolling(maxUnavailable=0)}, ["updateStrategy.rollingUpdate.maxUnavailable"]),
        ({"updateStrategy": rolling(maxUnavailable=0, maxSurge=1)}, []),
        ({"updateStrategy": rolling(maxUnavailable=1, maxSurge="1%")}, ["updateStrategy.rollingUpdate.maxSurge"]),
        ({"selector": BAD_SELECTOR}, ["selector.matchExpressions[0].values[0]"]),
    ],
)
def test_daemon_sets(spec: JsonObject, expected: list[str]) -> None:
    assert fields(workload("DaemonSet", **spec)) == [f"spec.{field}" for field in expected]


def test_a_daemon_set_stored_with_a_bad_affinity_may_have_a_bad_selector() -> None:
    """What the server tolerates is asked of the affinity, not of the selector itself."""
    stored = workload("DaemonSet", selector=BAD_SELECTOR, pods=template(affinity=AFFINITY))

    assert fields(stored, stored) == []
    assert fields(workload("DaemonSet", selector=BAD_SELECTOR), workload("DaemonSet", selector=BAD_SELECTOR)) == [
        "spec.selector.matchExpressions[0].values[0]"
    ]


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet", "ReplicaSet"])
def test_the_selector_stays(kind: str) -> None:
    labels = {"app": "a", "more": "b"}
    narrow = workload(kind, selector={"matchLabels": labels}, pods=template(metadata={"labels": labels}))

    assert fields(narrow, workload(kind, pods=template(metadata={"labels": labels}))) == ["spec.selector"]
    assert fields(narrow, narrow) == []


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({}, []),
        ({"selector": {"app": "b"}}, ["spec.template.metadata.labels"]),
        ({"replicas": -1}, ["spec.replicas"]),
        ({"template": None}, ["spec.template"]),
        ({"template": template(restartPolicy="OnFailure")}, ["spec.template.spec.restartPolicy"]),
    ],
)
def test_replication_controllers(spec: JsonObject, expected: list[str]) -> None:
    assert fields(controller(**spec)) == expected


def test_a_replica_set_without_template() -> None:
    assert fields(a("apps/v1", "ReplicaSet", {"selector": {"matchLabels": LABELS}})) == [
        "spec.template.metadata.labels",
        "spec.template.spec.containers",
    ]


def test_a_template_alone() -> None:
    assert fields(a("v1", "PodTemplate", template={"spec": pod()["spec"]})) == []
    assert fields(a("v1", "PodTemplate", template={"spec": {}})) == ["template.spec.containers"]
