"""Which program applies a unit: Helm a chart, Flux and Argo CD what their objects name, kubectl or kapp all others."""

import os
from collections.abc import Iterable

from kubectl_applylint.appliers.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
from kubectl_applylint.appliers.kapp.app import APP_SUFFIX, UNDRAWN, KappApp
from kubectl_applylint.core.problem import Problem, Unreadable
from kubectl_applylint.core.records import replace
from kubectl_applylint.units.model import Form, Unit


def by_tool(flags: Flags, unit: Unit) -> Flags:
    """Return the flags with what Helm, Flux or Argo CD knows of a unit that it applies; without it for all others."""
    source, sync = unit.applied.flux, unit.applied.argocd
    if flags.is_supposed:
        source = source or FluxKustomization(release_of(unit), "flux-system", prunes=True)
        sync = sync or ArgoSync(ArgoApplication(release_of(unit), unit.applied.namespace), prunes=True)
    helm = flags.helm if is_by_helm(unit) or flags.is_supposed else None
    release = (flags.release or release_of(unit)) if helm else ""
    return replace(
        flags,
        helm=helm,
        release=release,
        kustomization=source if flags.by_flux else None,
        argocd=_placed(sync, flags) if flags.by_argocd else None,
        kapp=app_of(flags, unit) if flags.by_kapp else None,
        unit_prunes=flags.unit_prunes or (flags.by_kapp and app_of(flags, unit) is not None),
    )


def app_of(flags: Flags, unit: Unit) -> KappApp | None:
    """Return the app that a unit is for kapp, by default named as its directory; ``None`` where others apply it."""
    if unit.applied.tool != "kubectl" and not flags.is_supposed:
        return None
    name = flags.app.removesuffix(APP_SUFFIX) or release_of(unit)
    return KappApp(name, flags.namespace or unit.applied.namespace or "default", UNDRAWN)


def one_app(flags: Flags, units: Iterable[Unit]) -> None:
    """Raise ``Unreadable`` where several units would be the app that is asked for: each deploy deletes the others."""
    named = [unit.shown for unit in units if flags.by_kapp and flags.app and app_of(flags, unit)]
    if len(named) > 1:
        message = f"{len(named)} units cannot be the same app of kapp: {', '.join(named)}"
        raise Unreadable(Problem(f"--app {flags.app}", message, "name the directory of the app alone"))


def _placed(sync: ArgoSync | None, flags: Flags) -> ArgoSync | None:
    """Return a sync whose Application has a destination; one that names none is taken to go to the default."""
    if sync is None or sync.application.namespace:
        return sync
    return replace(sync, application=replace(sync.application, namespace=flags.namespace or "default"))


def is_by_helm(unit: Unit) -> bool:
    """Tell whether a unit is a chart that Helm itself installs, as far as the repository says."""
    return unit.form is Form.CHART and unit.applied.tool == "helm"


def release_of(unit: Unit) -> str:
    """Return the name of the release that a unit is, ``helm template``'s for one in the top directory."""
    told = unit.applied.helm.release if unit.applied.helm else ""
    return told or os.path.basename(unit.root) or "release-name"
