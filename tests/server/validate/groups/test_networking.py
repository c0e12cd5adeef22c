"""Validation of ingresses: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import INGRESS, PATH, rejection_messages

BASE: Final = INGRESS


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"spec": {"rules": None}},
            ["spec: Invalid value: null: either `defaultBackend` or `rules` must be specified"],
            id="nothing",
        ),
        pytest.param(
            {"spec": {"rules": [{"host": "10.0.0.1"}]}},
            ['spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
            id="address for a host",
        ),
        pytest.param(
            {"spec": {"rules": [{"host": "a b"}]}},
            [
                (
                    'spec.rules[0].host: Invalid value: "a b": a lowercase RFC 1123 subdomain must '
                    "consist of lower case alphanumeric characters, '-' or '.', and must start and "
                    "end with an alphanumeric character (e.g. 'example.com', regex used for "
                    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="host",
        ),
        pytest.param(
            {"spec": {"rules": [{"http": {"paths": [{**PATH, "path": "a"}]}}]}},
            ['spec.rules[0].http.paths[0].path: Invalid value: "a": must be an absolute path'],
            id="path that does not begin",
        ),
        pytest.param(
            {"spec": {"rules": [{"http": {"paths": [{**PATH, "pathType": "Regex"}]}}]}},
            [
                (
                    'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported '
                    'values: "Exact", "ImplementationSpecific", "Prefix"'
                )
            ],
            id="kind of path",
        ),
        pytest.param(
            {"spec": {"rules": [{"http": {"paths": [{**PATH, "backend": {}}]}}]}},
            ['spec.rules[0].http.paths[0].backend: Invalid value: "": resource or service backend is required'],
            id="no backend",
        ),
        pytest.param(
            {"spec": {"rules": [{"http": {"paths": [{**PATH, "backend": {"service": {"name": "web", "port": {}}}}]}}]}},
            ["spec.rules[0].http.paths[0].backend: Required value: port name or number is required"],
            id="no port",
        ),
        pytest.param(
            {"spec": {"ingressClassName": "A b"}},
            [
                (
                    'spec.ingressClassName: Invalid value: "A b": a lowercase RFC 1123 subdomain '
                    "must consist of lower case alphanumeric characters, '-' or '.', and must start "
                    "and end with an alphanumeric character (e.g. 'example.com', regex used for "
                    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
                )
            ],
            id="class",
        ),
    ],
)
def test_errors_of_ingresses(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
