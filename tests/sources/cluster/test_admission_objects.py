"""Namespaces, limits, quotas and policies of a snapshot and of a cluster."""

from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import UNSEEN, Absent, Knowledge, ObjectRef, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.sources.cluster.admission_objects import in_cluster, in_snapshot
from kubectl_applylint.sources.cluster.discovery import ServedKind
from kubectl_applylint.sources.cluster.http_result import JSON, Answer, FailedRequest, FailureClass
from kubectl_applylint.sources.cluster.read_results import Neighbours, States
from kubectl_applylint.sources.cluster.snapshot import read

QUOTAS = "/api/v1/namespaces/shop/resourcequotas"
LIMITS = "/api/v1/namespaces/shop/limitranges"
ACCOUNTS = "/api/v1/namespaces/shop/serviceaccounts"
BINDINGS = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings"
POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies"
MUTATING = [f"/apis/admissionregistration.k8s.io/v1/mutatingadmission{what}" for what in ("policies", "policybindings")]
WEBHOOKS = [f"/apis/admissionregistration.k8s.io/v1/{what}webhookconfigurations" for what in ("mutating", "validating")]
PRIORITIES = "/apis/scheduling.k8s.io/v1/priorityclasses"
RUNTIMES = "/apis/node.k8s.io/v1/runtimeclasses"
STORAGE_CLASSES = "/apis/storage.k8s.io/v1/storageclasses"
CLAIM = ObjectRef("v1", "PersistentVolumeClaim", "shop", "data")
INGRESS_CLASSES = "/apis/networking.k8s.io/v1/ingressclasses"
INGRESS = ObjectRef("networking.k8s.io/v1", "Ingress", "shop", "web")
NEW_MAP = ObjectRef("v1", "ConfigMap", "shop", "new")
OLD_MAP = ObjectRef("v1", "ConfigMap", "shop", "old")
NEW_POD = ObjectRef("v1", "Pod", "shop", "new")
SERVICE = ObjectRef("v1", "Service", "shop", "web")
ROLE = ObjectRef("rbac.authorization.k8s.io/v1", "ClusterRole", "", "reader")
THERE = Present({})


def item(kind: str, name: str, namespace: str = "", **content: JsonObject) -> JsonObject:
    place = {"namespace": namespace} if namespace else {}
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": name, **place}, **content}


def objects_of_snapshot(folder: Path, states: Mapping[ObjectRef, Knowledge], *objects: JsonObject) -> Neighbours:
    """Return the admission objects of a snapshot with these objects."""
    path = folder / "prod.yaml"
    path.write_text(yaml.safe_dump_all(objects))
    found = read(str(path), now=0)

    assert not isinstance(found, Problem), found
    return in_snapshot(found)(states)


def test_namespaces_missing_in_a_complete_snapshot_are_absent(tmp_path: Path) -> None:
    found = objects_of_snapshot(
        tmp_path, {NEW_MAP: Absent()}, item("Namespace", "kube-system"), item("Namespace", "bar")
    )

    assert found.notes == ()
    assert found.surroundings.lookup("", "Namespace", "shop") == Absent()
    assert found.surroundings.lookup("", "Namespace", "bar") == Present(item("Namespace", "bar"))


@pytest.mark.parametrize(
    "objects",
    [
        pytest.param((item("Namespace", "bar"),), id="some namespaces"),
        pytest.param((item("Namespace", "kube-system"), item("Secret", "s", "bar")), id="not all namespaces"),
        pytest.param((item("Secret", "s", "bar"),), id="none"),
    ],
)
def test_objects_that_a_snapshot_may_miss_are_unknown(tmp_path: Path, objects: tuple[JsonObject, ...]) -> None:
    found = objects_of_snapshot(tmp_path, {NEW_MAP: Absent()}, *objects)

    assert found.notes == ("could not check whether these namespaces exist: shop",)
    assert isinstance(found.surroundings.lookup("", "Namespace", "shop"), Unknown)


@pytest.mark.parametrize(
    ("states", "objects"),
    [
        pytest.param({NEW_MAP: Absent()}, (item("Secret", "s", "shop"),), id="inhabited"),
        pytest.param({NEW_MAP: Absent()}, (item("Namespace", "shop"),), id="there"),
        pytest.param(
            {NEW_MAP: Absent(), ObjectRef("v1", "Namespace", "", "shop"): Absent()},
            (item("Node", "node"),),
            id="created",
        ),
        pytest.param({OLD_MAP: THERE, ROLE: Absent()}, (item("Node", "node"),), id="nothing created in it"),
        pytest.param({ObjectRef("v1", "Secret", "default", "s"): Absent()}, (item("Node", "node"),), id="always there"),
    ],
)
def test_an_existing_namespace_has_no_note(
    tmp_path: Path, states: Mapping[ObjectRef, Knowledge], objects: tuple[JsonObject, ...]
) -> None:
    assert objects_of_snapshot(tmp_path, states, *objects).notes == ()


