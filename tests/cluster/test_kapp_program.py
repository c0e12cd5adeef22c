"""The real kapp on the test server."""

from pathlib import Path

from tests.cluster.cluster import Cluster
from tests.cluster.kapp_program import deploy


def test_a_set_is_deployed_and_what_leaves_it_is_deleted(kapp: Path, cluster: Cluster, namespace: str) -> None:
    one, two = ({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}} for name in ("one", "two"))
    done = [deploy(kapp, cluster, (namespace, "app"), objects) for objects in ([one, two], [one])]
    stored, left = (cluster.get(f"/api/v1/namespaces/{namespace}/configmaps/{name}") for name in ("one", "two"))

    assert [run.code for run in done] == [0, 0]
    assert {entry["manager"] for entry in stored.json["metadata"]["managedFields"]} == {"kapp"}
    assert left.status == 404
