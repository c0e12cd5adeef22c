"""What the program beside kubectl goes by that applies a unit: recorded, or as the earlier one made it."""

from functools import partial
from typing import assert_never

from kubectl_applylint.appliers.argocd.application import ArgoSync
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
from kubectl_applylint.appliers.helm.release import Release
from kubectl_applylint.appliers.kapp.app import KappApp
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import UnitApplier
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine import flux_apply
from kubectl_applylint.run.argocd_units import synced
from kubectl_applylint.run.flux_units import reconciliation_of
from kubectl_applylint.run.helm_units import stored, upgrade_of
from kubectl_applylint.run.kapp_units import NOTHING, as_app, deployed
from kubectl_applylint.run.live_source import LiveSource
from kubectl_applylint.run.memory import policy_in
from kubectl_applylint.run.reading import Reading


def by_program(
    by: UnitApplier, source: LiveSource, flags: Flags, past: Reading, now: Reading
) -> tuple[Reading, Reading]:
    """Return what was read of a unit as the program applies it, with what that goes by."""
    by = _placed(by, flags.namespace or source.namespace)
    if by.applier is Applier.FLUX:
        past, now = (replace(each, here=flux_apply.in_order(each.here)) for each in (past, now))
    if source.base is None and source.origin and by.applier is not Applier.ARGOCD:
        policy, problems = policy_in(source, by, now)
        return past, replace(now, policy=policy, problems=(*now.problems, *problems))
    return _compared(by, past, now, is_new=flags.is_new_unit)


def _placed(by: UnitApplier, namespace: str) -> UnitApplier:
    """Return the same with a namespace where nothing has told one."""
    if isinstance(by.unit, Release | KappApp) and not by.unit.namespace:
        return replace(by, unit=replace(by.unit, namespace=namespace))
    return by


def _compared(by: UnitApplier, past: Reading, now: Reading, *, is_new: bool) -> tuple[Reading, Reading]:
    """Return the two where what the earlier revision makes stands for what the program has recorded."""
    match by.unit:
        case FluxKustomization() as source:
            before, after = (reconciliation_of(source, documents) for documents in ((), past.here))
            return replace(past, policy=before), replace(now, policy=after)
        case Release() as release:
            upgrade = partial(upgrade_of, release, is_helm4=by.applier is Applier.HELM4, is_new=is_new)
            return replace(past, policy=upgrade(past.here)), replace(now, policy=upgrade(stored(past.here)))
        case ArgoSync() as sync:
            return synced(past, sync), synced(now, sync)
        case KappApp() as app:
            return deployed(as_app(past, app), NOTHING), as_app(now, app)
        case _:
            assert_never(by.unit)
