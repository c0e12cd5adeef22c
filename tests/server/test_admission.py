"""Plugins that are on by default, as seen on Kubernetes 1.36.3."""

from typing import Any

import pytest

from kubectl_applylint.core.state import UNSEEN, Surroundings, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.admission import admit, assumptions

WITHOUT_ACCOUNT = frozenset({"ServiceAccount"})
PRIORITY = {"priority": 0, "preemptionPolicy": "PreemptLowerPriority"}
PATH = "/var/run/secrets/kubernetes.io/serviceaccount"


def kind_of(api_version: str, name: str) -> Kind:
    kind = load("1.36").kind(api_version, name)
    assert kind is not None
    return kind


def pod(spec: JsonObject, old: JsonObject | None = None, disabled: frozenset[str] = WITHOUT_ACCOUNT) -> Any:
    return admit({"spec": spec}, {"spec": old} if old is not None else None, kind_of("v1", "Pod"), disabled)["spec"]


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
    assert pod({"tolerations": given}, old)["tolerations"] == after


@pytest.mark.parametrize(
    ("name", "priority"),
    [(None, 0), ("system-node-critical", 2000001000), ("system-cluster-critical", 2000000000)],
    ids=["none", "node", "cluster"],
)
def test_the_priority_of_a_known_class(name: str | None, priority: int) -> None:
    spec = pod({"priorityClassName": name} if name else {})

    assert (spec["priority"], spec["preemptionPolicy"]) == (priority, "PreemptLowerPriority")


def test_the_priority_of_another_class_is_not_known() -> None:
    spec = pod({"priorityClassName": "mine"})

    assert spec["priority"] == Unknown("the priority of the PriorityClass mine")
    assert isinstance(spec["preemptionPolicy"], Unknown)


def test_a_pod_keeps_its_priority() -> None:
    assert pod({"tolerations": BOTH}, PRIORITY) == {**PRIORITY, "tolerations": BOTH}


def test_the_overhead_of_a_runtime_class_is_not_known() -> None:
    assert isinstance(pod({"runtimeClassName": "gvisor"})["overhead"], Unknown)
    assert pod({"runtimeClassName": "gvisor", "overhead": {"podFixed": {}}})["overhead"] == {"podFixed": {}}


def test_a_pod_gets_a_token_of_its_service_account() -> None:
    spec = pod({"containers": [{"name": "c"}]}, disabled=frozenset())
    (mount,), (volume,) = spec["containers"][0]["volumeMounts"], spec["volumes"]

    assert (spec["serviceAccountName"], spec["serviceAccount"]) == ("default", "default")
    assert (mount["mountPath"], mount["readOnly"], isinstance(mount["name"], Unknown)) == (PATH, True, True)
    assert (volume["name"], sorted(volume)) == (mount["name"], ["name", "projected"])


@pytest.mark.parametrize(
    ("spec", "mounts"),
    [
        pytest.param({"automountServiceAccountToken": False}, [None], id="not wanted"),
        pytest.param(
            {"containers": [{"volumeMounts": [{"mountPath": PATH}]}]}, [[{"mountPath": PATH}]], id="it has one"
        ),
    ],
)
def test_a_pod_that_gets_no_token(spec: JsonObject, mounts: list[object]) -> None:
    result = pod({"containers": [{}], **spec}, disabled=frozenset())

    assert [container.get("volumeMounts") for container in result["containers"]] == mounts
    assert "volumes" not in result


def test_a_token_volume_that_is_written_is_used() -> None:
    written = {"name": "kube-api-access-mine", "emptyDir": {}}
    result = pod({"containers": [{}], "initContainers": [{}], "volumes": [written]}, disabled=frozenset())
    mount = {"name": "kube-api-access-mine", "readOnly": True, "mountPath": PATH}

    assert result["volumes"] == [written]
    assert (result["containers"], result["initContainers"]) == (
        [{"volumeMounts": [mount]}],
        [{"volumeMounts": [mount]}],
    )


