import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import LABELS, fields, rolling, template, workload

BAD_TERM = {
    "topologyKey": "t",
    "labelSelector": {"matchExpressions": [{"key": "k", "operator": "In", "values": ["b c"]}]},
}
AFFINITY = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [BAD_TERM]}}
BAD_SELECTOR = {"matchLabels": LABELS, "matchExpressions": [{"key": "k", "operator": "NotIn", "values": ["b c"]}]}


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


@pytest.mark.parametrize(
    "stored",
    [
        workload("DaemonSet", selector=BAD_SELECTOR),
        workload("DaemonSet", selector=BAD_SELECTOR, pods=template(affinity=AFFINITY)),
    ],
    ids=["selector", "affinity"],
)
def test_a_daemon_set_keeps_bad_values_that_are_stored(stored: JsonObject) -> None:
    assert fields(stored, stored) == []
