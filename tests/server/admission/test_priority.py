"""Pods and their PriorityClasses, as kube-apiserver 1.36.3 answers it."""

import pytest

from kubectl_applylint.core.state import UNSEEN, ClusterView, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.admission.priority import mutate
from kubectl_applylint.server.admission_inputs import PRIORITY_CLASS
from kubectl_applylint.server.write import Stored
from tests.server.admission.objects import (
    answer_to_create,
    cluster_view,
    namespaced_object,
    of_cluster,
    status_and_messages,
    write_of_pod,
)

HIGH: JsonObject = {
    "apiVersion": "scheduling.k8s.io/v1",
    "kind": "PriorityClass",
    "metadata": {"name": "high"},
    "value": 1000,
    "preemptionPolicy": "Never",
}
COMPUTED = (
    "must not be provided in pod spec; priority admission controller computed {} from the given PriorityClass name"
)
KNOWN = cluster_view(HIGH)
NONE = cluster_view(whole=[(*PRIORITY_CLASS, "")])
DEFAULT = cluster_view({**HIGH, "globalDefault": True}, whole=[(*PRIORITY_CLASS, "")])


def rejection(words: str) -> tuple[int, list[str]]:
    return 403, [f'pods "x" is forbidden: {words}']


def number(given: int, right: int) -> tuple[int, list[str]]:
    return rejection(f"the integer value of priority ({given}) {COMPUTED.format(right)}")


def policy(given: str, right: str) -> tuple[int, list[str]]:
    return rejection(f"the string value of PreemptionPolicy ({given}) {COMPUTED.format(right)}")


def pod(**spec: object) -> JsonObject:
    return namespaced_object("v1", "Pod", "shop", spec={"containers": [{"name": "c", "image": "i"}], **spec})


@pytest.mark.parametrize(
    ("known", "spec", "expected"),
    [
        pytest.param(UNSEEN, {"priority": 0, "preemptionPolicy": "PreemptLowerPriority"}, (0, []), id="that of all"),
        pytest.param(UNSEEN, {"priority": 5}, number(5, 0), id="number without a class"),
        pytest.param(UNSEEN, {"preemptionPolicy": "Never"}, policy("Never", "PreemptLowerPriority"), id="policy"),
        pytest.param(UNSEEN, {"priorityClassName": "high", "priority": 5}, (0, []), id="class that nobody knows"),
        pytest.param(
            UNSEEN,
            {"priorityClassName": "system-node-critical", "priority": 7},
            number(7, 2000001000),
            id="class of the system",
        ),
        pytest.param(KNOWN, {"priorityClassName": "high", "priority": 1000}, (0, []), id="that of the class"),
        pytest.param(KNOWN, {"priorityClassName": "high", "priority": 5}, number(5, 1000), id="other than the class"),
        pytest.param(
            NONE, {"priorityClassName": "high"}, rejection("no PriorityClass with name high was found"), id="no class"
        ),
        pytest.param(DEFAULT, {"priority": 0}, number(0, 1000), id="other than the default"),
    ],
)
def test_a_new_pod(known: ClusterView, spec: JsonObject, expected: tuple[int, list[str]]) -> None:
    assert status_and_messages(answer_to_create(pod(**spec), known)) == expected


def test_a_wrong_priority_outranks_what_is_not_valid() -> None:
    assert status_and_messages(answer_to_create(pod(containers=[], priority=5), UNSEEN)) == number(5, 0)


def test_a_pod_gets_the_priority_of_its_class() -> None:
    stored = answer_to_create(pod(priorityClassName="high"), KNOWN)

    assert isinstance(stored, Stored)
    assert (stored.object["spec"]["priority"], stored.object["spec"]["preemptionPolicy"]) == (1000, "Never")


def spec_with_priority(spec: JsonObject, old: JsonObject | None = None, known: ClusterView = UNSEEN) -> JsonObject:
    found: JsonObject = mutate(write_of_pod(spec, old, known)).object["spec"]
    return found


@pytest.mark.parametrize(
    ("name", "priority"),
    [(None, 0), ("system-node-critical", 2000001000), ("system-cluster-critical", 2000000000)],
    ids=["none", "node", "cluster"],
)
def test_the_priority_of_a_known_class(name: str | None, priority: int) -> None:
    spec = spec_with_priority({"priorityClassName": name} if name else {})

    assert (spec["priority"], spec["preemptionPolicy"]) == (priority, "PreemptLowerPriority")


def test_the_priority_of_another_class_is_not_known() -> None:
    spec = spec_with_priority({"priorityClassName": "mine"})

    assert spec["priority"] == Unknown("the priority of the PriorityClass mine")
    assert isinstance(spec["preemptionPolicy"], Unknown)


def test_a_pod_keeps_its_priority() -> None:
    before = {"priority": 0, "preemptionPolicy": "PreemptLowerPriority"}

    assert spec_with_priority({"restartPolicy": "Never"}, before) == {**before, "restartPolicy": "Never"}


LOW = of_cluster("scheduling.k8s.io/v1", "PriorityClass", "low", value=10, globalDefault=True)
NEVER = of_cluster("scheduling.k8s.io/v1", "PriorityClass", "never", value=1000, preemptionPolicy="Never")


@pytest.mark.parametrize(
    ("given", "after"),
    [
        pytest.param(
            "never", {"priorityClassName": "never", "priority": 1000, "preemptionPolicy": "Never"}, id="named"
        ),
        pytest.param(
            "",
            {"priorityClassName": "low", "priority": 10, "preemptionPolicy": "PreemptLowerPriority"},
            id="default",
        ),
    ],
)
def test_a_priority_class_sets_the_priority_of_a_pod(given: str, after: JsonObject) -> None:
    assert (
        spec_with_priority({"priorityClassName": given} if given else {}, known=UNSEEN.with_objects([LOW, NEVER]))
        == after
    )
