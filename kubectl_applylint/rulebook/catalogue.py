"""The catalogue of hazards, and their coverage: a rule, a verdict of the prediction, or none with a reason.

Rules name their hazards. ``hazards.yaml`` next to the rules has the titles, and an entry for each hazard without a
rule.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from importlib.resources import files

import yaml

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.model import Rule

FILE = "hazards.yaml"
"""The file of the catalogue, next to the rule folders."""


class CoverageKind(StrEnum):
    """The coverage of a hazard; the first that applies counts."""

    RULE = "rule"
    PREDICTED = "predicted"
    HIDDEN = "not visible to a tool"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Hazards by id: titles, verdicts of the prediction, and reasons why a tool cannot detect them.

    ``issues`` are discussions of a hazard: ``kubernetes/kubernetes#75957``.
    """

    titles: Mapping[str, str]
    predicted: Mapping[str, str]
    hidden: Mapping[str, str]
    issues: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Coverage:
    """A hazard and its coverage. ``rules`` are ids; ``words`` describe where it shows, or why it does not."""

    hazard: str
    title: str
    held: CoverageKind
    rules: tuple[str, ...] = ()
    words: str = ""
    issues: tuple[str, ...] = ()


def catalogue() -> Catalogue:
    """Return the built-in catalogue."""
    content = yaml.safe_load((files("kubectl_applylint.rules") / FILE).read_text(encoding="utf-8"))
    return Catalogue(**content)


def coverage(rules: Sequence[Rule], known: Catalogue) -> tuple[Coverage, ...]:
    """Return the coverage of each hazard, in the order of the catalogue."""
    return tuple(
        replace(_coverage(hazard, rules, known), issues=tuple(known.issues.get(hazard, ()))) for hazard in known.titles
    )


def _coverage(hazard: str, rules: Sequence[Rule], known: Catalogue) -> Coverage:
    title, names = known.titles[hazard], tuple(rule.id for rule in rules if hazard in rule.hazards)
    if names:
        return Coverage(hazard, title, CoverageKind.RULE, names)
    if hazard in known.predicted:
        return Coverage(hazard, title, CoverageKind.PREDICTED, words=known.predicted[hazard])
    if hazard in known.hidden:
        return Coverage(hazard, title, CoverageKind.HIDDEN, words=known.hidden[hazard])
    return Coverage(hazard, title, CoverageKind.NOTHING)
