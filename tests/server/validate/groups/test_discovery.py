"""Validation of slices of endpoints: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "discovery.k8s.io/v1",
    "kind": "EndpointSlice",
    "metadata": {"name": "x", "namespace": "default"},
    "addressType": "IPv4",
    "endpoints": [{"addresses": ["10.0.0.1"]}],
    "ports": [{"port": 80}],
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"addressType": "IPv5"},
            ['addressType: Unsupported value: "IPv5": supported values: "FQDN", "IPv4", "IPv6"'],
            id="type",
        ),
        pytest.param(
            {"endpoints": [{"addresses": []}]},
            ["endpoints[0].addresses: Required value: must contain at least 1 address"],
            id="no address",
        ),
        pytest.param(
            {"endpoints": [{"addresses": ["::1"]}]},
            [
                'endpoints[0].addresses: Invalid value: "::1": must be an IPv4 address',
                (
                    'endpoints[0].addresses[0]: Invalid value: "::1": may not be in the loopback '
                    "range (127.0.0.0/8, ::1/128)"
                ),
            ],
            id="another family",
        ),
        pytest.param(
            {"endpoints": [{"addresses": ["127.0.0.1"]}]},
            [
                (
                    'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the '
                    "loopback range (127.0.0.0/8, ::1/128)"
                )
            ],
            id="loop back",
        ),
        pytest.param(
            {"ports": [{"name": "a", "port": 80}, {"name": "a", "port": 81}]},
            ['ports[1].name: Duplicate value: "a"'],
            id="one port twice",
        ),
        pytest.param(
            {"ports": [{"name": "A b", "port": 80}]},
            [
                (
                    'ports[0].name: Invalid value: "A b": a lowercase RFC 1123 label must consist of '
                    "lower case alphanumeric characters or '-', and must start and end with an "
                    "alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "
                    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
                )
            ],
            id="name of a port",
        ),
        pytest.param(
            {"ports": [{"protocol": "ICMP", "port": 80}]},
            ['ports[0].protocol: Unsupported value: "ICMP": supported values: "SCTP", "TCP", "UDP"'],
            id="protocol",
        ),
    ],
)
def test_errors_of_slices_of_endpoints(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
