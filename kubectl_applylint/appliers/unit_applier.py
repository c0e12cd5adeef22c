"""Which program applies a unit: the one that is asked for, and what it goes by of one unit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass

if TYPE_CHECKING:  # A run imports only the program that it is about.
    from kubectl_applylint.appliers.argocd.application import ArgoSync
    from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
    from kubectl_applylint.appliers.helm.release import Release
    from kubectl_applylint.appliers.kapp.app import KappApp


AUTO: Final = "auto"
ASKED: Final[Mapping[str, Applier | None]] = {
    AUTO: None,
    **{str(applier): applier for applier in (Applier.HELM3, Applier.HELM4, Applier.FLUX, Applier.ARGOCD, Applier.KAPP)},
}
"""The programs that can be asked for beside kubectl, by their names; ``None`` for that of each unit."""


@dataclass(frozen=True, slots=True)
class AskedApplier:
    """The program beside kubectl that a run is asked to predict; ``None`` for that of each unit.

    ``name`` is that of the release or the app, empty for that of the directory. ``is_supposed`` tells that the program
    applies every unit, also one that the repository applies otherwise.
    """

    applier: Applier | None
    name: str = ""
    is_supposed: bool = False


@dataclass(frozen=True, slots=True)
class UnitApplier:
    """The program that applies a unit, and what the unit is for it: a release, a Kustomization, and so on."""

    applier: Applier
    unit: "Release | FluxKustomization | ArgoSync | KappApp"
