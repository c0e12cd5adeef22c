"""Pods and their RuntimeClasses, as kube-apiserver 1.36.3 answers it."""

import pytest

from kubectl_applylint.core.state import UNSEEN, ClusterView, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.attributes import Mutation
from kubectl_applylint.server.admission.runtime_class import mutate
from kubectl_applylint.server.admission_inputs import RUNTIME_CLASS
from kubectl_applylint.server.write import Stored
from tests.server.admission.objects import (
    DISABLED,
    answer_to_create,
    answer_to_patch,
    cluster_view,
    namespaced_object,
    of_cluster,
    status_and_messages,
    write_of_pod,
)

COST = {"cpu": "100m", "memory": "1Gi"}
WITHOUT = 'pods "x" is forbidden: pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead'
OTHER = "pods \"x\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
MISSING = 'pods "x" is forbidden: pod rejected: RuntimeClass "free" not found'


def runtime(name: str, **content: Json) -> JsonObject:
    return {
        "apiVersion": "node.k8s.io/v1",
        "kind": "RuntimeClass",
        "metadata": {"name": name},
        "handler": "h",
        **content,
    }


def pod(**spec: Json) -> JsonObject:
    return namespaced_object("v1", "Pod", "shop", spec={"containers": [{"name": "c", "image": "i"}], **spec})


KNOWN = cluster_view(runtime("free"), runtime("costly", overhead={"podFixed": COST}))
NONE = cluster_view(whole=[(*RUNTIME_CLASS, "")])


@pytest.mark.parametrize(
    ("known", "spec", "expected"),
    [
        pytest.param(UNSEEN, {}, (0, []), id="nothing asked for"),
        pytest.param(UNSEEN, {"overhead": COST}, (403, [WITHOUT]), id="costs something without a class"),
        pytest.param(KNOWN, {"runtimeClassName": "free", "overhead": COST}, (403, [WITHOUT]), id="class without costs"),
        pytest.param(KNOWN, {"runtimeClassName": "costly"}, (0, []), id="costs of the class"),
        pytest.param(KNOWN, {"runtimeClassName": "costly", "overhead": COST}, (0, []), id="the same costs"),
        pytest.param(KNOWN, {"runtimeClassName": "costly", "overhead": {"cpu": "1"}}, (403, [OTHER]), id="other costs"),
        pytest.param(NONE, {"runtimeClassName": "free"}, (403, [MISSING]), id="no such class"),
        pytest.param(UNSEEN, {"runtimeClassName": "free", "overhead": COST}, (0, []), id="class that nobody knows"),
    ],
)
def test_a_new_pod(known: ClusterView, spec: JsonObject, expected: tuple[int, list[str]]) -> None:
    assert status_and_messages(answer_to_create(pod(**spec), known)) == expected


def test_a_missing_class_outranks_what_is_not_valid_and_costs_do_not() -> None:
    assert status_and_messages(answer_to_create(pod(containers=[], runtimeClassName="free"), NONE))[0] == 403
    assert status_and_messages(answer_to_create(pod(containers=[], overhead=COST), UNSEEN))[0] == 422


def test_a_live_pod_keeps_what_it_costs_when_its_class_is_gone() -> None:
    live = answer_to_create(pod(runtimeClassName="costly"), KNOWN)

    assert isinstance(live, Stored)
    assert live.object["spec"]["overhead"] == COST
    assert status_and_messages(answer_to_patch(live.object, {"metadata": {"labels": {"a": "b"}}}, NONE)) == (0, [])


def test_a_server_may_not_look() -> None:
    assert status_and_messages(answer_to_create(pod(overhead=COST), UNSEEN, disabled=DISABLED | {"RuntimeClass"})) == (
        0,
        [],
    )


def test_the_overhead_of_an_unknown_class_is_unknown() -> None:
    given = {"runtimeClassName": "gvisor", "overhead": {"podFixed": {}}}

    assert isinstance(mutate(write_of_pod({"runtimeClassName": "gvisor"})).object["spec"]["overhead"], Unknown)
    assert mutate(write_of_pod(given)).object["spec"] == given


GVISOR = of_cluster(
    "node.k8s.io/v1",
    "RuntimeClass",
    "gvisor",
    overhead={"podFixed": {"cpu": "100m"}},
    scheduling={"nodeSelector": {"sandbox": "yes"}, "tolerations": [{"key": "sandbox"}]},
)


@pytest.mark.parametrize(
    ("given", "after"),
    [
        pytest.param(
            {"runtimeClassName": "gvisor", "nodeSelector": {"a": "b"}},
            {
                "overhead": {"cpu": "100m"},
                "nodeSelector": {"a": "b", "sandbox": "yes"},
                "tolerations": [{"key": "sandbox"}],
            },
            id="a class that costs",
        ),
        pytest.param({"runtimeClassName": "plain"}, {}, id="a plain class"),
        pytest.param({}, {}, id="no class"),
    ],
)
def test_a_runtime_class_sets_overhead_and_scheduling_of_a_pod(given: JsonObject, after: JsonObject) -> None:
    known = UNSEEN.with_objects([GVISOR, of_cluster("node.k8s.io/v1", "RuntimeClass", "plain")])

    assert mutate(write_of_pod(given, known=known)) == Mutation({"spec": {**given, **after}})
