import json
from dataclasses import replace
from pathlib import Path

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.compare.snapshot_source import in_snapshot
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_policies import (
    deletable_objects,
    program_notes,
    read_by_program,
    recorded_objects,
    rejection_notes,
    with_live_state,
    with_renamed_objects,
    without_own_inputs,
)
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.flux.kustomization import FluxKustomization, Reconciliation
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUnit, HelmUpgrade
from kubectl_applylint.tools.kapp.app import UNKNOWN_LABEL, KappApp
from kubectl_applylint.tools.kapp.deploy import KappDeploy
from tests.engine.test_set_apply import CRD, apply_manifests, config, having
from tests.engine.test_set_apply import SHOP as SHOP_NAMESPACE
from tests.sources.cluster.test_helm_releases import secret
from tests.stories import SCHEMA
from tests.tools.kapp.test_unit import app_record, labelled_config, read

SHOP = FluxKustomization("shop", "flux-system", prunes=True)
READ = Reading(SCHEMA, (), (), (), (), None, (), ())
BY_FLUX, BY_HELM = UnitApplier(Applier.FLUX, SHOP), UnitApplier(Applier.HELM3, HelmUnit(Release("shop", "prod")))
BY_KAPP = UnitApplier(Applier.KAPP, KappApp("shop", "prod", UNKNOWN_LABEL))


def read_revisions(by: UnitApplier, flags: Flags = NO_FLAGS) -> tuple[Reading, Reading]:
    """Read an earlier revision with a ConfigMap, and a later one that adds a definition, for a program."""
    return read_by_program(by, no_live_source(), flags, read(config("a")), read(config("a"), CRD))


def test_objects_of_the_earlier_revision_are_in_the_inventory_of_flux() -> None:
    past, now = read_revisions(UnitApplier(Applier.FLUX, SHOP))

    assert (past.policy, now.policy) == (Reconciliation(SHOP), Reconciliation(SHOP, (ref_of(config("a")),)))
    assert [document.ref.kind for document in now.here] == ["CustomResourceDefinition", "ConfigMap"]


def test_helm_upgrades_a_release_and_installs_a_new_one() -> None:
    by = UnitApplier(Applier.HELM4, HelmUnit(Release("shop", "prod")))
    _, now = read_revisions(by)
    _, new = read_revisions(by, Flags(is_new_unit=True))

    assert isinstance(now.policy, HelmUpgrade)
    assert isinstance(new.policy, HelmUpgrade)
    assert (now.policy.release, now.policy.is_server_side) == (Release("shop", "prod"), True)
    assert new.policy.action is HelmAction.INSTALL


def test_argocd_syncs_both() -> None:
    sync = ArgoSync(ArgoApplication("shop", "prod"))

    assert [each.policy for each in read_revisions(UnitApplier(Applier.ARGOCD, sync))] == [sync, sync]


def test_the_earlier_revision_was_synced_with_its_own_options() -> None:
    former, sync = (ArgoSync(ArgoApplication("shop", "prod", frozenset(each))) for each in ([], ["Replace=true"]))

    assert [each.policy for each in read_revisions(UnitApplier(Applier.ARGOCD, sync, former))] == [former, sync]


def test_kapp_has_deployed_the_earlier_revision() -> None:
    past, now = read_revisions(BY_KAPP)

    assert isinstance(past.policy, KappDeploy)
    assert isinstance(now.policy, KappDeploy)
    assert [ref_of(document.object).name for document in past.here] == ["a"]


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


def read_recorded(by: UnitApplier, source: LiveSource) -> Reading:
    """Read a unit whose program depends on the records of a cluster or a snapshot."""
    return read_by_program(by, source, NO_FLAGS, READ, READ)[1]


def names_and_problems(source: LiveSource, by: UnitApplier) -> tuple[list[str], list[str]]:
    """Return the objects that are remembered, and the problems."""
    found = read_recorded(by, source)
    policy, problems = found.policy, found.problems
    return [f"{ref.api_version} {ref} {ref.namespace}".strip() for ref in recorded_objects(policy)], [
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

    assert names_and_problems(source, BY_FLUX) == (
        [
            "apps/v1 deployment.apps/web shop",
            "rbac.authorization.k8s.io/v1 clusterrole.rbac.authorization.k8s.io/system:node",
            "v1 configmap/settings shop",
        ],
        [],
    )


def test_a_snapshot_without_the_kustomization_does_not_say_what_is_pruned(tmp_path: Path) -> None:
    names, (problem,) = names_and_problems(snapshot(tmp_path, secret()), BY_FLUX)

    assert names == []
    assert problem.startswith("what Flux prunes is not known: the snapshot ")


def test_helm_remembers_the_manifests_of_its_revision(tmp_path: Path) -> None:
    assert names_and_problems(snapshot(tmp_path, secret()), BY_HELM) == (["v1 configmap/a prod"], [])


def test_kapp_may_delete_what_has_the_label_of_the_app(tmp_path: Path) -> None:
    source = snapshot(tmp_path, app_record(), labelled_config("one"), labelled_config("two", "2"))
    policy = read_recorded(BY_KAPP, source).policy
    found = deletable_objects(source, NO_FLAGS, policy, [])

    assert isinstance(policy, KappDeploy)
    assert [item["metadata"]["name"] for item in found.objects] == ["one"]


def test_each_program_has_a_policy_of_its_own(tmp_path: Path) -> None:
    source = snapshot(tmp_path, secret(), kustomization())
    sync = ArgoSync(ArgoApplication("shop", "prod"))

    assert isinstance(read_recorded(BY_HELM, source).policy, HelmUpgrade)
    assert read_recorded(BY_FLUX, source).policy == Reconciliation(SHOP)
    assert read_recorded(UnitApplier(Applier.ARGOCD, sync), source).policy == sync
    assert (list(recorded_objects(sync)), list(program_notes(sync, source))) == ([], [])


def test_kubectl_has_no_stored_state(tmp_path: Path) -> None:
    source, given, cluster = snapshot(tmp_path, secret()), Input(), ClusterModel()

    assert (with_live_state(READ, cluster), with_renamed_objects(cluster, READ, source)) == (READ, cluster)
    assert without_own_inputs(given, None) is given
    assert without_own_inputs(given, Reconciliation(SHOP)) is given
    assert with_renamed_objects(cluster, replace(READ, policy=Reconciliation(SHOP)), source) is cluster
    assert (list(recorded_objects(None)), list(program_notes(None, source))) == ([], [])
    assert deletable_objects(source, NO_FLAGS, None, []) == deletable_objects(
        source, NO_FLAGS, Reconciliation(SHOP), []
    )


def test_the_consequence_of_a_rejection_is_noted_only_if_an_object_is_rejected() -> None:
    call = HelmUpgrade(Release("app", "shop"), HelmAction.INSTALL, after_rejection="the release is uninstalled")
    accepted, rejected = config("a"), config("A")
    found = [apply_manifests([one], having(SHOP_NAMESPACE), policy=call) for one in (accepted, rejected)]

    assert [[*rejection_notes(one)] for one in found] == [[], ["the release is uninstalled"]]
    assert [*rejection_notes(None)] == [*rejection_notes(apply_manifests([rejected]))] == []
