"""Validation of namespaces, nodes and accounts: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "Node",
    "metadata": {"name": "x"},
    "spec": {"podCIDR": "10.0.0.0/24", "podCIDRs": ["10.0.0.0/24"]},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"taints": [{"key": "a"}]}},
            ["metadata.taints[0].effect: Required value"],
            id="taint without effect",
        ),
        pytest.param(
            {"spec": {"taints": [{"key": "a", "effect": "Never"}]}},
            [
                (
                    'metadata.taints[0].effect: Unsupported value: "Never": supported values: '
                    '"NoSchedule", "PreferNoSchedule", "NoExecute"'
                )
            ],
            id="effect",
        ),
        pytest.param(
            {"spec": {"taints": [{"key": "a b", "effect": "NoSchedule"}]}},
            [
                (
                    'metadata.taints[0].key: Invalid value: "a b": name part must consist of '
                    "alphanumeric characters, '-', '_' or '.', and must start and end with an "
                    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used "
                    "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
                )
            ],
            id="key",
        ),
        pytest.param(
            {"spec": {"podCIDRs": ["10.0.0.0/24", "10.0.1.0/24"]}},
            [
                (
                    'spec.podCIDRs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no '
                    "more than one CIDR for each IP family"
                )
            ],
            id="blocks of one family",
        ),
    ],
)
def test_errors_of_namespaces_nodes_and_accounts(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
