"""Validation of leases: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "coordination.k8s.io/v1",
    "kind": "Lease",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"holderIdentity": "a"},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"leaseDurationSeconds": 0}},
            ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"],
            id="no time",
        ),
        pytest.param(
            {"spec": {"leaseTransitions": -1}},
            ["spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0"],
            id="transitions",
        ),
        pytest.param({"spec": {"holderIdentity": ""}}, [], id="nobody"),
        pytest.param({"spec": {"strategy": ""}}, [], id="strategy"),
        pytest.param({"spec": {"preferredHolder": "b"}}, [], id="preferred without strategy"),
    ],
)
def test_errors_of_leases(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