def test_a_snapshot_holds_quotas(tmp_path: Path) -> None:
    quota = item("ResourceQuota", "q", "shop")

    assert objects_of_snapshot(tmp_path, {}, quota).surroundings.known_objects("", "ResourceQuota", "shop") == (quota,)
    assert objects_of_snapshot(tmp_path, {}, item("Node", "node")).surroundings is UNSEEN


SETTINGS = ServedKind("v1", "ConfigMap", "configmaps", True, ("get", "list"), True)
ROOTED = {("x.io/v1", "Limit"): ServedKind("x.io/v1", "Limit", "limits", False, ("get", "list"), True)}


class Cluster:
    """A cluster that remembers what it is asked, and answers with the lists that it was given."""

    def __init__(
        self, lists: Mapping[str, list[JsonObject] | FailedRequest], namespaces: Mapping[str, Knowledge]
    ) -> None:
        self.lists = lists
        self.namespaces = namespaces
        self.asked: list[str] = []
        self.got: list[ObjectRef] = []

    def get(self, path: str, query: Mapping[str, str] | None = None, accept: str = JSON) -> Answer | FailedRequest:
        self.asked.append(path)
        found = self.lists.get(path, [])
        return found if isinstance(found, FailedRequest) else Answer({"metadata": {}, "items": found}, JSON)

    def cluster_view(self, states: Mapping[ObjectRef, Knowledge]) -> Neighbours:
        return in_cluster(self.get, self.live, lambda wanted: {("v1", "ConfigMap"): SETTINGS, **ROOTED}, states)

    def live(self, refs: Iterable[ObjectRef]) -> States:
        asked = list(refs)
        self.got += asked
        return States({ref: self.namespaces.get(ref.name, Unknown("closed")) for ref in asked}, ())


def cluster(namespace: Knowledge = THERE, **lists: list[JsonObject] | FailedRequest) -> Cluster:
    paths = {"classes": INGRESS_CLASSES, "quotas": QUOTAS, "limits": LIMITS, "bindings": BINDINGS, "policies": POLICIES}
    return Cluster({paths[name]: found for name, found in lists.items()}, {"shop": namespace})


@pytest.mark.parametrize(
    ("states", "asked"),
    [
        pytest.param({OLD_MAP: THERE}, [], id="change"),
        pytest.param({NEW_MAP: Absent()}, [QUOTAS], id="create"),
        pytest.param(
            {NEW_POD: Absent(), NEW_MAP: Absent()},
            [LIMITS, QUOTAS, ACCOUNTS, PRIORITIES, RUNTIMES],
            id="create of a pod",
        ),
        pytest.param({INGRESS: Absent()}, [QUOTAS, INGRESS_CLASSES], id="create of an ingress"),
        pytest.param({INGRESS: THERE}, [], id="change of an ingress"),
        pytest.param({SERVICE: THERE}, [QUOTAS], id="change of what quotas measure"),
        pytest.param({CLAIM: THERE}, [QUOTAS, STORAGE_CLASSES], id="change of a claim"),
        pytest.param({ROLE: Absent()}, [], id="outside of namespaces"),
    ],
)
def test_a_cluster_is_asked_for_what_matters(states: Mapping[ObjectRef, Knowledge], asked: list[str]) -> None:
    asking = cluster()
    asking.cluster_view(states)

    assert sorted(asking.asked) == sorted([*asked, BINDINGS, POLICIES, *MUTATING, *WEBHOOKS])


def test_an_unknown_cluster_is_not_asked() -> None:
    asking = cluster()

    assert asking.cluster_view({NEW_MAP: Unknown("no connection")}) == Neighbours()
    assert asking.asked == []


def test_a_cluster_has_namespaces_and_lists() -> None:
    quota = item("ResourceQuota", "q", "shop")
    found = cluster(Absent(), quotas=[quota]).cluster_view({NEW_MAP: Absent()})

    assert found.notes == ()
    assert found.surroundings.lookup("", "Namespace", "shop") == Absent()
    assert found.surroundings.all_objects("", "ResourceQuota", "shop") == (quota,)
    assert found.surroundings.all_objects("admissionregistration.k8s.io", "ValidatingAdmissionPolicy") == ()
    assert isinstance(found.surroundings.all_objects("", "LimitRange", "shop"), Unknown)


