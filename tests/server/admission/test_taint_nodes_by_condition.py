"""Taints of new nodes, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.taint_nodes_by_condition import mutate
from tests.server.admission.objects import write_of

NOT_READY = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}


@pytest.mark.parametrize(
    ("old", "taints", "after"),
    [
        pytest.param(None, [], [NOT_READY], id="new"),
        pytest.param(None, [{**NOT_READY, "value": "x"}], [{**NOT_READY, "value": "x"}], id="there"),
        pytest.param({"spec": {}}, [], [], id="existing"),
    ],
)
def test_a_new_node_is_not_ready(old: JsonObject | None, taints: list[JsonObject], after: list[JsonObject]) -> None:
    assert mutate(write_of("v1", "Node", {"spec": {"taints": taints}}, old)).object["spec"]["taints"] == after
