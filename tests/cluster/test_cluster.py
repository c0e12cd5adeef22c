"""The harness itself: the server runs and ends, users may do what they may, a machine without Go gets a message."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cluster.cluster import Cluster, cluster_of_kubeconfig

ROOT = Path(__file__).parent.parent.parent
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings"}, "data": {"a": "1"}}
ORPHAN = """
import os, tempfile
from pathlib import Path
from tests.cluster.build import programs
from tests.cluster.server import running
with running(programs(os.environ), Path(tempfile.mkdtemp(dir=os.environ["SCRATCH"]))) as server:
    print(server.process.pid, flush=True)
    os._exit(9)
"""


def test_server_and_kubectl_are_of_one_version(cluster: Cluster) -> None:
    run = cluster.run("version", "--output=json")

    assert run.code == 0
    assert run.stdout.count(f'"gitVersion": "{cluster.version}"') == 2


def test_whatever_uses_the_server_is_marked(cluster: Cluster, request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("cluster") is not None


def test_objects_can_be_made_changed_and_deleted(cluster: Cluster, namespace: str) -> None:
    collection = f"/api/v1/namespaces/{namespace}/configmaps"
    path = f"{collection}/settings"

    assert cluster.post(collection, CONFIG).status == 201
    assert cluster.patch(path, {"data": {"a": "2"}}).json["data"] == {"a": "2"}
    assert cluster.put(path, {**CONFIG, "data": {}}).ok
    assert "data" not in cluster.get(path).json
    assert cluster.delete(path).ok
    assert cluster.get(path).status == 404


def test_kubectl_reaches_the_server(cluster: Cluster, namespace: str) -> None:
    manifest = '{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}'
    run = cluster.run("apply", "--namespace", namespace, "--filename=-", stdin=manifest)

    assert (run.code, run.stdout) == (0, "configmap/a created\n")


def test_a_dropped_namespace_is_gone(cluster: Cluster) -> None:
    name = cluster.make_namespace()
    cluster.drop_namespace(name)

    assert cluster.has_controllers or cluster.get(f"/api/v1/namespaces/{name}").status == 404


@pytest.mark.parametrize("again", range(2))
def test_a_dropped_namespace_holds_no_ports(cluster: Cluster, again: int) -> None:
    """The next test can use the node ports of its Services."""
    name = cluster.make_namespace()
    ports = [{"port": 80, "nodePort": 30099}]
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a"}}
    made = cluster.post(
        f"/api/v1/namespaces/{name}/services", {**service, "spec": {"type": "NodePort", "ports": ports}}
    )
    cluster.drop_namespace(name)

    assert made.ok or cluster.has_controllers, made.json


def test_a_reader_reads_and_may_not_write(cluster: Cluster, namespace: str) -> None:
    collection = f"/api/v1/namespaces/{namespace}/configmaps"
    with cluster.user() as reader:
        assert reader.get(collection).ok
        assert reader.post(collection, CONFIG).status == 403
        assert reader.run("get", "configmaps", "--namespace", namespace).code == 0
        refused = reader.run("create", "configmap", "b", "--namespace", namespace)

    assert refused.code != 0
    assert "is forbidden" in refused.stderr


def test_a_kubeconfig_of_a_running_cluster_will_do(cluster: Cluster, tmp_path: Path) -> None:
    other = cluster_of_kubeconfig(cluster.kubeconfig, cluster.kubectl, tmp_path)

    assert other.version == cluster.version
    with other.user() as reader:
        assert reader.get("/api/v1/namespaces").ok
        assert reader.post("/api/v1/namespaces", {}).status == 403


def test_the_server_does_not_outlive_its_starter(cluster: Cluster, tmp_path: Path) -> None:
    if cluster.has_controllers or "KUBEBUILDER_ASSETS" in os.environ:
        pytest.skip("only the server that is built here watches who started it")
    run = subprocess.run(
        [sys.executable, "-c", ORPHAN],
        cwd=ROOT,
        env={**os.environ, "SCRATCH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 9, run.stderr
    ended = subprocess.run(["timeout", "10", "tail", "-f", "/dev/null", f"--pid={run.stdout.strip()}"])

    assert ended.returncode == 0


@pytest.mark.parametrize(("ci", "outcome"), [("", "1 skipped"), ("1", "1 error")], ids=["at home", "in CI"])
@pytest.mark.slow
def test_without_go_the_reason_is_given(ci: str, outcome: str) -> None:
    test = f"{__file__}::{test_server_and_kubectl_are_of_one_version.__name__}"
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test],
        cwd=ROOT,
        env={"PATH": "", "CI": ci},
        capture_output=True,
        text=True,
    )

    assert "Go is not installed: install it, or set KUBEBUILDER_ASSETS or APPLYLINT_TEST_KUBECONFIG" in run.stdout
    assert outcome in run.stdout
