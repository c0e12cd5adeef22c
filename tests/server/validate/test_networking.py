"""What a server says of ingresses and network policies: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.values import Json, JsonObject
from tests.server.validate.objects import INGRESS, PATH, a, messages, refused

BASE: Final = INGRESS


@pytest.mark.parametrize(
    ("patch", "said"),
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
def test_what_is_said_of_ingresses(patch: JsonObject, said: list[str]) -> None:
    assert refused(BASE, patch) == said


def policy(*peers: JsonObject) -> JsonObject:
    """Return a policy that lets pods speak to some peers."""
    return a("networking.k8s.io/v1", "NetworkPolicy", {"podSelector": {}, "egress": [{"to": list(peers)}]})


def block(*exceptions: Json) -> JsonObject:
    return {"ipBlock": {"cidr": "10.0.0.0/8", "except": list(exceptions)}}


@pytest.mark.parametrize(
    ("peer", "stored", "said"),
    [
        pytest.param(block("10.1.0.0/16"), None, [], id="valid"),
        pytest.param(block(None), None, [""], id="nothing in a block"),
        pytest.param(block(None), {"podSelector": {}}, [""], id="nothing where no block was stored"),
        pytest.param(block("10.1"), block("10.1"), [], id="stored as it is"),
        pytest.param(block("10.1"), block("10.2"), ["10.1"], id="another"),
    ],
)
def test_what_is_said_of_exceptions_from_a_block(peer: JsonObject, stored: JsonObject | None, said: list[str]) -> None:
    words = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)"
    old = policy(stored) if stored else None
    assert messages(policy(peer), old) == [
        f'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "{text}": {words}' for text in said
    ]
