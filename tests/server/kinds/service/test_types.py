import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.service.types import (
    gets_node_ports,
    has_cluster_ip,
    is_reachable_from_outside,
    needs_health_check,
    takes_node_ports,
)

UNWANTED = {"allocateLoadBalancerNodePorts": False}


@pytest.mark.parametrize(
    ("spec", "outside", "takes", "gets", "has_ip"),
    [
        pytest.param({"type": "ClusterIP"}, False, False, False, True, id="cluster IP"),
        pytest.param({"type": "ClusterIP", "externalIPs": []}, False, False, False, True, id="no external IPs"),
        pytest.param({"type": "ClusterIP", "externalIPs": ["1.2.3.4"]}, True, False, False, True, id="external IPs"),
        pytest.param({"type": "NodePort"}, True, True, True, True, id="node port"),
        pytest.param({"type": "NodePort", **UNWANTED}, True, True, True, True, id="node port, whatever is said"),
        pytest.param({"type": "LoadBalancer"}, True, True, True, True, id="load balancer"),
        pytest.param({"type": "LoadBalancer", **UNWANTED}, True, True, False, True, id="without node ports"),
        pytest.param(
            {"type": "ExternalName", "externalIPs": ["1.2.3.4"]}, False, False, False, False, id="external name"
        ),
    ],
)
def test_a_type_decides_on_node_ports_and_addresses(
    spec: JsonObject, outside: bool, takes: bool, gets: bool, has_ip: bool
) -> None:
    assert is_reachable_from_outside(spec) == outside
    assert (takes_node_ports(spec), gets_node_ports(spec)) == (takes, gets)
    assert has_cluster_ip(spec) == has_ip


@pytest.mark.parametrize(
    ("service_type", "policy", "is_needed"),
    [
        ("LoadBalancer", "Local", True),
        ("LoadBalancer", "Cluster", False),
        ("LoadBalancer", None, False),
        ("NodePort", "Local", False),
    ],
)
def test_only_a_load_balancer_asks_which_nodes_take_traffic(
    service_type: str, policy: str | None, is_needed: bool
) -> None:
    assert needs_health_check({"type": service_type, "externalTrafficPolicy": policy}) == is_needed
