"""Live state from the real API server."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kubectl_applylint.core.state import Absent, ObjectRef, Present, Unknown, ref_of
from kubectl_applylint.core.values import JsonObject, equal
from kubectl_applylint.sources.cluster.cluster import Cluster, open_cluster
from kubectl_applylint.sources.cluster.connection import Connection, Environment
from kubectl_applylint.sources.cluster.http_result import NoCluster
from tests.cluster.cluster import READ_ONLY
from tests.cluster.cluster import Cluster as RealCluster
from tests.cluster.proxy import Recording

DISCOVERY = ("/api", "/apis")


@contextmanager
def open_real_cluster(cluster: RealCluster, cache: Path, namespace: str, **flags: Any) -> Iterator[Cluster]:
    connection = Connection(kubeconfig=str(cluster.kubeconfig), namespace=namespace, cache_dir=str(cache), **flags)
    found = open_cluster(connection, Environment({}, "/nowhere"))
    assert isinstance(found, Cluster), found
    try:
        yield found
    finally:
        found.close()


def apply(cluster: RealCluster, namespace: str, objects: Sequence[JsonObject]) -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": list(objects)})
    run = cluster.run("apply", "-n", namespace, "-f", "-", stdin=text)
    assert run.code == 0, run.stderr


def config_map(name: str) -> JsonObject:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "labels": {"n": name}},
        "data": {"a": "1"},
    }


def deployment(name: str) -> JsonObject:
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [{"name": "c", "image": "nginx"}]}}
    spec = {"selector": {"matchLabels": {"app": name}}, "template": template}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name}, "spec": spec}


def autoscaler(name: str, version: str) -> JsonObject:
    target = {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}
    return {
        "apiVersion": f"autoscaling/{version}",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": name},
        "spec": {"maxReplicas": 3, "scaleTargetRef": target},
    }


def service(name: str) -> JsonObject:
    spec = {"selector": {"app": name}, "ports": [{"port": 80}]}
    return {"apiVersion": "v1", "kind": "Service", "metadata": {"name": name}, "spec": spec}


def secret(name: str) -> JsonObject:
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}, "stringData": {"password": "PLANTED"}}


def as_kubectl_has_them(cluster: RealCluster, namespace: str) -> list[JsonObject]:
    kinds = "configmaps,deployments,services"
    run = cluster.run("get", kinds, "-n", namespace, "-o", "json", "--show-managed-fields")
    assert run.code == 0, run.stderr
    items: list[JsonObject] = json.loads(run.stdout)["items"]
    return items


@pytest.mark.parametrize("count", [1, 5], ids=["got", "listed"])
def test_objects_are_what_kubectl_gets(
    count: int, cluster: RealCluster, reader: RealCluster, namespace: str, tmp_path: Path
) -> None:
    objects = [make(f"o{number}") for make in (config_map, deployment, service) for number in range(count)]
    apply(cluster, namespace, objects)

    with open_real_cluster(reader, tmp_path, namespace) as live:
        states = live.live(ref_of(each) for each in objects).states

    had = {ref_of(item): item for item in as_kubectl_has_them(cluster, namespace)}
    for ref in (ref_of(each) for each in objects):
        state = states[ref]
        assert isinstance(state, Present)
        assert equal(dict(state.object), had[replace(ref, namespace=namespace)])


def test_the_cluster_introduces_itself(reader: RealCluster, tmp_path: Path) -> None:
    with open_real_cluster(reader, tmp_path, "") as live:
        assert (live.version, live.default_namespace) == (reader.version, "default")
        assert live.kinds()["apps/v1", "Deployment"].namespaced
        assert not live.kinds()["v1", "Namespace"].namespaced
        assert {"default", "kube-system"} <= set(live.namespaces())


def test_absent_objects_and_unknown_kinds(reader: RealCluster, namespace: str, tmp_path: Path) -> None:
    nothing = ObjectRef("v1", "ConfigMap", "", "nothing")
    nowhere = ObjectRef("apps/v1", "Deployment", "no-such-namespace", "nothing")
    scoped = ObjectRef("v1", "Namespace", "ignored", namespace)
    unserved = ObjectRef("example.com/v1", "Widget", "", "nothing")

    with open_real_cluster(reader, tmp_path, namespace) as live:
        found = live.live([nothing, nowhere, scoped, unserved])

    assert [type(found.states[ref]) for ref in (nothing, nowhere, scoped, unserved)] == [
        Absent,
        Absent,
        Present,
        Unknown,
    ]
    assert (found.problems, list(found.unserved)) == ((), [("example.com/v1", "Widget")])


def test_objects_are_read_in_each_version(
    cluster: RealCluster, reader: RealCluster, namespace: str, tmp_path: Path
) -> None:
    apply(cluster, namespace, [autoscaler("web", "v1"), autoscaler("db", "v2")])
    refs = [ref_of(autoscaler("web", version)) for version in ("v1", "v2")]

    with open_real_cluster(reader, tmp_path, namespace) as live:
        states = live.live(refs).states
        applied = live.list_applied(namespace)

    versions = [state.object["apiVersion"] for state in states.values() if isinstance(state, Present)]
    assert versions == ["autoscaling/v1", "autoscaling/v2"]
    assert {item["metadata"]["name"]: item["apiVersion"] for item in applied.objects} == {
        "web": "autoscaling/v1",
        "db": "autoscaling/v2",
    }


def test_applied_objects_are_found_by_namespace_and_selector(
    cluster: RealCluster, reader: RealCluster, namespace: str, tmp_path: Path
) -> None:
    apply(cluster, namespace, [config_map("a"), config_map("b"), deployment("c")])
    cluster.run("create", "configmap", "plain", "-n", namespace)

    with open_real_cluster(reader, tmp_path, namespace) as live:
        here = live.list_applied(namespace)
        everywhere = live.list_applied("", "n in (a,b)")

    assert [(item["kind"], item["metadata"]["name"]) for item in here.objects] == [
        ("ConfigMap", "a"),
        ("ConfigMap", "b"),
        ("Deployment", "c"),
    ]
    found = [item["metadata"]["name"] for item in everywhere.objects if item["metadata"]["namespace"] == namespace]
    assert (found, here.problems, everywhere.problems) == (["a", "b"], (), ())


def test_custom_resources_and_their_definitions(
    cluster: RealCluster, reader: RealCluster, namespace: str, tmp_path: Path
) -> None:
    group = f"{namespace}.example.com"
    schema = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
    spec = {
        "group": group,
        "scope": "Namespaced",
        "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "listKind": "WidgetList"},
        "versions": [{"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}],
    }
    name = f"widgets.{group}"
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": name},
    }
    ref = ObjectRef(f"{group}/v1", "Widget", "", "w")
    with open_real_cluster(reader, tmp_path, namespace) as live:
        assert (ref.api_version, ref.kind) not in live.kinds()
    apply(cluster, namespace, [{**definition, "spec": spec}])
    try:
        cluster.run("wait", "--for=condition=Established", f"crd/{name}", "--timeout=20s")
        widget = {"apiVersion": ref.api_version, "kind": "Widget", "metadata": {"name": "w"}, "size": 3}
        apply(cluster, namespace, [widget])
        with open_real_cluster(reader, tmp_path, namespace) as live:
            state = live.live([ref]).states[ref]
            found = live.crds([(ref.api_version, ref.kind), ("apps/v1", "Deployment")])
    finally:
        cluster.delete(f"/apis/apiextensions.k8s.io/v1/customresourcedefinitions/{name}")

    assert isinstance(state, Present)
    assert state.object["size"] == 3
    assert [item["metadata"]["name"] for item in found.objects] == [name]


def test_a_missing_right_leaves_the_rest_known(cluster: RealCluster, namespace: str, tmp_path: Path) -> None:
    objects = [config_map(f"o{number}") for number in range(5)] + [secret(f"s{number}") for number in range(5)]
    apply(cluster, namespace, objects)
    rules = [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]}]

    with cluster.user(rules) as reader, open_real_cluster(reader, tmp_path, namespace) as live:
        found = live.live(ref_of(each) for each in objects)

    kinds = {(ref.kind, type(state)) for ref, state in found.states.items()}
    assert kinds == {("ConfigMap", Present), ("Secret", Unknown)}
    (problem,) = found.problems
    assert problem.message.startswith("forbidden: user system:serviceaccount:")
    assert problem.message.endswith(f" cannot get secrets in namespace {namespace} (5 objects skipped)")


def test_a_reader_cannot_impersonate_other_users(cluster: RealCluster, namespace: str, tmp_path: Path) -> None:
    apply(cluster, namespace, [config_map("a")])
    ref = ref_of(config_map("a"))

    rights = [*READ_ONLY, {"apiGroups": [""], "resources": ["users"], "verbs": ["impersonate"]}]
    with cluster.user(rights) as actor, open_real_cluster(actor, tmp_path, namespace, as_user="jane") as live:
        found = live.live([ref])

    assert found.states[ref] == Unknown(f"forbidden: user jane cannot get configmaps in namespace {namespace}")


def test_an_expired_token_is_reported(cluster: RealCluster, tmp_path: Path) -> None:
    connection = Connection(kubeconfig=str(cluster.kubeconfig), token="expired", cache_dir=str(tmp_path))

    found = open_cluster(connection, Environment({}, "/nowhere"))

    assert isinstance(found, NoCluster)
    assert "does not accept the credentials of user" in found.problem.message


def test_two_hundred_objects_take_few_requests_and_only_get(
    cluster: RealCluster, reading: tuple[RealCluster, Recording], namespace: str, tmp_path: Path
) -> None:
    makers = (config_map, secret, service, deployment, lambda name: autoscaler(name, "v2"))
    objects = [make(f"o{number:03}") for make in makers for number in range(40)]
    apply(cluster, namespace, objects)

    reader, proxy = reading
    proxy.take()
    with open_real_cluster(reader, tmp_path, namespace) as live:
        found = live.live(ref_of(each) for each in objects)
        exchanges = proxy.take()
        live.list_applied(namespace)
        live.crds([("example.com/v1", "Widget")])
        others = proxy.take()

    assert all(isinstance(state, Present) for state in found.states.values())
    assert len([each for each in exchanges if each.path not in DISCOVERY]) <= 12
    assert {each.method for each in (*exchanges, *others)} == {"GET"}
    assert [each.body for each in (*exchanges, *others) if each.body is not None] == []
