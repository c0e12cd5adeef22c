"""Defaults of Services."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted_spec, fields_with_defaults

INSIDE = {"sessionAffinity": "None", "type": "ClusterIP", "internalTrafficPolicy": "Cluster"}


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        pytest.param({}, INSIDE, id="nothing written"),
        pytest.param({"type": "ExternalName"}, {"sessionAffinity": "None", "type": "ExternalName"}, id="external name"),
        pytest.param(
            {"externalIPs": ["192.0.2.1"]},
            {**INSIDE, "externalIPs": ["192.0.2.1"], "externalTrafficPolicy": "Cluster"},
            id="external addresses",
        ),
        pytest.param(
            {"type": "NodePort"}, {**INSIDE, "type": "NodePort", "externalTrafficPolicy": "Cluster"}, id="node port"
        ),
        pytest.param(
            {"type": "LoadBalancer", "externalTrafficPolicy": "Local"},
            {**INSIDE, "type": "LoadBalancer", "externalTrafficPolicy": "Local", "allocateLoadBalancerNodePorts": True},
            id="load balancer",
        ),
        pytest.param({"sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 5}}}, INSIDE, id="affinity that is off"),
        pytest.param(
            {"sessionAffinity": "ClientIP"},
            {**INSIDE, "sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 10800}}},
            id="affinity",
        ),
        pytest.param(
            {"sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 5}}},
            {**INSIDE, "sessionAffinity": "ClientIP", "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": 5}}},
            id="affinity with a time",
        ),
        pytest.param({"internalTrafficPolicy": "Local"}, {**INSIDE, "internalTrafficPolicy": "Local"}, id="local"),
    ],
)
def test_a_service(spec: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("v1", "Service", spec) == expected


@pytest.mark.parametrize(
    ("port", "expected"),
    [
        pytest.param({"port": 80}, {"port": 80, "targetPort": 80, "protocol": "TCP"}, id="same port"),
        pytest.param({"port": 80, "targetPort": 0}, {"port": 80, "targetPort": 80, "protocol": "TCP"}, id="zero"),
        pytest.param({"port": 80, "targetPort": ""}, {"port": 80, "targetPort": 80, "protocol": "TCP"}, id="empty"),
        pytest.param(
            {"port": 53, "protocol": "UDP", "targetPort": "dns"},
            {"port": 53, "protocol": "UDP", "targetPort": "dns"},
            id="all written",
        ),
    ],
)
def test_the_ports_of_a_service(port: JsonObject, expected: JsonObject) -> None:
    assert defaulted_spec("v1", "Service", {"ports": [port]})["ports"] == [expected]


@pytest.mark.parametrize(
    ("service_type", "version", "expected"),
    [
        pytest.param("LoadBalancer", "1.36", ["VIP", "Proxy", None], id="load balancer"),
        pytest.param("LoadBalancer", "1.29", [None, "Proxy", None], id="before 1.30"),
        pytest.param("ClusterIP", "1.36", [None, "Proxy", None], id="another type"),
    ],
)
def test_the_addresses_of_a_load_balancer(service_type: str, version: str, expected: list[str | None]) -> None:
    ingress = [{"ip": "192.0.2.1"}, {"ip": "192.0.2.2", "ipMode": "Proxy"}, {"hostname": "lb.example.com"}]
    service = {"spec": {"type": service_type}, "status": {"loadBalancer": {"ingress": ingress}}}
    addresses = fields_with_defaults("v1", "Service", service, version)["status"]["loadBalancer"]["ingress"]

    assert [address.get("ipMode") for address in addresses] == expected
