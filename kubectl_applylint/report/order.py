"""The review order of objects and units: the worst impact first, in every renderer."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.lint.unit_report import UnitReport

Apply: TypeAlias = tuple[Document, Outcome]
UnitApplies: TypeAlias = tuple[UnitReport | None, Sequence[Apply]]
"""A unit, or ``None`` for a single apply, with its applies."""


class Impact(StrEnum):
    """What an apply does to an object, the worst first; unlike the verdict it includes the fate of a live object."""

    REJECTED = "rejected"
    CONFLICT = "conflict"
    MAY_BE_REJECTED = "may be rejected"
    """It is rejected if the cluster has the bundled definition of its kind."""
    PRUNED = "pruned"
    RECREATED = "recreated"
    TAKEN = "taken over"
    """Another manager loses fields to the apply."""
    RESTARTED = "restarted"
    """Its pods are replaced."""
    UNKNOWN = "unknown"
    CONFIGURED = "configured"
    SERVERSIDE_APPLIED = "serverside-applied"
    CREATED = "created"
    MAY_BE_REMOVED = "may be removed"
    ORPHANED = "orphaned"
    UNCHANGED = "unchanged"

    @property
    def words(self) -> str:
        """The words for the impact in the summary of a plan."""
        return "configured (takes fields from other managers)" if self is Impact.TAKEN else self.value

    @property
    def rank(self) -> int:
        """The rank of the impact, 0 for the worst."""
        return list(Impact).index(self)


def impact(outcome: Outcome) -> Impact:
    """Return the impact of an apply on the object."""
    verdict = outcome.verdict
    if outcome.refused or verdict in (Verdict.PRUNED, Verdict.UNKNOWN, Verdict.MAY_BE_REMOVED):
        return Impact(verdict.value)
    if outcome.possible_errors:
        return Impact.MAY_BE_REJECTED
    if verdict is Verdict.KEPT:
        return Impact.ORPHANED
    if any(write.method == "DELETE" for write in outcome.requests):
        return Impact.RECREATED
    if any(change.lost and change.gained for change in outcome.owner_changes):
        return Impact.TAKEN
    return Impact.RESTARTED if outcome.restarts else Impact(verdict.value)


def worst_first(applies: Iterable[Apply]) -> list[Apply]:
    """Return the applies by impact, those with the same in their own order."""
    return sorted(applies, key=lambda apply: impact(apply[1]).rank)


def units_worst_first(report: Report) -> list[UnitApplies]:
    """Return each unit with its applies in their own order, units with the worst first; ``None`` without units."""
    if not report.units:
        return [(None, report.outcomes)]
    return sorted(report.by_unit, key=lambda item: _worst(item[1]))


def _worst(applies: Iterable[Apply]) -> int:
    return min((impact(one).rank for _, one in applies), default=len(Impact))


def unit_ranks(report: Report) -> list[tuple[int, int]]:
    """Return the sort key of each unit: its worst impact, then its most severe finding."""
    severities = [(finding.units, finding.severity.rank) for finding in report.findings]
    return [
        (_worst(applies), min((rank for units, rank in severities if unit.root in units), default=len(Severity)))
        for unit, applies in report.by_unit
    ]


def places(ranks: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the position of each item in the order of ranks, from 1; ties keep their own order."""
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    return [place + 1 for place in sorted(range(len(order)), key=order.__getitem__)]


def impacts(outcomes: Iterable[Outcome]) -> list[tuple[Impact, int]]:
    """Return the number of objects with each impact, the worst first."""
    numbers = Counter(map(impact, outcomes))
    return [(one, numbers[one]) for one in Impact if numbers[one]]
