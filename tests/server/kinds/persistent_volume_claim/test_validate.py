"""Validation of claims to volumes: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "x", "namespace": "default"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"accessModes": []}},
            ["spec.accessModes: Required value: at least 1 access mode is required"],
            id="no modes",
        ),
        pytest.param(
            {"spec": {"accessModes": ["Any"]}},
            [
                (
                    'spec.accessModes: Unsupported value: "Any": supported values: "ReadOnlyMany", '
                    '"ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'
                )
            ],
            id="mode",
        ),
        pytest.param(
            {"spec": {"resources": {"requests": None}}}, ["spec.resources[storage]: Required value"], id="no size"
        ),
        pytest.param(
            {"spec": {"volumeMode": "Tape"}},
            ['spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
            id="kind of volume",
        ),
        pytest.param(
            {"spec": {"storageClassName": "A b"}},
            [
                (
                    'spec.storageClassName: Invalid value: "A b": a lowercase RFC 1123 subdomain '
                    "must consist of lower case alphanumeric characters, '-' or '.', and must start "
                    "and end with an alphanumeric character (e.g. 'example.com', regex used for "
                    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="class",
        ),
    ],
)
def test_errors_of_claims_to_volumes(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
