"""Which program applies a unit: Helm a chart, Flux and Argo CD what their objects name, kubectl or kapp all others."""

import os
from collections.abc import Iterable

from kubectl_applylint.appliers.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
from kubectl_applylint.appliers.helm.release import Release
from kubectl_applylint.appliers.kapp.app import APP_SUFFIX, UNDRAWN, KappApp
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier, ToolUnit, UnitApplier
from kubectl_applylint.core.problem import Problem, Unreadable
from kubectl_applylint.core.records import replace
from kubectl_applylint.run.live_source import DEFAULT_NAMESPACE
from kubectl_applylint.units.model import Form, Unit


def by_tool(flags: Flags, unit: Unit) -> Flags:
    """Return the flags of a run with the program that applies a unit."""
    applier = applier_of(flags, unit)
    is_pruned = applier is not None and applier.applier is Applier.KAPP
    return replace(flags, unit_applier=applier, unit_prunes=flags.unit_prunes or is_pruned)


def applier_of(flags: Flags, unit: Unit) -> UnitApplier | None:
    """Return the program beside kubectl that applies a unit, if it is the one that is asked for; else ``None``."""
    asked = flags.asked
    found = _unit_of(asked, unit, flags.namespace) if asked is not None else None
    return UnitApplier(asked.applier, found) if asked is not None and found is not None else None


def _unit_of(asked: AskedApplier, unit: Unit, namespace: str) -> ToolUnit | None:
    """Return what a unit is for a program; ``None`` where another one applies it."""
    match asked.applier:
        case Applier.HELM3 | Applier.HELM4:
            is_own = asked.is_supposed or is_by_helm(unit)
            return Release(asked.name or release_of(unit), namespace) if is_own else None
        case Applier.FLUX:
            supposed = FluxKustomization(release_of(unit), "flux-system", prunes=True)
            return unit.applied.flux or (supposed if asked.is_supposed else None)
        case Applier.ARGOCD:
            named = ArgoSync(ArgoApplication(release_of(unit), namespace), prunes=True)
            sync = unit.applied.argocd or (named if asked.is_supposed else None)
            return sync and _placed(sync, namespace)
        case Applier.KAPP:
            is_own = asked.is_supposed or unit.applied.tool == "kubectl"
            name = asked.name.removesuffix(APP_SUFFIX) or release_of(unit)
            return KappApp(name, namespace, UNDRAWN) if is_own else None
        case _:
            return None


def one_app(flags: Flags, units: Iterable[Unit]) -> None:
    """Raise ``Unreadable`` where several units would be the app that is asked for: each deploy deletes the others."""
    asked = flags.asked
    if asked is None or asked.applier is not Applier.KAPP or not asked.name:
        return
    named = [unit.shown for unit in units if applier_of(flags, unit)]
    if len(named) > 1:
        message = f"{len(named)} units cannot be the same app of kapp: {', '.join(named)}"
        raise Unreadable(Problem(f"--app {asked.name}", message, "name the directory of the app alone"))


def _placed(sync: ArgoSync, namespace: str) -> ArgoSync:
    """Return a sync whose Application has a destination; one that names none is taken to go to the default."""
    if sync.application.namespace:
        return sync
    return replace(sync, application=replace(sync.application, namespace=namespace or DEFAULT_NAMESPACE))


def is_by_helm(unit: Unit) -> bool:
    """Tell whether a unit is a chart that Helm itself installs, as far as the repository says."""
    return unit.form is Form.CHART and unit.applied.tool == "helm"


def release_of(unit: Unit) -> str:
    """Return the name of the release that a unit is, ``helm template``'s for one in the top directory."""
    told = unit.applied.helm.release if unit.applied.helm else ""
    return told or os.path.basename(unit.root) or "release-name"
