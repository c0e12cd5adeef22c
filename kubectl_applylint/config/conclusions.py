"""The option ``conclusion``: the conclusions of check runs by class of a change."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from kubectl_applylint.config.entries import pairs
from kubectl_applylint.config.settings import ConfigFault, Setting
from kubectl_applylint.config.types import Option, one_of
from kubectl_applylint.core.change_classes import ChangeClass, Conclusion
from kubectl_applylint.core.values import JsonObject

_CLASSES: Final = (ChangeClass.ROUTINE, ChangeClass.ATTENTION)
"""The classes that pass; the others always fail."""
_VALUES: Final = (Conclusion.SUCCESS, Conclusion.NEUTRAL)
CONCLUSIONS_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "propertyNames": {"enum": [*_CLASSES]},
    "additionalProperties": {"enum": [*_VALUES]},
}
"""The JSON schema of the option."""
ClassConclusion: TypeAlias = tuple[ChangeClass, Conclusion]


def conclusions(setting: Setting, options: Mapping[str, Option]) -> Iterator[ClassConclusion | ConfigFault]:
    """Yield the conclusion that each key of the mapping sets, or an error."""
    return pairs(setting, _conclusion, "conclusion")


def _conclusion(key: Setting, text: str) -> ClassConclusion:
    """Return the conclusion of one class; raise ``ValueError`` for an unknown class or conclusion."""
    return ChangeClass(one_of(*_CLASSES)(key.name, Path())), Conclusion(one_of(*_VALUES)(text, Path()))
