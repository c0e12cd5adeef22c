"""Services that are updated, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.service.prepare import as_read, create, update

IP: JsonObject = {"clusterIP": "10.0.0.1", "clusterIPs": ["10.0.0.1"]}
FAMILY: JsonObject = {"ipFamilies": ["IPv4"], "ipFamilyPolicy": "SingleStack"}
INSIDE: JsonObject = {"type": "ClusterIP", **IP, **FAMILY}
NODE: JsonObject = {"type": "NodePort", "ports": [{"name": "a", "port": 80, "nodePort": 30080}]}
BALANCER: JsonObject = {
    "type": "LoadBalancer",
    "externalTrafficPolicy": "Local",
    "healthCheckNodePort": 31000,
    "allocateLoadBalancerNodePorts": True,
    "loadBalancerClass": "c",
}


@pytest.mark.parametrize(
    ("old", "new", "after"),
    [
        pytest.param(INSIDE, {"type": "ClusterIP"}, {"type": "ClusterIP", **IP}, id="the address stays"),
        pytest.param(
            INSIDE,
            {**INSIDE, "clusterIP": "10.0.0.2"},
            {**INSIDE, "clusterIP": "10.0.0.2", "clusterIPs": ["10.0.0.2"]},
            id="the list follows",
        ),
        pytest.param(
            INSIDE,
            {**INSIDE, "clusterIPs": ["10.0.0.2"]},
            {**INSIDE, "clusterIPs": ["10.0.0.2"]},
            id="the single one does not",
        ),
        pytest.param(
            INSIDE, {**INSIDE, "type": "ExternalName"}, {"type": "ExternalName"}, id="an external name has none"
        ),
        pytest.param(
            INSIDE,
            {"type": "ExternalName", "clusterIPs": ["10.0.0.1"]},
            {"type": "ExternalName"},
            id="only the single one is cleared",
        ),
        pytest.param(
            INSIDE,
            {**INSIDE, "type": "ExternalName", "clusterIP": "10.0.0.2", "clusterIPs": ["10.0.0.3"]},
            {"type": "ExternalName", "clusterIP": "10.0.0.2", "clusterIPs": ["10.0.0.3"]},
            id="changed ones stay",
        ),
        pytest.param(
            NODE,
            {"type": "NodePort", "ports": [{"name": "a", "port": 81}]},
            {"type": "NodePort", "ports": [{"name": "a", "port": 81, "nodePort": 30080}]},
            id="node port by name",
        ),
        pytest.param(
            NODE,
            {"type": "NodePort", "ports": [{"name": "b", "port": 80}]},
            {"type": "NodePort", "ports": [{"name": "b", "port": 80}]},
            id="another name",
        ),
        pytest.param(
            NODE,
            {"type": "NodePort", "ports": [{"name": "a", "port": 80}, {"name": "b", "nodePort": 30080}]},
            {"type": "NodePort", "ports": [{"name": "a", "port": 80}, {"name": "b", "nodePort": 30080}]},
            id="taken",
        ),
        pytest.param(
            NODE,
            {"type": "NodePort", "ports": [{"name": "a", "nodePort": 30081}]},
            {"type": "NodePort", "ports": [{"name": "a", "nodePort": 30081}]},
            id="another node port",
        ),
        pytest.param(NODE, {"type": "NodePort"}, {"type": "NodePort"}, id="no ports"),
        pytest.param(
            NODE,
            {"type": "ClusterIP", "ports": [{"name": "a", "port": 80, "nodePort": 30080}]},
            {"type": "ClusterIP", "ports": [{"name": "a", "port": 80}]},
            id="node ports go",
        ),
        pytest.param(
            NODE,
            {"type": "ClusterIP", "ports": [{"name": "a", "nodePort": 30081}]},
            {"type": "ClusterIP", "ports": [{"name": "a", "nodePort": 30081}]},
            id="new ones stay, to be refused",
        ),
        pytest.param(NODE, {"type": "ExternalName"}, {"type": "ExternalName"}, id="no ports at all"),
        pytest.param(
            BALANCER,
            {"type": "LoadBalancer", "externalTrafficPolicy": "Local"},
            {"type": "LoadBalancer", "externalTrafficPolicy": "Local", "healthCheckNodePort": 31000},
            id="the health check's port stays",
        ),
        pytest.param(BALANCER, {**BALANCER, "type": "ClusterIP"}, {"type": "ClusterIP"}, id="all of a balancer goes"),
        pytest.param(
            BALANCER,
            {**BALANCER, "type": "ClusterIP", "loadBalancerClass": "d"},
            {"type": "ClusterIP", "loadBalancerClass": "d"},
            id="what is changed stays",
        ),
        pytest.param(
            BALANCER,
            {**BALANCER, "externalTrafficPolicy": "Cluster"},
            {**{k: v for k, v in BALANCER.items() if k != "healthCheckNodePort"}, "externalTrafficPolicy": "Cluster"},
            id="no health check",
        ),
    ],
)
def test_an_update(old: JsonObject, new: JsonObject, after: JsonObject) -> None:
    assert update(new, old) == after


@pytest.mark.parametrize(
    ("spec", "after"),
    [
        pytest.param({"clusterIP": "10.0.0.1"}, IP, id="one spelling"),
        pytest.param(IP, IP, id="both"),
        pytest.param({}, {}, id="none"),
    ],
)
def test_a_create(spec: JsonObject, after: JsonObject) -> None:
    assert create(spec) == after


@pytest.mark.parametrize("shown", [{"type": "ClusterIP", "internalTrafficPolicy": "Local"}, {"type": "ExternalName"}])
def test_a_policy_for_traffic_that_there_is_not_is_hidden(shown: JsonObject) -> None:
    assert as_read({"spec": {**shown, "internalTrafficPolicy": "Local"}}) == {"spec": shown}
