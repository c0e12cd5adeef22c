"""Runs of Helm and Flux, predicted only from the cluster and then made by the real programs."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from tests.cluster.argocd_program import Operation, sync
from tests.cluster.desk import Desk
from tests.cluster.flux_program import Kustomization, reconcile
from tests.cluster.test_adoption import WEB
from tests.cluster.test_tool_migration import chart, with_helm

SETTINGS = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: '1'}\n"


def verdicts_by_kind(desk: Desk, helm: str) -> dict[str, str]:
    """Return the verdict for each kind."""
    found: JsonObject = desk.report(f"plan CHART --applier {helm} --release shop --against live")
    return {item["kind"]: item["verdict"] for unit in found["units"] for item in unit["objects"]}


@pytest.mark.parametrize(
    ("helm", "is_scaled", "web"),
    [
        ("helm3", False, "configured"),
        ("helm3", True, "configured"),
        ("helm4", False, "configured"),
        ("helm4", True, "conflict"),
    ],
)
def test_an_upgrade_uses_the_stored_manifest(
    helm: str, web: str, desk: Desk, helm_programs: Mapping[str, Path], *, is_scaled: bool
) -> None:
    with_helm(desk, helm_programs[helm])
    desk.write(WEB + SETTINGS)
    chart(desk)
    desk.does("helm install shop CHART")
    if is_scaled:
        desk.scale(7)
    desk.write(WEB.replace("web:1", "web:2"))
    chart(desk)

    assert verdicts_by_kind(desk, helm) == {"Deployment": web} | ({} if web == "conflict" else {"ConfigMap": "pruned"})

    done = desk.sh(f"helm upgrade shop CHART -n {desk.namespace}")
    assert (done.returncode == 0) == (web == "configured")
    assert desk.cluster.get(desk.path("ConfigMap")).ok == (web == "conflict")


def test_a_release_of_helm_3_stays_client_side(desk: Desk, helm_programs: Mapping[str, Path]) -> None:
    with_helm(desk, helm_programs["helm3"])
    desk.write(WEB)
    chart(desk)
    desk.does("helm install shop CHART")
    desk.scale(7)
    with_helm(desk, helm_programs["helm4"])

    assert verdicts_by_kind(desk, "helm4") == {"Deployment": "configured"}

    desk.does("helm upgrade shop CHART")
    assert desk.live()["spec"]["replicas"] == 3


def test_a_reconciliation_uses_the_inventory(desk: Desk, flux: Path) -> None:
    shop = {name: manifest(name, desk.namespace) for name in ("web", "old")}
    source = Kustomization("shop", "flux-system", prune=True)
    inventory = reconcile(flux, desk.cluster.kubeconfig, source, [*shop.values()])["inventory"]
    live = desk.cluster.run("get", "configmaps", "-n", desk.namespace, "-o", "json", "--show-managed-fields").stdout
    items = [*json.loads(live)["items"], {**SHOP, "status": {"inventory": {"entries": inventory}}}]
    write(desk.folder, "snapshot.json", {"apiVersion": "v1", "kind": "List", "items": items})
    write(desk.folder, "clusters/shop.yaml", SHOP)
    write(desk.folder, "shop/web.yaml", {**shop["web"], "data": {"a": "2"}})

    found: JsonObject = desk.report("plan shop clusters --applier flux --against snapshot:snapshot.json")

    verdicts = {item["name"]: item["verdict"] for unit in found["units"] for item in unit["objects"]}
    assert {"web": "configured", "old": "pruned"}.items() <= verdicts.items()
    again = replace(source, inventory=inventory)
    assert not reconcile(flux, desk.cluster.kubeconfig, again, [{**shop["web"], "data": {"a": "2"}}]).get("error")
    assert not desk.cluster.get(f"/api/v1/namespaces/{desk.namespace}/configmaps/old").ok


def test_a_sync_prunes_what_it_tracks(desk: Desk, argocd: Path) -> None:
    shop = {name: manifest(name, desk.namespace) for name in ("web", "old")}
    operation = Operation("shop", desk.namespace, prunes=True)
    assert sync(argocd, desk.cluster.kubeconfig, operation, [*shop.values()])["phase"] == "Succeeded"
    changed = {**shop["web"], "data": {"a": "2"}}
    write(desk.folder, "apps/shop.yaml", application(desk.namespace))
    write(desk.folder, "shop/web.yaml", changed)

    found: JsonObject = desk.report("plan shop apps --applier argocd --against live")

    verdicts = {item["name"]: item["verdict"] for unit in found["units"] for item in unit["objects"]}
    assert {"web": "configured", "old": "pruned"}.items() <= verdicts.items()
    known = [ref_of(item) for item in shop.values()]
    assert sync(argocd, desk.cluster.kubeconfig, operation, [changed], known)["phase"] == "Succeeded"
    assert not desk.cluster.get(f"/api/v1/namespaces/{desk.namespace}/configmaps/old").ok


def application(namespace: str) -> JsonObject:
    spec = {
        "project": "default",
        "destination": {"server": "https://kubernetes.default.svc", "namespace": namespace},
        "source": {"repoURL": "https://git.example/shop.git", "path": "shop", "targetRevision": "HEAD"},
        "syncPolicy": {"automated": {"prune": True}},
    }
    metadata = {"name": "shop", "namespace": "argocd"}
    return {"apiVersion": "argoproj.io/v1alpha1", "kind": "Application", "metadata": metadata, "spec": spec}


SHOP: JsonObject = {
    "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
    "kind": "Kustomization",
    "metadata": {"name": "shop", "namespace": "flux-system"},
    "spec": {"path": "./shop", "prune": True, "sourceRef": {"kind": "GitRepository", "name": "flux-system"}},
}


def manifest(name: str, namespace: str) -> JsonObject:
    metadata = {"name": name, "namespace": namespace}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "1"}}


def write(folder: Path, name: str, content: JsonObject) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content))
