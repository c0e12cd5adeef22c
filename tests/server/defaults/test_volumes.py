"""Defaults of volumes, claims and persistent volumes."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted_spec, fields_with_defaults

CEPH = {"pool": "rbd", "user": "admin", "keyring": "/etc/ceph/keyring"}


def volume(source: JsonObject, version: str = "1.36") -> JsonObject:
    spec = {"template": {"spec": {"volumes": [{"name": "v", **source}]}}}
    result: JsonObject = defaulted_spec("apps/v1", "Deployment", spec, version)["template"]["spec"]["volumes"][0]
    return result


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        pytest.param({}, {"emptyDir": {}}, id="none"),
        pytest.param({"emptyDir": {}}, {"emptyDir": {}}, id="empty directory"),
        pytest.param({"secret": {}}, {"secret": {"defaultMode": 420}}, id="secret"),
        pytest.param({"secret": {"defaultMode": 0}}, {"secret": {"defaultMode": 0}}, id="mode zero"),
        pytest.param({"configMap": {}}, {"configMap": {"defaultMode": 420}}, id="config map"),
        pytest.param({"hostPath": {"path": "/x"}}, {"hostPath": {"path": "/x", "type": ""}}, id="host path"),
        pytest.param({"rbd": {}}, {"rbd": CEPH}, id="rbd"),
        pytest.param({"iscsi": {}}, {"iscsi": {"iscsiInterface": "default"}}, id="iscsi"),
        pytest.param({"scaleIO": {}}, {"scaleIO": {"storageMode": "ThinProvisioned", "fsType": "xfs"}}, id="scaleIO"),
        pytest.param(
            {"azureDisk": {}},
            {"azureDisk": {"cachingMode": "ReadWrite", "fsType": "ext4", "readOnly": False, "kind": "Shared"}},
            id="azure disk",
        ),
        pytest.param(
            {"downwardAPI": {"items": [{"path": "n", "fieldRef": {"fieldPath": "metadata.name"}}]}},
            {
                "downwardAPI": {
                    "defaultMode": 420,
                    "items": [{"path": "n", "fieldRef": {"fieldPath": "metadata.name", "apiVersion": "v1"}}],
                }
            },
            id="downward API",
        ),
        pytest.param(
            {"projected": {"sources": [{"serviceAccountToken": {"path": "t"}}, {"secret": {"name": "s"}}]}},
            {
                "projected": {
                    "defaultMode": 420,
                    "sources": [
                        {"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}},
                        {"secret": {"name": "s"}},
                    ],
                }
            },
            id="projected",
        ),
        pytest.param(
            {"ephemeral": {"volumeClaimTemplate": {"spec": {}}}},
            {"ephemeral": {"volumeClaimTemplate": {"spec": {"volumeMode": "Filesystem"}}}},
            id="ephemeral claim",
        ),
    ],
)
def test_sources(source: JsonObject, expected: JsonObject) -> None:
    assert volume(source) == {"name": "v", **expected}


@pytest.mark.parametrize(
    ("reference", "version", "expected"),
    [
        pytest.param("app", "1.36", {"pullPolicy": "Always"}, id="latest"),
        pytest.param("app:1", "1.36", {"pullPolicy": "IfNotPresent"}, id="a tag"),
        pytest.param("app:1", "1.34", {}, id="before 1.35"),
    ],
)
def test_image_volumes(reference: str, version: str, expected: JsonObject) -> None:
    assert volume({"image": {"reference": reference}}, version)["image"] == {"reference": reference, **expected}


def test_a_claim() -> None:
    assert fields_with_defaults("v1", "PersistentVolumeClaim", {"spec": {}}) == {
        "spec": {"volumeMode": "Filesystem"},
        "status": {"phase": "Pending"},
    }


def test_a_persistent_volume() -> None:
    assert fields_with_defaults(
        "v1", "PersistentVolume", {"spec": {"iscsi": {}, "capacity": {"storage": "1500u"}}}
    ) == {
        "spec": {
            "iscsi": {"iscsiInterface": "default"},
            "capacity": {"storage": "2m"},
            "persistentVolumeReclaimPolicy": "Retain",
            "volumeMode": "Filesystem",
        },
        "status": {"phase": "Pending"},
    }
