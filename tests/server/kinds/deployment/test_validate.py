import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import fields, rolling, template, workload


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


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet", "ReplicaSet"])
def test_the_selector_stays(kind: str) -> None:
    labels = {"app": "a", "more": "b"}
    narrow = workload(kind, selector={"matchLabels": labels}, pods=template(metadata={"labels": labels}))

    assert fields(narrow, workload(kind, pods=template(metadata={"labels": labels}))) == ["spec.selector"]
    assert fields(narrow, narrow) == []
