from kubectl_applylint.appliers.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization, Reconciliation
from kubectl_applylint.appliers.helm.release import Release
from kubectl_applylint.appliers.helm.upgrade import HelmAction, HelmUpgrade
from kubectl_applylint.appliers.kapp.app import UNDRAWN, KappApp
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.run.live_source import no_live_source
from kubectl_applylint.run.reading import Reading
from kubectl_applylint.run.unit_policies import by_program
from tests.engine.test_set_apply import CRD, config
from tests.run.test_kapp_units import read

FIRST = FluxKustomization("shop", "flux-system")


def compared(by: UnitApplier, flags: Flags = NO_FLAGS) -> tuple[Reading, Reading]:
    """Return what an earlier revision with one ConfigMap and a later one with a definition, too, are for a program."""
    return by_program(by, no_live_source(), flags, read(config("a")), read(config("a"), CRD))


def test_what_the_earlier_revision_makes_is_what_flux_has_applied() -> None:
    past, now = compared(UnitApplier(Applier.FLUX, FIRST))

    assert (past.policy, now.policy) == (Reconciliation(FIRST), Reconciliation(FIRST, (ref_of(config("a")),)))
    assert [document.ref.kind for document in now.here] == ["CustomResourceDefinition", "ConfigMap"]


def test_helm_upgrades_a_release_in_the_namespace_of_the_run() -> None:
    by = UnitApplier(Applier.HELM4, Release("shop", ""))
    _, now = compared(by, Flags(namespace="prod"))
    _, new = compared(by, Flags(is_new_unit=True))

    assert isinstance(now.policy, HelmUpgrade)
    assert isinstance(new.policy, HelmUpgrade)
    assert (now.policy.release, now.policy.is_server_side) == (Release("shop", "prod"), True)
    assert (new.policy.release.namespace, new.policy.action) == ("default", HelmAction.INSTALL)


def test_argocd_syncs_both() -> None:
    sync = ArgoSync(ArgoApplication("shop", "prod"))

    assert [each.policy for each in compared(UnitApplier(Applier.ARGOCD, sync))] == [sync, sync]


def test_kapp_has_deployed_the_earlier_revision() -> None:
    past, now = compared(UnitApplier(Applier.KAPP, KappApp("shop", "", UNDRAWN)))

    assert isinstance(past.policy, KappDeploy)
    assert isinstance(now.policy, KappDeploy)
    assert (past.policy.app.namespace, now.policy.app.namespace) == ("default", "default")
