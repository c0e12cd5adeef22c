"""Which program applies a unit: the one that is asked for, and what it goes by of one unit."""

from typing import TYPE_CHECKING

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.records import dataclass

if TYPE_CHECKING:  # A run imports only the program that it is about.
    from kubectl_applylint.appliers.argocd.application import ArgoSync
    from kubectl_applylint.appliers.flux.kustomization import FluxKustomization
    from kubectl_applylint.appliers.helm.release import Release
    from kubectl_applylint.appliers.kapp.app import KappApp


@dataclass(frozen=True, slots=True)
class AskedApplier:
    """The program beside kubectl that a run is asked to predict: ``helm3``, ``helm4``, ``flux``, ``argocd``, ``kapp``.

    ``name`` is that of the release or the app, empty for that of the directory. ``is_supposed`` tells that the program
    applies every unit, also one that the repository applies otherwise.
    """

    applier: Applier
    name: str = ""
    is_supposed: bool = False


@dataclass(frozen=True, slots=True)
class UnitApplier:
    """The program that applies a unit, and what the unit is for it: a release, a Kustomization, and so on."""

    applier: Applier
    unit: "Release | FluxKustomization | ArgoSync | KappApp"
