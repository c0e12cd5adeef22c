"""Addresses and ports of Services that an apply releases."""

import pytest

from kubectl_applylint.core.state import Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook.rulebook import load
from tests.rules.stories import subject

RULES = [rule for rule in load(()).rules if rule.id == "service-type-change-releases-addresses"]


def service(kind: str, **port: Json) -> JsonObject:
    metadata = {"name": "web", "namespace": "shop"}
    spec = {"type": kind, "ports": [{"port": 80, "protocol": "TCP", "targetPort": 80, **port}]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("node_port", "released"),
    [(30001, "spec.ports[0].nodePort 30001"), (Unknown("allocated"), "spec.ports[0].nodePort")],
)
def test_a_released_port_is_named_with_its_value_if_that_is_known(node_port: Json, released: str) -> None:
    live = Present(service("LoadBalancer", nodePort=node_port))
    (finding,) = lint([subject(service("ClusterIP"), live=live)], RULES).findings

    assert f"the server releases {released}: clients" in finding.message
