"""What Helm, Flux and kapp remember, where a cluster or a snapshot tells it."""

import json
from pathlib import Path

from kubectl_applylint.appliers.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.appliers.flags import NO_FLAGS
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization, Reconciliation
from kubectl_applylint.appliers.helm.release import Release
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade
from kubectl_applylint.appliers.kapp.app import UNDRAWN, KappApp
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.memory import deletable, policy_in, remembered
from kubectl_applylint.run.reading import Reading
from kubectl_applylint.run.snapshot_source import in_snapshot
from tests.run.test_kapp_units import app_record, labelled
from tests.sources.test_helm_releases import secret
from tests.stories import SCHEMA

SHOP = FluxKustomization("shop", "flux-system", prunes=True)
SYNC = ArgoSync(ArgoApplication("shop", "prod"))
READ = Reading(SCHEMA, (), (), (), (), None, (), ())
BY_FLUX, BY_HELM = UnitApplier(Applier.FLUX, SHOP), UnitApplier(Applier.HELM3, Release("shop", "prod"))
BY_KAPP = UnitApplier(Applier.KAPP, KappApp("shop", "prod", UNDRAWN))


def kustomization(*entries: JsonObject) -> JsonObject:
    return {
        "apiVersion": "kustomize.toolkit.fluxcd.io/v1",
        "kind": "Kustomization",
        "metadata": {"name": "shop", "namespace": "flux-system"},
        "status": {"inventory": {"entries": [*entries]}},
    }


def snapshot(folder: Path, *items: JsonObject) -> LiveSource:
    file = folder / "snapshot.json"
    file.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}))
    return in_snapshot(str(file))


def told(source: LiveSource, by: UnitApplier) -> tuple[list[str], list[str]]:
    """Return the objects that are remembered, and the problems."""
    policy, problems = policy_in(source, by, READ)
    return [f"{ref.api_version} {ref} {ref.namespace}".strip() for ref in remembered(policy)], [
        problem.message for problem in problems
    ]


def test_flux_remembers_its_inventory(tmp_path: Path) -> None:
    source = snapshot(
        tmp_path,
        kustomization(
            {"id": "shop_web_apps_Deployment", "v": "v1"},
            {"id": "_system__node_rbac.authorization.k8s.io_ClusterRole", "v": "v1"},
            {"id": "shop_settings__ConfigMap", "v": "v1"},
            {"id": "damaged"},
        ),
    )

    assert told(source, BY_FLUX) == (
        [
            "apps/v1 deployment.apps/web shop",
            "rbac.authorization.k8s.io/v1 clusterrole.rbac.authorization.k8s.io/system:node",
            "v1 configmap/settings shop",
        ],
        [],
    )


def test_a_snapshot_without_the_kustomization_does_not_say_what_is_pruned(tmp_path: Path) -> None:
    names, (problem,) = told(snapshot(tmp_path, secret()), BY_FLUX)

    assert names == []
    assert problem.startswith("what Flux prunes is not known: the snapshot ")


def test_helm_remembers_the_manifests_of_its_revision(tmp_path: Path) -> None:
    assert told(snapshot(tmp_path, secret()), BY_HELM) == (["v1 configmap/a prod"], [])


def test_kapp_may_delete_what_has_the_label_of_the_app(tmp_path: Path) -> None:
    source = snapshot(tmp_path, app_record(), labelled("one"), labelled("two", "2"))
    policy, _ = policy_in(source, BY_KAPP, READ)
    found = deletable(source, NO_FLAGS, policy, [])

    assert isinstance(policy, KappDeploy)
    assert [item["metadata"]["name"] for item in found.objects] == ["one"]


def test_each_program_has_a_policy_of_its_own(tmp_path: Path) -> None:
    source = snapshot(tmp_path, secret(), kustomization())

    assert isinstance(policy_in(source, BY_HELM, READ)[0], HelmUpgrade)
    assert policy_in(source, BY_FLUX, READ)[0] == Reconciliation(SHOP)
    assert policy_in(source, UnitApplier(Applier.ARGOCD, SYNC), READ) == (SYNC, ())
    assert list(remembered(SYNC)) == []
