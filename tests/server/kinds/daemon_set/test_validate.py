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


def test_a_daemon_set_stored_with_a_bad_affinity_may_have_a_bad_selector() -> None:
    """What the server tolerates is asked of the affinity, not of the selector itself."""
    stored = workload("DaemonSet", selector=BAD_SELECTOR, pods=template(affinity=AFFINITY))

    assert fields(stored, stored) == []
    assert fields(workload("DaemonSet", selector=BAD_SELECTOR), workload("DaemonSet", selector=BAD_SELECTOR)) == [
        "spec.selector.matchExpressions[0].values[0]"
    ]
