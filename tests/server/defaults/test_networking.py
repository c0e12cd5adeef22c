"""Defaults of networking.k8s.io and discovery.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {}},
            {"spec": {"policyTypes": ["Ingress"]}},
            id="policy for ingress",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {"egress": [{"ports": [{"port": 1}]}]}},
            {"spec": {"egress": [{"ports": [{"port": 1, "protocol": "TCP"}]}], "policyTypes": ["Ingress", "Egress"]}},
            id="policy for both",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {"policyTypes": ["Egress"]}},
            {"spec": {"policyTypes": ["Egress"]}},
            id="policy for egress alone",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "IngressClass",
            {"spec": {"parameters": {}}},
            {"spec": {"parameters": {"scope": "Cluster"}}},
            id="parameters of an ingress class",
        ),
        pytest.param("networking.k8s.io/v1", "IngressClass", {"spec": {}}, {"spec": {}}, id="no parameters"),
        pytest.param(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            {"ports": [{}]},
            {"ports": [{"name": "", "protocol": "TCP"}]},
            id="port of an endpoint slice",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {"policyTypes": ["Ingress"], "egress": [{}]}},
            {"spec": {"policyTypes": ["Ingress"], "egress": [{}]}},
            id="written types stay, whatever the rules",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added
