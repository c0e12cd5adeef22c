"""Objects that a quota with scopes counts, by the evaluators of pkg/quota/v1 of Kubernetes 1.36."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.server.admission.quota_scopes import is_counted
from tests.server.admission.objects import write_of

REQUIRED, PREFERRED = (f"{how}DuringSchedulingIgnoredDuringExecution" for how in ("required", "preferred"))


def counts(kind: str, item: JsonObject, *, scopes: Json = None, terms: Json = None) -> bool:
    spec = {"scopes": scopes, "scopeSelector": {"matchExpressions": terms}}
    return is_counted(write_of("v1", kind, item), item, {"spec": spec})


def container(**resources: Json) -> JsonObject:
    return {"containers": [{"name": "a"}, {"name": "b", "resources": resources}]}


def near(kind: str, how: str, term: JsonObject) -> JsonObject:
    return {"affinity": {kind: {how: [{"podAffinityTerm": term} if how == PREFERRED else term]}}}


@pytest.mark.parametrize(
    ("scope", "spec", "counted"),
    [
        pytest.param("Terminating", {"activeDeadlineSeconds": 0}, True, id="ends at once"),
        pytest.param("Terminating", {"activeDeadlineSeconds": None}, False, id="null is no end"),
        pytest.param("NotTerminating", {"activeDeadlineSeconds": 1}, False, id="not without end"),
        pytest.param("NotTerminating", {}, True, id="without end"),
        pytest.param("BestEffort", container(), True, id="asks for nothing"),
        pytest.param("BestEffort", container(requests={"cpu": "0"}), True, id="asks for zero"),
        pytest.param("BestEffort", container(limits={"memory": "1"}), False, id="a limit asks for something"),
        pytest.param("BestEffort", container(requests={"example.com/gpu": "1"}), True, id="other things do not count"),
        pytest.param("NotBestEffort", container(requests={"cpu": "1m"}), True, id="asks for something"),
        pytest.param(
            "BestEffort", {"initContainers": container(requests={"cpu": "1"})["containers"]}, False, id="to start"
        ),
        pytest.param("BestEffort", {"resources": {"requests": {"cpu": "1"}}}, False, id="the pod itself asks"),
        pytest.param(
            "BestEffort", {"resources": {"claims": []}, **container(requests={"cpu": "1"})}, True, id="the pod decides"
        ),
        pytest.param("CrossNamespacePodAffinity", {}, False, id="no affinity"),
        pytest.param(
            "CrossNamespacePodAffinity", near("podAffinity", REQUIRED, {"namespaces": ["x"]}), True, id="required"
        ),
        pytest.param(
            "CrossNamespacePodAffinity",
            near("podAntiAffinity", PREFERRED, {"namespaceSelector": {}}),
            True,
            id="preferred, all namespaces",
        ),
        pytest.param(
            "CrossNamespacePodAffinity",
            near("podAffinity", REQUIRED, {"namespaces": [], "namespaceSelector": None}),
            False,
            id="in its own namespace",
        ),
        pytest.param("PriorityClass", {"priorityClassName": "high"}, True, id="any priority"),
        pytest.param("PriorityClass", {"priorityClassName": ""}, False, id="no priority"),
        pytest.param("Unheard", {}, False, id="another scope"),
        pytest.param("VolumeAttributesClass", {}, False, id="a scope of claims"),
    ],
)
def test_pods(scope: str, spec: JsonObject, counted: bool) -> None:
    assert counts("Pod", {"spec": spec}, scopes=[scope]) == counted


def test_all_scopes_have_to_fit() -> None:
    ending = {"spec": {"activeDeadlineSeconds": 1}}

    assert counts("Pod", ending, scopes=["Terminating", "BestEffort"])
    assert not counts("Pod", ending, scopes=["Terminating", "NotBestEffort"])
    assert not counts(
        "Pod", ending, scopes=["Terminating"], terms=[{"scopeName": "PriorityClass", "operator": "Exists"}]
    )
    assert counts("Pod", ending)


@pytest.mark.parametrize(
    ("operator", "values", "name", "counted"),
    [
        pytest.param("In", ["high"], "high", True, id="in"),
        pytest.param("In", ["high"], "low", False, id="not in"),
        pytest.param("NotIn", ["high"], "low", True, id="another"),
        pytest.param("NotIn", ["high"], None, True, id="none is another"),
        pytest.param("DoesNotExist", [], None, True, id="none"),
        pytest.param("DoesNotExist", [], "low", False, id="one"),
    ],
)
def test_a_scope_may_choose_priorities(operator: str, values: list[str], name: str | None, counted: bool) -> None:
    term = {"scopeName": "PriorityClass", "operator": operator, "values": values}
    spec = {"priorityClassName": name} if name else {}

    assert counts("Pod", {"spec": spec}, terms=[term]) == counted


@pytest.mark.parametrize(
    ("item", "counted"),
    [
        pytest.param({"spec": {"volumeAttributesClassName": "fast"}}, True, id="wanted"),
        pytest.param({"status": {"currentVolumeAttributesClassName": "fast"}}, True, id="current"),
        pytest.param(
            {"status": {"modifyVolumeStatus": {"targetVolumeAttributesClassName": "fast"}}}, True, id="on its way"
        ),
        pytest.param({"spec": {"volumeAttributesClassName": "slow"}}, False, id="another"),
        pytest.param({"spec": {"volumeAttributesClassName": ""}}, False, id="none"),
    ],
)
def test_claims_are_counted_by_any_class_that_they_have(item: JsonObject, counted: bool) -> None:
    term = {"scopeName": "VolumeAttributesClass", "operator": "In", "values": ["fast"]}

    assert counts("PersistentVolumeClaim", item, terms=[term]) == counted


def test_other_kinds_have_no_scopes() -> None:
    assert not counts("Service", {"spec": {}}, scopes=["NotTerminating"])
    assert not counts("PersistentVolumeClaim", {"spec": {}}, scopes=["NotTerminating"])
    assert counts("Service", {"spec": {}})
