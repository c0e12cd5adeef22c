"""Validation of security contexts: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import CONTAINER, pod, rejection_messages

BASE: Final = pod()


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "securityContext": {"runAsUser": -1}}]}},
            [
                (
                    "spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be "
                    "between 0 and 2147483647, inclusive"
                )
            ],
            id="user",
        ),
        pytest.param(
            {"spec": {"securityContext": {"seccompProfile": {"type": "Localhost"}}}},
            [
                (
                    "spec.securityContext.seccompProfile.localhostProfile: Required value: must be "
                    "set when seccomp type is Localhost"
                )
            ],
            id="profile",
        ),
        pytest.param(
            {"spec": {"securityContext": {"seccompProfile": {"type": "Strict"}}}},
            [
                (
                    'spec.securityContext.seccompProfile.type: Unsupported value: "Strict": '
                    'supported values: "Localhost", "RuntimeDefault", "Unconfined"'
                )
            ],
            id="kind of profile",
        ),
        pytest.param(
            {"spec": {"securityContext": {"sysctls": [{"name": "A b", "value": "1"}]}}},
            [
                (
                    'spec.securityContext.sysctls[0].name: Invalid value: "A b": must have at most '
                    "253 characters and match regex "
                    "^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$"
                )
            ],
            id="system setting",
        ),
        pytest.param(
            {"spec": {"securityContext": {"sysctls": [{"name": "a", "value": "1"}, {"name": "a", "value": "2"}]}}},
            ['spec.securityContext.sysctls[1].name: Duplicate value: "a"'],
            id="one setting twice",
        ),
        pytest.param(
            {"spec": {"containers": [{**CONTAINER, "securityContext": {"procMount": "Shown"}}]}},
            [
                (
                    'spec.containers[0].securityContext.procMount: Unsupported value: "Shown": '
                    'supported values: "Default", "Unmasked"'
                )
            ],
            id="proc",
        ),
    ],
)
def test_errors_of_security_contexts(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
