"""The program that syncs as Argo CD does, on the test server."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import ref_of
from tests.cluster.argocd_program import Operation, sync
from tests.cluster.cluster import Cluster


def test_a_set_is_applied_tracked_and_pruned(argocd: Path, cluster: Cluster, namespace: str) -> None:
    one, two = (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}}
        for name in ("one", "two")
    )
    operation, known = Operation("app", namespace, prunes=True), [ref_of(one), ref_of(two)]
    first = sync(argocd, cluster.kubeconfig, operation, [one, two])
    live = cluster.get(f"/api/v1/namespaces/{namespace}/configmaps/one").json
    second = sync(argocd, cluster.kubeconfig, operation, [one], known)

    assert first["phase"] == "Succeeded"
    assert live["metadata"]["annotations"]["argocd.argoproj.io/tracking-id"] == f"app:/ConfigMap:{namespace}/one"
    assert [owner["manager"] for owner in live["metadata"]["managedFields"]] == ["argocd-controller"]
    assert [(each["subject"], each["status"]) for each in second["results"]] == [
        (f"/ConfigMap/{namespace}/one", "Synced"),
        (f"/ConfigMap/{namespace}/two", "Pruned"),
    ]
    assert not cluster.get(f"/api/v1/namespaces/{namespace}/configmaps/two").ok


def test_an_application_may_keep_removed_objects(argocd: Path, cluster: Cluster, namespace: str) -> None:
    one = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one", "namespace": namespace}}
    sync(argocd, cluster.kubeconfig, Operation("app", namespace), [one])
    pruning = Operation("app", namespace, prunes=True, options=["Prune=false"])
    kept = sync(argocd, cluster.kubeconfig, pruning, [], [ref_of(one)])

    assert [(each["status"], each["message"]) for each in kept["results"]] == [("PruneSkipped", "ignored (no prune)")]


def test_nothing_is_written_when_an_object_of_the_set_is_of_no_kind(
    argocd: Path, cluster: Cluster, namespace: str
) -> None:
    one = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one"}}
    done = sync(argocd, cluster.kubeconfig, Operation("app", namespace), [one, {**one, "kind": "Nothing"}])

    assert done["phase"] == "Failed"
    assert not cluster.get(f"/api/v1/namespaces/{namespace}/configmaps/one").ok


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        ((), "SyncFailed", "from report-: cannot use generate name with apply"),
        (["ServerSideApply=true"], "SyncFailed", "from report-: cannot use generate name with apply"),
        (["Replace=true"], "Synced", ""),
    ],
)
def test_an_object_with_generate_name_alone_can_only_be_created(
    argocd: Path, cluster: Cluster, namespace: str, options: list[str], status: str, message: str
) -> None:
    one = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "report-", "namespace": namespace}}
    (result,) = sync(argocd, cluster.kubeconfig, Operation("app", namespace, options=options), [one])["results"]

    assert result["status"] == status
    assert not message or result["message"] == message
