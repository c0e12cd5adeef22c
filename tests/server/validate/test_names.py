"""Validation of names of their own forms: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import INGRESS, rejection_messages

BASE: Final = INGRESS


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param({"spec": {"rules": [{"host": "*.example.com"}]}}, [], id="wildcard"),
        pytest.param(
            {"spec": {"rules": [{"host": "a.*.example.com"}]}},
            [
                (
                    'spec.rules[0].host: Invalid value: "a.*.example.com": a wildcard DNS-1123 '
                    "subdomain must start with '*.', followed by a valid DNS subdomain, which must "
                    "consist of lower case alphanumeric characters, '-' or '.' and end with an "
                    "alphanumeric character (e.g. '*.example.com', regex used for validation is "
                    "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="not the first",
        ),
        pytest.param(
            {"spec": {"rules": [{"host": "*"}]}},
            [
                (
                    'spec.rules[0].host: Invalid value: "*": a wildcard DNS-1123 subdomain must '
                    "start with '*.', followed by a valid DNS subdomain, which must consist of lower "
                    "case alphanumeric characters, '-' or '.' and end with an alphanumeric character "
                    "(e.g. '*.example.com', regex used for validation is "
                    "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="nothing after it",
        ),
        pytest.param(
            {"spec": {"tls": [{"hosts": ["*.b*"]}]}},
            [
                (
                    'spec.tls[0].hosts[0]: Invalid value: "*.b*": a wildcard DNS-1123 subdomain must '
                    "start with '*.', followed by a valid DNS subdomain, which must consist of lower "
                    "case alphanumeric characters, '-' or '.' and end with an alphanumeric character "
                    "(e.g. '*.example.com', regex used for validation is "
                    "'\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="host of a certificate",
        ),
    ],
)
def test_errors_of_names_of_their_own_forms(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