@pytest.mark.parametrize(
    ("old", "annotations"),
    [({"spec": {}}, {}), (None, {"kubernetes.io/config.mirror": "x"})],
    ids=["update", "mirror"],
)
def test_pods_that_the_service_account_plugin_leaves_alone(old: JsonObject | None, annotations: JsonObject) -> None:
    new = {"metadata": {"annotations": annotations}, "spec": {"containers": [{}]}}
    result = admit(new, old, kind_of("v1", "Pod"), frozenset())

    assert "serviceAccountName" not in result["spec"]


@pytest.mark.parametrize(
    ("kind", "old", "finalizers", "after"),
    [
        pytest.param("PersistentVolumeClaim", None, [], ["kubernetes.io/pvc-protection"], id="claim"),
        pytest.param("PersistentVolume", None, ["x"], ["x", "kubernetes.io/pv-protection"], id="volume"),
        pytest.param(
            "PersistentVolume", None, ["kubernetes.io/pv-protection"], ["kubernetes.io/pv-protection"], id="there"
        ),
        pytest.param("PersistentVolumeClaim", {"metadata": {}}, ["x"], ["x"], id="existing claim"),
        pytest.param("PersistentVolume", {"metadata": {}}, ["x"], ["x"], id="existing volume"),
    ],
)
def test_storage_in_use_is_protected(
    kind: str, old: JsonObject | None, finalizers: list[str], after: list[str]
) -> None:
    result = admit({"metadata": {"finalizers": finalizers}}, old, kind_of("v1", kind), frozenset())

    assert result["metadata"]["finalizers"] == after


@pytest.mark.parametrize(("old", "after"), [(None, ["kubernetes.io/vac-protection"]), ({"a": "b"}, None)])
def test_classes_of_volume_attributes_in_use_are_protected(old: JsonObject | None, after: list[str] | None) -> None:
    result = admit({"metadata": {}}, old, kind_of("storage.k8s.io/v1", "VolumeAttributesClass"), frozenset())

    assert result["metadata"].get("finalizers") == after


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
    assert admit({"spec": {"taints": taints}}, old, kind_of("v1", "Node"), frozenset())["spec"]["taints"] == after


@pytest.mark.parametrize(
    ("api_version", "kind", "spec", "old", "expected"),
    [
        pytest.param(
            "v1", "PersistentVolumeClaim", {}, None, ("no StorageClass is the default of the cluster",), id="claim"
        ),
        pytest.param("v1", "PersistentVolumeClaim", {"storageClassName": ""}, None, (), id="class written"),
        pytest.param("v1", "PersistentVolumeClaim", {}, {"spec": {}}, (), id="existing claim"),
        pytest.param("networking.k8s.io/v1", "Ingress", {}, None, ("no IngressClass is the default",), id="ingress"),
        pytest.param("v1", "ConfigMap", {}, None, (), id="nothing to assume"),
        pytest.param(
            "v1", "Pod", {"priorityClassName": "x"}, None, ("no LimitRange of the namespace sets resources",), id="pod"
        ),
    ],
)
def test_what_is_taken_for_granted(
    api_version: str, kind: str, spec: JsonObject, old: JsonObject | None, expected: tuple[str, ...]
) -> None:
    assert assumptions({"spec": spec}, old, kind_of(api_version, kind), WITHOUT_ACCOUNT) == expected


def of_cluster(api_version: str, kind: str, name: str, marks: JsonObject | None = None, **content: Json) -> JsonObject:
    metadata = {"name": name, "annotations": marks or {}}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata, **content}


STORAGE_MARK = "storageclass.kubernetes.io/is-default-class"
INGRESS_MARK = "ingressclass.kubernetes.io/is-default-class"


def storage(name: str, mark: str = STORAGE_MARK, value: str = "true", since: str = "2026-01-01") -> JsonObject:
    found = of_cluster("storage.k8s.io/v1", "StorageClass", name, {mark: value})
    return {**found, "metadata": {**found["metadata"], "creationTimestamp": since}}


