"""Autoscalers whose target is in no file."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_diff import NO_UNITS, ClusterUnits
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


def count_findings(*peers: JsonObject, units: ClusterUnits = NO_UNITS) -> int:
    """Return the number of findings about the autoscaler, which is new, as nothing else is."""
    of_file = subject(AUTOSCALER, live=Absent(), peers=peers)
    nothing_else = replace(of_file.cluster_diff, after=lambda _: Absent(), units=lambda: units)
    return len(lint([replace(of_file, base=Absent(), cluster_diff=nothing_else)], RULES).findings)


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
    assert count_findings(peer) == findings


@pytest.mark.parametrize(
    ("state", "findings"), [(Absent(), 1), (Present({}), 0), (Unknown("a chart is not in the store"), 0)]
)
def test_the_deployment_of_another_unit_is_not_missing(state: Knowledge, findings: int) -> None:
    assert count_findings(units=ClusterUnits(state=lambda _: state)) == findings
