"""What Helm, Flux and kapp remember of the objects that they have applied, where a cluster or a snapshot tells it."""

from collections.abc import Iterator, Sequence
from typing import assert_never

from kubectl_applylint.appliers.argocd.application import ArgoSync
from kubectl_applylint.appliers.flags import Flags, Policy
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization, Reconciliation
from kubectl_applylint.appliers.helm.release import Release
from kubectl_applylint.appliers.helm.upgrade import HelmUpgrade
from kubectl_applylint.appliers.kapp.app import KappApp
from kubectl_applylint.appliers.kapp.deploy import KappDeploy
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.run.flux_units import remembering
from kubectl_applylint.run.helm_units import installed
from kubectl_applylint.run.kapp_units import configured, owned, recorded
from kubectl_applylint.run.live_source import LiveSource, beside
from kubectl_applylint.run.reading import Reading
from kubectl_applylint.sources.seen import Objects


def policy_in(source: LiveSource, by: UnitApplier, now: Reading) -> tuple[Policy, tuple[Problem, ...]]:
    """Return what the program goes by that applies a unit, and what of it cannot be read."""
    match by.unit:
        case FluxKustomization() as kustomization:
            return remembering(kustomization, source)
        case KappApp() as app:
            return configured(*recorded(app, source, now), now)
        case Release() as release:
            return installed(release, source, now.schema, is_helm4=by.applier is Applier.HELM4)
        case ArgoSync() as sync:
            return sync, ()
        case _:
            assert_never(by.unit)


def remembered(policy: Policy | None) -> Iterator[ObjectRef]:
    """Yield the objects that Helm or Flux remembers, and may delete."""
    if isinstance(policy, HelmUpgrade):
        yield from map(ref_of, policy.originals)
    elif isinstance(policy, Reconciliation):
        yield from policy.inventory


def deletable(source: LiveSource, flags: Flags, policy: Policy | None, refs: Sequence[ObjectRef]) -> Objects:
    """Return the objects beside those that a run applies, which are ``refs``, that it may delete."""
    return owned(policy.app, source, refs) if isinstance(policy, KappDeploy) else beside(source, flags, refs)
