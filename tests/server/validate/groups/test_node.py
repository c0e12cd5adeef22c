"""Validation of classes of runtimes: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "node.k8s.io/v1",
    "kind": "RuntimeClass",
    "metadata": {"name": "x"},
    "handler": "runc",
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param({"handler": "a.b"}, ['handler: Invalid value: "a.b": must not contain dots'], id="handler"),
        pytest.param({"handler": ""}, ["handler: Required value"], id="no handler"),
        pytest.param(
            {"scheduling": {"nodeSelector": {"a": "b c"}}},
            [
                (
                    'scheduling.nodeSelector: Invalid value: "b c": a valid label must be an empty '
                    "string or consist of alphanumeric characters, '-', '_' or '.', and must start "
                    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
                    "'12345', regex used for validation is "
                    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
                )
            ],
            id="selector",
        ),
        pytest.param(
            {"scheduling": {"tolerations": [{"operator": "Maybe"}]}},
            [
                (
                    'scheduling.tolerations[0].operator: Invalid value: "Maybe": operator must be '
                    'Exists when `key` is empty, which means "match all values and all keys"'
                ),
                ('scheduling.tolerations[0].operator: Unsupported value: "Maybe": supported values: "Equal", "Exists"'),
            ],
            id="toleration",
        ),
    ],
)
def test_errors_of_classes_of_runtimes(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
