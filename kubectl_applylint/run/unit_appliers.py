"""What a plan says of the program that is asked for: how it has applied the units, or that it applies none."""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.run.unit_tools import app_of, is_by_helm
from kubectl_applylint.units.model import Unit

_HELMS: Final = {Applier.HELM3: ("Helm 3", "client-side"), Applier.HELM4: ("Helm 4", "server-side")}
_AS_KUBECTL: Final = "all are predicted as with kubectl"


def assumed(flags: Flags, units: Sequence[Unit]) -> Iterator[str]:
    """Yield what a plan of a change goes by of the units that the program applies."""
    if flags.helm and any(map(is_by_helm, units)):
        name, way = _HELMS[flags.helm]
        yield f"charts: predicted as helm upgrade by {name}, {way}, of a release that the earlier revision installed"
    if flags.by_kapp and any(app_of(flags, unit) for unit in units):
        yield "apps: predicted as deployed by kapp, which has deployed the earlier revision; its Configs are not read"
    if flags.by_flux and any(unit.applied.flux for unit in units):
        yield "Kustomizations: predicted as reconciled by Flux, which has applied the earlier revision"
    if flags.by_argocd and any(unit.applied.argocd for unit in units):
        yield "Applications: predicted as synced by Argo CD, which has applied the earlier revision"


def left_to_kubectl(flags: Flags, units: Sequence[Unit]) -> Iterator[str]:
    """Yield that the program that is asked for applies none of the units, which then are predicted as with kubectl."""
    if flags.is_supposed or not units:
        return
    if flags.helm and not any(map(is_by_helm, units)):
        yield f"--applier {flags.helm}: no unit is a chart that Helm installs; {_AS_KUBECTL}"
    if flags.by_flux and not any(unit.applied.flux for unit in units):
        yield f"--applier flux: no Kustomization of Flux names a unit; {_AS_KUBECTL}"
    if flags.by_argocd and not any(unit.applied.argocd for unit in units):
        yield f"--applier argocd: no Application of Argo CD names a unit; {_AS_KUBECTL}"