def test_one_note_names_what_could_not_be_read() -> None:
    closed = FailedRequest(FailureClass.FORBIDDEN, "no")
    found = cluster(Unknown("no"), quotas=closed, policies=FailedRequest(FailureClass.UNSERVED, "what?")).cluster_view(
        {NEW_MAP: Absent()}
    )

    assert found.notes == (
        "not predicted: rejections by these kinds, which could not be read: namespaces, resourcequotas",
    )
    assert isinstance(found.surroundings.lookup("", "Namespace", "shop"), Unknown)


def test_outcomes_name_classes_that_could_not_be_read() -> None:
    found = cluster(classes=FailedRequest(FailureClass.FORBIDDEN, "no")).cluster_view({INGRESS: Absent()})

    assert found.notes == ()
    assert isinstance(found.surroundings.all_objects("networking.k8s.io", "IngressClass"), Unknown)


@pytest.mark.parametrize("allowed", [True, False])
def test_many_namespaces_are_listed_in_one_request_if_allowed(allowed: bool) -> None:
    quota = item("ResourceQuota", "q", "ns1")
    everywhere = "/api/v1/resourcequotas"
    asking = Cluster(
        {
            everywhere: [quota] if allowed else FailedRequest(FailureClass.FORBIDDEN, "no"),
            QUOTAS.replace("shop", "ns1"): [quota],
        },
        {f"ns{number}": THERE for number in range(5)},
    )
    found = asking.cluster_view({ObjectRef("v1", "ConfigMap", f"ns{number}", "new"): Absent() for number in range(5)})

    assert found.notes == ()
    assert len([path for path in asking.asked if path.endswith("resourcequotas")]) == (1 if allowed else 6)
    assert [found.surroundings.all_objects("", "ResourceQuota", place) for place in ("ns1", "ns2")] == [(quota,), ()]


def bound(policy_name: str, api_version: str, kind: str, **ref: str | JsonObject) -> tuple[JsonObject, JsonObject]:
    """Return a policy with parameters of a kind and its binding."""
    registration = "admissionregistration.k8s.io/v1"
    policy = item(
        "ValidatingAdmissionPolicy", policy_name, spec={"paramKind": {"apiVersion": api_version, "kind": kind}}
    )
    binding = item("ValidatingAdmissionPolicyBinding", policy_name, spec={"policyName": policy_name, "paramRef": ref})
    return {**policy, "apiVersion": registration}, {**binding, "apiVersion": registration}


@pytest.mark.parametrize(
    ("bindings", "got", "listed"),
    [
        pytest.param([bound("a", "v1", "ConfigMap", name="s")], ["v1 shop/s"], [], id="in the namespace"),
        pytest.param([bound("a", "v1", "ConfigMap", name="s", namespace="b")], ["v1 b/s"], [], id="in another"),
        pytest.param([bound("a", "x.io/v1", "Limit", name="s")], ["x.io/v1 /s"], [], id="in none"),
        pytest.param(
            [bound("a", "v1", "ConfigMap", selector={})], [], ["/api/v1/namespaces/shop/configmaps"], id="selected"
        ),
        pytest.param([bound("a", "y.io/v1", "Limit", name="s")], [], [], id="of a kind that is not served"),
        pytest.param([bound("a", "v1", "ConfigMap")], [], [], id="no reference"),
    ],
)
def test_the_parameters_of_policies_are_asked_for(
    bindings: list[tuple[JsonObject, JsonObject]], got: list[str], listed: list[str]
) -> None:
    asking = cluster(policies=[policy for policy, _ in bindings], bindings=[binding for _, binding in bindings])
    asking.cluster_view({NEW_MAP: Absent()})

    assert [f"{ref.api_version} {ref.namespace}/{ref.name}" for ref in asking.got if ref.kind != "Namespace"] == got
    assert [path for path in asking.asked if path.endswith("configmaps")] == listed


def test_a_snapshot_holds_parameters(tmp_path: Path) -> None:
    settings = item("ConfigMap", "s", "shop")
    policy, binding = bound("a", "v1", "ConfigMap", name="s")

    assert objects_of_snapshot(tmp_path, {}, policy, binding, settings).surroundings.known_objects(
        "", "ConfigMap", "shop"
    ) == (settings,)


@pytest.mark.parametrize("state", [Absent(), Present(item("ConfigMap", "s", "shop"))], ids=["missing", "there"])
def test_parameters_of_policies_have_a_known_state(state: Knowledge) -> None:
    policy, binding = bound("a", "v1", "ConfigMap", name="s")
    asking = cluster(policies=[policy], bindings=[binding])
    asking.namespaces = {**asking.namespaces, "s": state}

    assert asking.cluster_view({NEW_MAP: Absent()}).surroundings.lookup("", "ConfigMap", "s", "shop") == state
