"""The program that reconciles as Flux does, on the test server."""

from pathlib import Path

from tests.cluster.cluster import Cluster
from tests.cluster.flux_program import Kustomization, reconcile


def test_a_set_is_applied_remembered_and_pruned(flux: Path, cluster: Cluster, namespace: str) -> None:
    one, two = (
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": namespace}}
        for name in ("one", "two")
    )
    source = Kustomization("app", namespace, prune=True)
    first = reconcile(flux, cluster.kubeconfig, source, [one, two])
    source = Kustomization("app", namespace, prune=True, inventory=first["inventory"])
    second = reconcile(flux, cluster.kubeconfig, source, [one])

    assert first["error"] == ""
    assert [entry["id"] for entry in first["inventory"]] == [
        f"{namespace}_one__ConfigMap",
        f"{namespace}_two__ConfigMap",
    ]
    assert second["applied"] == [{"subject": f"ConfigMap/{namespace}/one", "action": "unchanged"}]
    assert second["pruned"] == [{"subject": f"ConfigMap/{namespace}/two", "action": "deleted"}]
