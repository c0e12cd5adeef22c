"""Which program applies a unit: the one that is asked for, and what it goes by of one unit."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass

if TYPE_CHECKING:  # A run imports only the program that it is about.
    from kubectl_applylint.tools.argocd.application import ArgoSync
    from kubectl_applylint.tools.flux.kustomization import FluxKustomization
    from kubectl_applylint.tools.helm.upgrade import HelmUnit
    from kubectl_applylint.tools.kapp.app import KappApp


AUTO: Final = "auto"
ASKED: Final[Mapping[str, Applier | None]] = {
    AUTO: None,
    **{str(applier): applier for applier in (Applier.HELM3, Applier.HELM4, Applier.FLUX, Applier.ARGOCD, Applier.KAPP)},
}
"""The programs that can be asked for beside kubectl, by their names; ``None`` for that of each unit."""

HELM3_FLAGS: Final = ("--force", "--take-ownership", "--cleanup-on-fail")
"""The flags of ``helm upgrade`` that decide what is written, as they are typed."""
HELM4_FLAGS: Final = (
    *HELM3_FLAGS,
    "--force-replace",
    "--force-conflicts",
    "--server-side=true",
    "--server-side=false",
    "--server-side=auto",
)


@dataclass(frozen=True, slots=True)
class AskedApplier:
    """The program beside kubectl that a run is asked to predict; ``None`` for that of each unit.

    ``name`` is that of the release or the app, empty for that of the directory. ``is_supposed`` tells that the program
    applies every unit, also one that the repository applies otherwise.
    """

    applier: Applier | None
    name: str = ""
    is_supposed: bool = False
    flags: tuple[str, ...] = ()
    """Those of the program, as they are typed; a unit may have more."""


@dataclass(frozen=True, slots=True)
class UnitApplier:
    """The program that applies a unit, and what the unit is for it: a release, a Kustomization, and so on."""

    applier: Applier
    unit: "HelmUnit | FluxKustomization | ArgoSync | KappApp"
