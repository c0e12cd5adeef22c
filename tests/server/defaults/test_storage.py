"""Defaults of storage.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults

DRIVER = {
    "attachRequired": True,
    "podInfoOnMount": False,
    "storageCapacity": False,
    "fsGroupPolicy": "ReadWriteOnceWithFSType",
    "volumeLifecycleModes": ["Persistent"],
    "requiresRepublish": False,
    "seLinuxMount": False,
}


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "storage.k8s.io/v1",
            "StorageClass",
            {},
            {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
            id="storage class",
        ),
        pytest.param(
            "storage.k8s.io/v1",
            "CSIDriver",
            {"spec": {"volumeLifecycleModes": []}},
            {"spec": DRIVER},
            id="storage driver",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added


def test_a_driver_since_1_37() -> None:
    driver = fields_with_defaults("storage.k8s.io/v1", "CSIDriver", {"spec": {}}, "1.37")

    assert driver["spec"] == {**DRIVER, "preventPodSchedulingIfMissing": False}
