"""The recording proxy: what kubectl sends, as it sends it."""

import json

from tests.cluster.api import APPLY_PATCH, kubeconfig
from tests.cluster.cluster import Cluster
from tests.cluster.proxy import recording

MANIFEST = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"k": "1"}})


def test_writes_are_recorded_with_their_bodies(cluster: Cluster, namespace: str) -> None:
    collection = f"/api/v1/namespaces/{namespace}/configmaps"
    with recording(cluster.api) as proxy:
        client = cluster.reached_through(proxy.url)
        created = client.run("apply", "-n", namespace, "-f", "-", stdin=MANIFEST)
        first = proxy.take()
        client.run("apply", "-n", namespace, "-f", "-", "--server-side", "--force-conflicts", stdin=MANIFEST)
        second = [exchange for exchange in proxy.take() if exchange.writes]

    assert created.stdout == "configmap/a created\n"
    assert [(e.method, e.path, e.status) for e in first if e.path.startswith(collection)] == [
        ("GET", f"{collection}/a", 404),
        ("POST", collection, 201),
    ]
    assert json.loads(first[-1].body or "")["data"] == {"k": "1"}
    assert ("fieldManager", "kubectl-client-side-apply") in first[-1].query
    assert (second[0].method, second[0].content_type) == ("PATCH", APPLY_PATCH)
    assert proxy.take() == ()


def test_a_rejection_is_recorded_with_its_reason(cluster: Cluster, namespace: str) -> None:
    with recording(cluster.api) as proxy:
        bad = MANIFEST.replace('"a"', '"A"')
        run = cluster.reached_through(proxy.url).run("apply", "-n", namespace, "-f", "-", stdin=bad)
        (refused,) = [exchange for exchange in proxy.take() if exchange.writes]

    assert run.code == 1
    assert (refused.status, refused.error["reason"]) == (422, "Invalid")


def test_a_kubeconfig_has_only_given_fields() -> None:
    assert kubeconfig("http://h")["users"] == [{"name": "test", "user": {}}]
    assert kubeconfig("https://h", "t", "ca.crt")["clusters"][0]["cluster"]["certificate-authority"] == "ca.crt"
