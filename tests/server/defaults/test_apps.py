"""Defaults of workloads."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import POD_SPEC, defaulted_spec

ROLLING = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": "25%", "maxSurge": "25%"}}
DEPLOYMENT = {"replicas": 1, "strategy": ROLLING, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600}
EACH = {"type": "RollingUpdate", "rollingUpdate": {"maxUnavailable": 1, "maxSurge": 0}}
RETAINED = {"whenDeleted": "Retain", "whenScaled": "Retain"}


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


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        pytest.param({}, EACH, id="nothing written"),
        pytest.param({"type": "OnDelete"}, {"type": "OnDelete"}, id="on delete"),
        pytest.param(
            {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": 2}},
            {"type": "OnDelete", "rollingUpdate": {"maxUnavailable": 2}},
            id="left over block is not filled in",
        ),
    ],
)
def test_a_daemon_sets_update_strategy(strategy: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("apps/v1", "DaemonSet", {"updateStrategy": strategy})["updateStrategy"] == expected


def test_a_stateful_set_gets_its_constants() -> None:
    assert defaulted_spec("apps/v1", "StatefulSet", {"persistentVolumeClaimRetentionPolicy": {}}) == {
        "replicas": 1,
        "podManagementPolicy": "OrderedReady",
        "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
        "revisionHistoryLimit": 10,
        "persistentVolumeClaimRetentionPolicy": RETAINED,
        "template": {"spec": POD_SPEC},
    }


@pytest.mark.parametrize(
    ("strategy", "version", "expected"),
    [
        pytest.param({"type": "RollingUpdate"}, "1.36", {"type": "RollingUpdate"}, id="written type gets no block"),
        pytest.param({"type": "OnDelete"}, "1.36", {"type": "OnDelete"}, id="on delete"),
        pytest.param(
            {"type": "RollingUpdate", "rollingUpdate": {}},
            "1.36",
            {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}},
            id="written block gets a partition",
        ),
        pytest.param(
            {"rollingUpdate": {"partition": 2}},
            "1.36",
            {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}},
            id="partition stays",
        ),
        pytest.param(
            {},
            "1.37",
            {"type": "RollingUpdate", "rollingUpdate": {"partition": 0, "maxUnavailable": 1}},
            id="one unavailable since 1.37",
        ),
    ],
)
def test_a_stateful_sets_update_strategy(strategy: JsonObject, version: str, expected: JsonObject) -> None:
    spec = defaulted_spec("apps/v1", "StatefulSet", {"updateStrategy": strategy}, version)

    assert spec["updateStrategy"] == expected


def test_the_claims_of_a_stateful_set_get_what_a_claim_gets() -> None:
    spec = defaulted_spec("apps/v1", "StatefulSet", {"volumeClaimTemplates": [{"kind": "Other", "spec": {}}]})

    assert spec["volumeClaimTemplates"] == [
        {
            "apiVersion": "v1",
            "kind": "PersistentVolumeClaim",
            "spec": {"volumeMode": "Filesystem"},
            "status": {"phase": "Pending"},
        }
    ]


@pytest.mark.parametrize("kind", ["Deployment", "DaemonSet", "StatefulSet", "ReplicaSet"])
def test_a_template_gets_what_every_pod_spec_gets(kind: str) -> None:
    assert defaulted_spec("apps/v1", kind, {"template": {"spec": {}}})["template"]["spec"] == POD_SPEC


def test_a_replica_set_gets_a_replica() -> None:
    assert defaulted_spec("apps/v1", "ReplicaSet", {}) == {"replicas": 1, "template": {"spec": POD_SPEC}}
