"""Validation of classes of priority: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "scheduling.k8s.io/v1",
    "kind": "PriorityClass",
    "metadata": {"name": "x"},
    "value": 1,
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"metadata": {"name": "system-a"}},
            [
                (
                    "metadata.name: Forbidden: priority class names with 'system-' prefix are "
                    "reserved for system use only. error: system-a is not a known system priority "
                    "class"
                )
            ],
            id="for the system only",
        ),
        pytest.param(
            {"value": 1000000001},
            ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
            id="too much",
        ),
        pytest.param(
            {"preemptionPolicy": "Always"},
            ['preemptionPolicy: Unsupported value: "Always": supported values: "PreemptLowerPriority", "Never"'],
            id="policy",
        ),
    ],
)
def test_errors_of_classes_of_priority(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
