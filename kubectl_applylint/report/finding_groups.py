"""Findings in reading order: unit by unit, the most severe first, one finding at several places once."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.model import Finding, Severity
from kubectl_applylint.report.context import Context, Shown

Group: TypeAlias = tuple[Finding, ...]
"""One finding for the reader, at all of its places in order."""


@dataclass(frozen=True, slots=True)
class Findings:
    """The findings in units: those shown in full, and a group of infos for each rule."""

    units: tuple[str, ...]
    groups: tuple[Group, ...]
    infos: tuple[Group, ...]

    @property
    def rank(self) -> int:
        """The rank of the most severe finding, 0 for the highest."""
        return min(group[0].severity.rank for group in (*self.groups, *self.infos))


def shown_findings(findings: Iterable[Finding], context: Context) -> list[Finding]:
    """Return the listed findings, the most severe first, those of one severity in their own order."""
    least = Severity.INFO if context.show is Shown.AUTO or context.verbose else Severity(context.show.value)
    listed = (finding for finding in findings if finding.severity.rank <= least.rank)
    return sorted(listed, key=lambda finding: finding.severity.rank)


def by_units(findings: Iterable[Finding], context: Context) -> list[Findings]:
    """Return the listed findings by unit, units with the most severe first."""
    units = _group_by(shown_findings(findings, context), lambda finding: finding.units)
    return sorted((_findings_of_units(group, context) for group in units), key=lambda one: one.rank)


def _findings_of_units(findings: Sequence[Finding], context: Context) -> Findings:
    """Return the findings of the same units, in groups."""
    in_full = [one for one in findings if _is_in_full(one, context)]
    brief = [one for one in findings if not _is_in_full(one, context)]
    infos = _group_by(brief, lambda finding: finding.rule)
    return Findings(findings[0].units, tuple(_group_by(in_full, _group_key)), tuple(infos))


def _is_in_full(finding: Finding, context: Context) -> bool:
    return finding.severity is not Severity.INFO or context.show is not Shown.AUTO or context.verbose


def _group_key(finding: Finding) -> object:
    """Return what a finding has in common at several places: everything except the object's and the file's name."""
    names = "|".join(map(re.escape, sorted(_names(finding), key=len, reverse=True)))
    hidden = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])") if names else re.compile("(?!)")
    words = (hidden.sub("…", text) for text in (finding.message, finding.fix))
    return (finding.rule, finding.severity, finding.confidence, finding.ref.kind, finding.applies, *words)


def _names(finding: Finding) -> Iterator[str]:
    yield from (name for name in (finding.ref.name, finding.ref.namespace, finding.location.file) if name)


def _group_by(findings: Iterable[Finding], key: Callable[[Finding], object]) -> list[Group]:
    """Return the findings in groups with the same key, in their order."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(key(finding), []).append(finding)
    return list(map(tuple, groups.values()))
