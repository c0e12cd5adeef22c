"""The option ``severity``: other severities for the findings of rules, or ``off``."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from kubectl_applylint.config.entries import pairs
from kubectl_applylint.config.settings import ConfigFault, Setting
from kubectl_applylint.config.types import Option, one_of
from kubectl_applylint.core.location import Location
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Rule, Severity

OFF: Final = "off"
"""The value that hides the findings of a rule."""
_VALUES: Final = (OFF, *(severity.value for severity in reversed(Severity)))
_WILDCARDS: Final = "*?"
SEVERITIES_SCHEMA: Final[JsonObject] = {
    "type": "object",
    "propertyNames": {"anyOf": [{"$ref": "#/definitions/rules"}, {"pattern": f"[{_WILDCARDS}]"}]},
    "additionalProperties": {"enum": [*_VALUES]},
}
"""The JSON schema of the option."""


@dataclass(frozen=True, slots=True)
class SeveritySetting:
    """The severity of the rules with an id, of a family, or with ids that match a pattern."""

    name: str
    severity: Severity | None
    """``None`` if the findings are hidden."""
    place: Location

    @property
    def is_pattern(self) -> bool:
        """Whether the name is a pattern."""
        return any(character in self.name for character in _WILDCARDS)

    @property
    def word(self) -> str:
        """The severity as the configuration spells it."""
        return self.severity.value if self.severity else OFF

    def matches(self, rule: Rule) -> bool:
        """Return whether it is about a rule."""
        return fnmatchcase(rule.id, self.name) if self.is_pattern else self.name in (rule.id, rule.family)

    def lowers(self, rule: Rule) -> bool:
        """Return whether it lowers the severity of a rule."""
        return self.severity is None or self.severity.rank > rule.severity.rank


def severities(setting: Setting, options: Mapping[str, Option]) -> Iterator[SeveritySetting | ConfigFault]:
    """Yield the severity that each key of the mapping sets, or an error."""
    return pairs(setting, _severity_setting, "severity")


def _severity_setting(key: Setting, text: str) -> SeveritySetting:
    """Return the setting of one key; raise ``ValueError`` for an unknown severity."""
    word = one_of(*_VALUES)(text, Path())
    return SeveritySetting(key.name, None if word == OFF else Severity(word), key.place)


@dataclass(frozen=True, slots=True)
class RuleSeverities:
    """The configured severities by rule id, ``None`` for hidden findings, with errors and notes."""

    each: Mapping[str, Severity | None]
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def rule_severities(
    settings: Iterable[SeveritySetting], rules: Sequence[Rule], protected: Collection[str]
) -> RuleSeverities:
    """Return the severities that settings give to rules.

    An id takes precedence over a family, a family over a pattern, and the last pattern over those before it.
    ``protected`` are the ids of the rules that cannot be lowered: an id is an error, the rest keeps its severity.
    """
    chosen: dict[str, SeveritySetting] = {}
    ids = {rule.id: rule for rule in rules}
    for setting in sorted(settings, key=lambda one: (not one.is_pattern, one.name in ids)):
        chosen |= {rule.id: setting for rule in rules if setting.matches(rule)}
    kept = {id: one for id, one in chosen.items() if id in protected and one.lowers(ids[id])}
    return RuleSeverities(
        {id: one.severity for id, one in chosen.items() if id not in kept},
        tuple(
            f"{one.place}: {id} cannot be set to {one.word}: its findings cannot be hidden (applylint explain {id})"
            for id, one in kept.items()
            if one.name == id
        ),
        tuple(_kept_notes({id: one for id, one in kept.items() if one.name != id})),
    )


def _kept_notes(kept: Mapping[str, SeveritySetting]) -> Iterator[str]:
    """Yield a note for each setting that some of its rules do not follow."""
    for setting in dict.fromkeys(kept.values()):
        names = sorted(id for id, one in kept.items() if one is setting)
        words = "keeps its severity" if len(names) == 1 else "keep their severity"
        yield f"{setting.place}: {', '.join(names)} {words}: cannot be lowered"
