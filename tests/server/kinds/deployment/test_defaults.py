import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import POD_SPEC, defaulted_spec

ROLLING = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}
DEPLOYMENT = {"replicas": 1, "strategy": ROLLING, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600}


def test_a_deployment_gets_its_constants() -> None:
    assert defaulted_spec("apps/v1", "Deployment", {}) == {**DEPLOYMENT, "template": {"spec": POD_SPEC}}


def test_zero_replicas_are_no_empty_field() -> None:
    assert defaulted_spec("apps/v1", "Deployment", {"replicas": 0})["replicas"] == 0


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        pytest.param({"type": "Recreate"}, {"type": "Recreate"}, id="recreate gets no block"),
        pytest.param({"type": "RollingUpdate"}, ROLLING, id="written type"),
        pytest.param({"rollingUpdate": {}}, ROLLING, id="empty block"),
        pytest.param(
            {"rollingUpdate": {"maxSurge": 0}},
            {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": 0}},
            id="one limit written, as zero",
        ),
    ],
)
def test_a_deployments_strategy(strategy: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("apps/v1", "Deployment", {"strategy": strategy})["strategy"] == expected


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"])
def test_a_template_gets_what_every_pod_spec_gets(kind: str) -> None:
    assert defaulted_spec("apps/v1", kind, {"template": {"spec": {}}})["template"]["spec"] == POD_SPEC
