"""Validation of specs of pods: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import pod, rejection_messages

BASE: Final = pod()


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param({"spec": {"containers": []}}, ["spec.containers: Required value"], id="no containers"),
        pytest.param(
            {"spec": {"restartPolicy": "Sometimes"}},
            ['spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"'],
            id="restart",
        ),
        pytest.param(
            {"spec": {"dnsPolicy": "Mine"}},
            [
                (
                    'spec.dnsPolicy: Unsupported value: "Mine": supported values: '
                    '"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"'
                )
            ],
            id="names",
        ),
        pytest.param(
            {"spec": {"dnsPolicy": "None"}},
            ["spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None"],
            id="no servers",
        ),
        pytest.param(
            {"spec": {"activeDeadlineSeconds": 0}},
            ["spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, inclusive"],
            id="deadline",
        ),
        pytest.param(
            {"spec": {"serviceAccountName": "A b"}},
            [
                (
                    'spec.serviceAccountName: Invalid value: "A b": a lowercase RFC 1123 subdomain '
                    "must consist of lower case alphanumeric characters, '-' or '.', and must start "
                    "and end with an alphanumeric character (e.g. 'example.com', regex used for "
                    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="account",
        ),
        pytest.param(
            {"spec": {"os": {"name": "beos"}}},
            ['spec.os: Unsupported value: "beos": supported values: "linux", "windows"'],
            id="system",
        ),
        pytest.param({"spec": {"terminationGracePeriodSeconds": -1}}, [], id="grace"),
    ],
)
def test_errors_of_specs_of_pods(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
