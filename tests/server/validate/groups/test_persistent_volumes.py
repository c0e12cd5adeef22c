"""Validation of volumes: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "PersistentVolume",
    "metadata": {"name": "x"},
    "spec": {"capacity": {"storage": "1Gi"}, "accessModes": ["ReadWriteOnce"], "hostPath": {"path": "/a"}},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"capacity": None}},
            ["spec.capacity: Required value", 'spec.capacity: Unsupported value: null: supported values: "storage"'],
            id="no capacity",
        ),
        pytest.param(
            {"spec": {"capacity": {"cpu": "1"}}},
            ['spec.capacity: Unsupported value: {"cpu":"1","storage":"1Gi"}: supported values: "storage"'],
            id="another resource",
        ),
        pytest.param(
            {"spec": {"hostPath": None}}, ["spec: Required value: must specify a volume type"], id="no source"
        ),
        pytest.param(
            {"spec": {"nfs": {"server": "a", "path": "/b"}}},
            ["spec.nfs: Forbidden: may not specify more than 1 volume type"],
            id="two sources",
        ),
        pytest.param(
            {"spec": {"hostPath": {"path": "/"}, "persistentVolumeReclaimPolicy": "Recycle"}},
            ["spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'"],
            id="recycled root",
        ),
        pytest.param(
            {"spec": {"hostPath": None, "local": {"path": "/a"}}},
            ["spec.nodeAffinity: Required value: Local volume requires node affinity"],
            id="local without node",
        ),
        pytest.param(
            {"spec": {"hostPath": {"path": "/a/../b"}}},
            ["spec.hostPath.path: Invalid value: \"/a/../b\": must not contain '..'"],
            id="upwards",
        ),
    ],
)
def test_errors_of_volumes(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
