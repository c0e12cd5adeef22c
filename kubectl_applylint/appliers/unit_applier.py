"""Which program applies a unit: the one that is asked for, and what it goes by of one unit."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.records import dataclass

AUTO: Final = "auto"
ASKED: Final[Mapping[str, Applier | None]] = {
    AUTO: None,
    **{str(applier): applier for applier in TOOL_APPLIERS},
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
    flags: tuple[str, ...] = ()
    """Those of the program, as they are typed; a unit may have more."""


@dataclass(frozen=True, slots=True)
class UnitApplier:
    """The program that applies a unit, and what the unit is for it: a release, a Kustomization, and so on.

    Only the modules of the program in ``tools``, and checks about that program, know what ``unit`` is.
    """

    applier: Applier
    unit: object
