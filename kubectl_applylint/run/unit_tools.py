"""Which program applies a unit: Helm a chart, Flux what one of its Kustomizations names, kubectl all others."""

import os

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
from kubectl_applylint.core.records import replace
from kubectl_applylint.units.model import Form, Unit


def by_tool(flags: Flags, unit: Unit) -> Flags:
    """Return the flags with what Helm or Flux knows of a unit that it applies; without them for all others."""
    source = unit.applied.flux
    if flags.is_supposed:
        source = source or FluxKustomization(release_of(unit), "flux-system", prunes=True)
    helm = flags.helm if is_by_helm(unit) or flags.is_supposed else None
    release = (flags.release or release_of(unit)) if helm else ""
    return replace(flags, helm=helm, release=release, kustomization=source if flags.by_flux else None)


def is_by_helm(unit: Unit) -> bool:
    """Tell whether a unit is a chart that Helm itself installs, as far as the repository says."""
    return unit.form is Form.CHART and unit.applied.tool == "helm"


def release_of(unit: Unit) -> str:
    """Return the name of the release that a unit is, ``helm template``'s for one in the top directory."""
    told = unit.applied.helm.release if unit.applied.helm else ""
    return told or os.path.basename(unit.root) or "release-name"
