"""Validation of services that extend the API: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "apiregistration.k8s.io/v1",
    "kind": "APIService",
    "metadata": {"name": "v1.example.com"},
    "spec": {
        "group": "example.com",
        "version": "v1",
        "groupPriorityMinimum": 100,
        "versionPriority": 10,
        "service": {"name": "a", "namespace": "b"},
        "insecureSkipTLSVerify": True,
    },
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"metadata": {"name": "v2.example.com"}},
            [
                (
                    'metadata.name: Invalid value: "v2.example.com": must be '
                    '`spec.version+"."+spec.group`: "v1.example.com"'
                )
            ],
            id="another name",
        ),
        pytest.param(
            {"spec": {"groupPriorityMinimum": 20001}},
            ["spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000"],
            id="priority of the group",
        ),
        pytest.param(
            {"spec": {"versionPriority": 0}},
            ["spec.versionPriority: Invalid value: 0: must be positive and less than 1000"],
            id="priority of the version",
        ),
        pytest.param(
            {"spec": {"caBundle": "Cg=="}},
            ["spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present"],
            id="trust and no trust",
        ),
        pytest.param(
            {"spec": {"service": {"name": "", "namespace": ""}}},
            ["spec.service.name: Required value", "spec.service.namespace: Required value"],
            id="no service",
        ),
    ],
)
def test_errors_of_services_that_extend_the_api(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
