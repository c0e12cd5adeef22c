"""The program that does what helm-controller does, on the test server."""

from pathlib import Path

from tests.cluster.cluster import Cluster
from tests.cluster.helm_controller_program import act
from tests.fidelity.charts import write_chart
from tests.fidelity.helm_controller_stories import helm_release


def test_a_release_is_installed_corrected_and_uninstalled(
    helm_controller: Path, cluster: Cluster, namespace: str, tmp_path: Path
) -> None:
    item = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}, "data": {"a": "1"}}
    path, chart = f"/api/v1/namespaces/{namespace}/configmaps/one", write_chart(tmp_path / "app", [item])
    release = helm_release(namespace, ["driftDetection.mode=enabled"])
    installed = act(helm_controller, cluster.kubeconfig, "install", release, chart)
    owners = [entry["manager"] for entry in cluster.get(path).json["metadata"]["managedFields"]]
    cluster.patch(path, {"data": {"a": "2"}})
    corrected = act(helm_controller, cluster.kubeconfig, "drift", release, None)
    value = cluster.get(path).json["data"]["a"]
    gone = act(helm_controller, cluster.kubeconfig, "uninstall", release, None)

    assert [answer["error"] for answer in (installed, corrected, gone)] == ["", "", ""]
    assert (owners, value) == (["helm-controller"], "1")
    assert [entry["operations"] for entry in corrected["drift"]] == [["replace /data/a"]]
    assert cluster.get(path).status == 404