@pytest.mark.parametrize(
    ("classes", "chosen"),
    [
        pytest.param([], None, id="none"),
        pytest.param([storage("slow", value="false")], None, id="none is marked"),
        pytest.param([storage("slow", value="false"), storage("fast")], "fast", id="one"),
        pytest.param([storage("fast", "storageclass.beta.kubernetes.io/is-default-class")], "fast", id="old mark"),
        pytest.param([storage("a"), storage("b", since="2026-02-01")], "b", id="the newest"),
        pytest.param([storage("b"), storage("a")], "a", id="the first by name"),
    ],
)
def test_the_class_of_a_claim(classes: list[JsonObject], chosen: str | None) -> None:
    claim = kind_of("v1", "PersistentVolumeClaim")
    result = admit({"spec": {}}, None, claim, frozenset(), UNSEEN.joined(classes))

    assert result["spec"].get("storageClassName") == chosen


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param({"spec": {"storageClassName": ""}}, None, id="written"),
        pytest.param({"metadata": {"annotations": {"volume.beta.kubernetes.io/storage-class": "x"}}}, None, id="noted"),
        pytest.param({"spec": {}}, {"spec": {}}, id="update"),
    ],
)
def test_claims_that_keep_their_class(new: JsonObject, old: JsonObject | None) -> None:
    result = admit(new, old, kind_of("v1", "PersistentVolumeClaim"), frozenset(), UNSEEN.joined([storage("fast")]))

    assert result.get("spec") == new.get("spec")


def test_the_class_of_an_ingress() -> None:
    known = UNSEEN.joined([of_cluster("networking.k8s.io/v1", "IngressClass", "nginx", {INGRESS_MARK: "true"})])
    ingress, noted = kind_of("networking.k8s.io/v1", "Ingress"), {"annotations": {"kubernetes.io/ingress.class": "x"}}

    assert admit({"spec": {}}, None, ingress, frozenset(), known)["spec"] == {"ingressClassName": "nginx"}
    assert admit({"metadata": noted, "spec": {}}, None, ingress, frozenset(), known)["spec"] == {}


HIGH = of_cluster("scheduling.k8s.io/v1", "PriorityClass", "high", value=1000, preemptionPolicy="Never")
LOW = of_cluster("scheduling.k8s.io/v1", "PriorityClass", "low", value=10, globalDefault=True)
GVISOR = of_cluster(
    "node.k8s.io/v1",
    "RuntimeClass",
    "gvisor",
    overhead={"podFixed": {"cpu": "100m"}},
    scheduling={"nodeSelector": {"sandbox": "yes"}, "tolerations": [{"key": "sandbox"}]},
)
PLAIN = of_cluster("node.k8s.io/v1", "RuntimeClass", "plain")


@pytest.mark.parametrize(
    ("spec", "after"),
    [
        pytest.param(
            {"priorityClassName": "high"},
            {"priorityClassName": "high", "priority": 1000, "preemptionPolicy": "Never"},
            id="priority",
        ),
        pytest.param(
            {},
            {"priorityClassName": "low", "priority": 10, "preemptionPolicy": "PreemptLowerPriority"},
            id="default priority",
        ),
        pytest.param(
            {"runtimeClassName": "gvisor", "nodeSelector": {"a": "b"}},
            {
                "overhead": {"cpu": "100m"},
                "nodeSelector": {"a": "b", "sandbox": "yes"},
                "tolerations": [*BOTH, {"key": "sandbox"}],
            },
            id="runtime",
        ),
        pytest.param({"runtimeClassName": "plain"}, {"overhead": None, "tolerations": BOTH}, id="plain runtime"),
    ],
)
def test_what_known_classes_give_a_pod(spec: JsonObject, after: JsonObject) -> None:
    known = UNSEEN.joined([HIGH, LOW, GVISOR, PLAIN])
    result = admit({"spec": spec}, None, kind_of("v1", "Pod"), WITHOUT_ACCOUNT, known)["spec"]

    assert {field: result.get(field) for field in after} == after


def test_nothing_is_assumed_of_what_is_known() -> None:
    claim = kind_of("v1", "PersistentVolumeClaim")
    whole = Surroundings(whole=frozenset({("storage.k8s.io", "StorageClass", "")}))

    assert assumptions({"spec": {}}, None, claim, frozenset()) == ("no StorageClass is the default of the cluster",)
    assert assumptions({"spec": {}}, None, claim, frozenset(), whole) == ()
