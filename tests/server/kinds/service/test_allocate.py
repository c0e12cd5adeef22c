"""Values that a server chooses, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.service.allocate import CLUSTER_IP, NODE_PORT, allocate

ONE: JsonObject = {"ipFamilyPolicy": "SingleStack", "ipFamilies": ["IPv4"]}
TWO: JsonObject = {"ipFamilyPolicy": "RequireDualStack", "ipFamilies": ["IPv4", "IPv6"]}
FREE: JsonObject = {"clusterIP": CLUSTER_IP, "clusterIPs": [CLUSTER_IP]}
IP: JsonObject = {"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}
HEADLESS: JsonObject = {"type": "ClusterIP", "clusterIP": "None", "clusterIPs": ["None"]}
INSIDE: JsonObject = {"type": "ClusterIP"}
EXTERNAL: JsonObject = {"type": "ExternalName"}
PAIR: JsonObject = {"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1", "fd00::1"]}


def service(spec: JsonObject, old: JsonObject | None = None) -> JsonObject:
    found: JsonObject = allocate({"spec": spec}, {"spec": old} if old is not None else None)["spec"]
    return found


@pytest.mark.parametrize(
    ("spec", "old", "after"),
    [
        pytest.param(INSIDE, None, {**INSIDE, **ONE, **FREE}, id="an address"),
        pytest.param({**INSIDE, **IP}, None, {**INSIDE, **ONE, **IP}, id="the one that is asked for"),
        pytest.param(
            {**INSIDE, "clusterIP": "fd00::1", "clusterIPs": ["fd00::1"]},
            None,
            {
                **INSIDE,
                "ipFamilyPolicy": "SingleStack",
                "ipFamilies": ["IPv6"],
                "clusterIP": "fd00::1",
                "clusterIPs": ["fd00::1"],
            },
            id="the other family",
        ),
        pytest.param(
            {**INSIDE, **PAIR, "ipFamilyPolicy": "RequireDualStack"}, None, {**INSIDE, **PAIR, **TWO}, id="a pair"
        ),
        pytest.param(
            {**INSIDE, **TWO},
            None,
            {**INSIDE, **TWO, "clusterIP": CLUSTER_IP, "clusterIPs": [CLUSTER_IP, CLUSTER_IP]},
            id="two addresses",
        ),
        pytest.param(
            {**HEADLESS, "selector": {"a": "b"}}, None, {**HEADLESS, "selector": {"a": "b"}, **ONE}, id="headless"
        ),
        pytest.param(HEADLESS, None, {**HEADLESS, **TWO}, id="headless without selector"),
        pytest.param(
            {**HEADLESS, "ipFamilies": ["IPv6"]},
            None,
            {**HEADLESS, "ipFamilyPolicy": "RequireDualStack", "ipFamilies": ["IPv6", "IPv4"]},
            id="the other one first",
        ),
        pytest.param(EXTERNAL, None, EXTERNAL, id="external name"),
        pytest.param({**INSIDE, **IP, **ONE}, {**INSIDE, **IP, **ONE}, {**INSIDE, **IP, **ONE}, id="as it was"),
        pytest.param(INSIDE, EXTERNAL, {**INSIDE, **ONE, **FREE}, id="no longer external"),
        pytest.param(HEADLESS, {**HEADLESS, **ONE}, {**HEADLESS, **ONE}, id="headless as it was"),
        pytest.param(
            {**INSIDE, **PAIR, **TWO, "ipFamilyPolicy": "SingleStack"},
            {**INSIDE, **PAIR, **TWO},
            {**INSIDE, **IP, **ONE},
            id="one of a pair is left",
        ),
        pytest.param(
            {**INSIDE, **IP, "ipFamilies": ["IPv4"], "ipFamilyPolicy": "PreferDualStack"},
            {**INSIDE, **IP, "ipFamilies": ["IPv4"], "ipFamilyPolicy": "PreferDualStack"},
            {**INSIDE, **IP, "ipFamilies": ["IPv4"], "ipFamilyPolicy": "PreferDualStack"},
            id="preferences stay",
        ),
    ],
)
def test_addresses(spec: JsonObject, old: JsonObject | None, after: JsonObject) -> None:
    assert service(spec, old) == after


NAMED: JsonObject = {"name": "a", "port": 80}


@pytest.mark.parametrize(
    ("fields", "ports", "after"),
    [
        pytest.param({"type": "NodePort"}, [NAMED], [NODE_PORT], id="node port"),
        pytest.param({"type": "NodePort"}, [{**NAMED, "nodePort": 30080}], [30080], id="the one that is asked for"),
        pytest.param(
            {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": True}, [NAMED], [NODE_PORT], id="balancer"
        ),
        pytest.param(
            {"type": "LoadBalancer", "allocateLoadBalancerNodePorts": False}, [NAMED], [None], id="not wanted"
        ),
        pytest.param({"type": "ClusterIP"}, [NAMED], [None], id="inside"),
        pytest.param(
            {"type": "NodePort"}, [{"port": 53}, {"port": 53, "nodePort": 30053}], [30053, 30053], id="shared"
        ),
    ],
)
def test_node_ports(fields: JsonObject, ports: list[JsonObject], after: list[object]) -> None:
    assert [port.get("nodePort") for port in service({**fields, "ports": ports})["ports"]] == after


def test_ports_of_an_existing_service_do_not_share() -> None:
    ports = [{"port": 53}, {"port": 53, "nodePort": 30053}]
    result = service({"type": "NodePort", "ports": ports, **IP, **ONE}, {"type": "NodePort", **IP, **ONE})

    assert [port["nodePort"] for port in result["ports"]] == [NODE_PORT, 30053]


BALANCER: JsonObject = {"type": "LoadBalancer", "externalTrafficPolicy": "Local", **IP, **ONE}


@pytest.mark.parametrize(
    ("spec", "old", "after"),
    [
        pytest.param(BALANCER, None, NODE_PORT, id="new"),
        pytest.param({**BALANCER, "healthCheckNodePort": 31000}, None, 31000, id="asked for"),
        pytest.param(BALANCER, {**BALANCER, "externalTrafficPolicy": "Cluster"}, NODE_PORT, id="needed from now on"),
        pytest.param(BALANCER, BALANCER, None, id="needed before, too"),
        pytest.param({**BALANCER, "externalTrafficPolicy": "Cluster"}, None, None, id="not needed"),
    ],
)
def test_the_port_of_the_health_check(spec: JsonObject, old: JsonObject | None, after: object) -> None:
    assert service(spec, old).get("healthCheckNodePort") == after
