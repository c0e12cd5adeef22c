import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import POD_SPEC, defaulted_spec

RETAINED = {"whenDeleted": "Retain", "whenScaled": "Retain"}


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
