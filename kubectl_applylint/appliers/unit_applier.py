"""The tool that applies a unit: the one that the caller selected, and its settings for the unit."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.appliers.request import TOOL_APPLIERS, Applier
from kubectl_applylint.core.records import dataclass

AUTO: Final = "auto"
ASKED: Final[Mapping[str, Applier | None]] = {
    AUTO: None,
    **{str(applier): applier for applier in (*TOOL_APPLIERS, Applier.HELM_CONTROLLER)},
}
"""The tools other than kubectl that the caller can select; ``None`` for that of each unit."""


@dataclass(frozen=True, slots=True)
class AskedApplier:
    """The tool other than kubectl that a run predicts; ``None`` for that of each unit.

    ``name`` is that of the release or the app, empty for that of the directory. ``is_supposed`` states that the tool
    applies every unit, also one that the repository applies with another tool.
    """

    applier: Applier | None
    name: str = ""
    is_supposed: bool = False
    flags: tuple[str, ...] = ()
    """The flags of the tool, as they are typed; a unit may have more."""


@dataclass(frozen=True, slots=True)
class UnitApplier:
    """The tool that applies a unit, and the tool's record of the unit: a release, a Kustomization, and so on.

    Only the modules of the tool in ``tools``, and checks about that tool, depend on the type of ``unit``.
    """

    applier: Applier
    unit: object
    earlier: object = None
    """The record before a change; ``None`` if it is the same, or not known."""
