"""Validation of budgets of disruption: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"minAvailable": 1},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"minAvailable": -1}},
            ["spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"],
            id="less than nothing",
        ),
        pytest.param(
            {"spec": {"minAvailable": "101%"}},
            ['spec.minAvailable: Invalid value: "101%": must not be greater than 100%'],
            id="more than all",
        ),
        pytest.param(
            {"spec": {"minAvailable": "some"}},
            [
                (
                    'spec.minAvailable: Invalid value: "some": a valid percent string must be a '
                    "numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for "
                    "validation is '[0-9]+%')"
                )
            ],
            id="no number",
        ),
        pytest.param(
            {"spec": {"unhealthyPodEvictionPolicy": "Maybe"}},
            [
                (
                    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Maybe": supported values: '
                    '"AlwaysAllow", "IfHealthyBudget"'
                )
            ],
            id="eviction",
        ),
    ],
)
def test_errors_of_budgets_of_disruption(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
