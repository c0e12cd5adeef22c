"""Autoscalers whose target is in no file."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.state import Absent
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.run import lint
from kubectl_applylint.rulebook.rulebook import load
from tests.rules.stories import subject

RULES = [rule for rule in load(()).rules if rule.id == "autoscaler-target-not-in-files"]
AUTOSCALER: JsonObject = {
    "apiVersion": "autoscaling/v2",
    "kind": "HorizontalPodAutoscaler",
    "metadata": {"name": "gateway", "namespace": "edge"},
    "spec": {
        "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "public-web-istio"},
        "maxReplicas": 3,
    },
}


def gateway(name: str, gateway_class: str, namespace: str = "edge") -> JsonObject:
    metadata = {"name": name, "namespace": namespace}
    spec = {"gatewayClassName": gateway_class, "listeners": [{"name": "http", "port": 80, "protocol": "HTTP"}]}
    return {"apiVersion": "gateway.networking.k8s.io/v1", "kind": "Gateway", "metadata": metadata, "spec": spec}


@pytest.mark.parametrize(
    ("peer", "findings"),
    [
        (gateway("public-web", "istio"), 0),
        (gateway("public", "web-istio"), 0),
        (gateway("public-web", "cilium"), 1),
        (gateway("public-web", "istio", namespace="other"), 1),
    ],
)
def test_the_deployment_of_a_gateway_is_not_missing(peer: JsonObject, findings: int) -> None:
    of_file = subject(AUTOSCALER, live=Absent(), peers=[peer])
    nothing_else = replace(of_file.cluster_diff, after=lambda ref: Absent())
    found = lint([replace(of_file, base=Absent(), cluster_diff=nothing_else)], RULES).findings

    assert len(found) == findings
