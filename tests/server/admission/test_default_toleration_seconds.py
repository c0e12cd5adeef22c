"""Tolerations that every pod gets, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.default_toleration_seconds import mutate
from tests.server.admission.objects import write_of_pod


def five_minutes(state: str) -> JsonObject:
    key = f"node.kubernetes.io/{state}"
    return {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}


BOTH = [five_minutes("not-ready"), five_minutes("unreachable")]


@pytest.mark.parametrize(
    ("given", "after"),
    [
        pytest.param([], BOTH, id="none"),
        pytest.param([{"key": "x"}], [{"key": "x"}, *BOTH], id="another"),
        pytest.param([{"operator": "Exists"}], [{"operator": "Exists"}], id="everything"),
        pytest.param(
            [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}],
            [{"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"}, BOTH[1]],
            id="one of them",
        ),
        pytest.param([{"effect": "NoSchedule"}], [{"effect": "NoSchedule"}, *BOTH], id="another effect"),
    ],
)
@pytest.mark.parametrize("old", [None, {}], ids=["create", "update"])
def test_tolerations(old: JsonObject | None, given: list[JsonObject], after: list[JsonObject]) -> None:
    assert mutate(write_of_pod({"tolerations": given}, old)).object["spec"]["tolerations"] == after
