"""Validation of classes of storage: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "storage.k8s.io/v1",
    "kind": "StorageClass",
    "metadata": {"name": "x"},
    "provisioner": "a.example.com",
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param({"provisioner": ""}, ["provisioner: Required value"], id="provisioner"),
        pytest.param(
            {"reclaimPolicy": "Recycle"},
            ['reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"'],
            id="policy",
        ),
        pytest.param({"reclaimPolicy": ""}, [], id="no policy"),
        pytest.param(
            {"volumeBindingMode": "Later"},
            ['volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"'],
            id="binding",
        ),
        pytest.param(
            {"parameters": {"": "a"}}, ['parameters: Invalid value: "": field can not be empty.'], id="parameter"
        ),
        pytest.param(
            {"allowedTopologies": [{"matchLabelExpressions": [{"key": "a", "values": []}]}]},
            ["allowedTopologies[0].matchLabelExpressions[0].values: Required value"],
            id="topologies",
        ),
    ],
)
def test_errors_of_classes_of_storage(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
