"""Findings in reading order: the most severe first, one cause in several units, objects and files once."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.lint.model import Finding, Severity
from kubectl_applylint.report.context import Context, Shown
from kubectl_applylint.report.words import noun_count, translate

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
    """Return the listed findings by the units that they occur in, units with the most severe first."""
    listed = shown_findings(findings, context)
    groups = by_cause(one for one in listed if _is_in_full(one, context))
    infos = _group_by((one for one in listed if not _is_in_full(one, context)), lambda finding: finding.rule)
    sections: dict[tuple[str, ...], tuple[list[Group], list[Group]]] = {}
    for number, every in enumerate((groups, infos)):
        for group in every:
            sections.setdefault(units_of(group), ([], []))[number].append(group)
    every_section = (Findings(units, tuple(found), tuple(brief)) for units, (found, brief) in sections.items())
    return sorted(every_section, key=lambda one: one.rank)


def by_cause(findings: Iterable[Finding]) -> list[Group]:
    """Return the findings of each cause, which several units, objects and files may have in common."""
    return _group_by(findings, cause_key)


def by_line(findings: Iterable[Finding], context: Context) -> list[Finding]:
    """Return one finding per cause and line, with the units of all and the number of further objects."""
    return [merged_finding(same, context) for group in by_cause(findings) for same in _group_by(group, _line)]


def merged_finding(group: Group, context: Context) -> Finding:
    """Return the first finding of a group for all of them: in their units, with the fix of the first."""
    objects = len({(one.ref.kind, one.ref.name) for one in group}) - 1
    words = {"objects": noun_count(objects, "more object", context)}
    more = translate("; the same for {objects}", context, **words) if objects else ""
    message = group[0].message + more
    return replace(group[0], message=message, units=units_of(group), fix=common_fix(group, context))


def common_fix(group: Group, context: Context) -> str:
    """Return the fix of the first finding, with a comment if those of the others have other names.

    No part of the fix is inserted before another one: ``command_proofs`` counts them.
    """
    fix = group[0].fix
    if all(one.fix == fix for one in group):
        return fix
    words = translate("the same for the others", context)
    head, separator, rest = fix.partition("\n")
    if head.startswith("#") and not rest.startswith("#  "):
        return f"{head}; {words}{separator}{rest}"
    return f"{fix.rstrip()}\n# {words}\n"


def units_of(group: Group) -> tuple[str, ...]:
    """Return the units of all findings of a group."""
    return tuple(dict.fromkeys(unit for finding in group for unit in finding.units))


def other_places(group: Group) -> list[Finding]:
    """Return the findings besides the first, except for the same line and object in other units."""
    first = group[0]
    return [
        one
        for one in group[1:]
        if (one.location, str(one.ref)) != (first.location, str(first.ref)) or one.units == first.units
    ]


def _line(finding: Finding) -> object:
    location = finding.location
    return (location.file, location.span.line)


def _is_in_full(finding: Finding, context: Context) -> bool:
    return finding.severity is not Severity.INFO or context.show is not Shown.AUTO or context.verbose


def cause_key(finding: Finding) -> object:
    """Return what a finding has in common at several places: everything except the names of object, file and units."""
    names = "|".join(map(re.escape, sorted(_names(finding), key=len, reverse=True)))
    hidden = re.compile(rf"(?<![\w-])(?:{names})(?![\w-])") if names else re.compile("(?!)")
    words = (hidden.sub("…", text) for text in (finding.message, finding.fix))
    return (finding.rule, finding.severity, finding.confidence, finding.ref.kind, finding.applies, *words)


def _names(finding: Finding) -> Iterator[str]:
    names = (finding.ref.name, finding.ref.namespace, finding.location.file, *finding.units)
    yield from (name for name in names if name not in ("", "."))


def _group_by(findings: Iterable[Finding], key: Callable[[Finding], object]) -> list[Group]:
    """Return the findings in groups with the same key, in their order."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(key(finding), []).append(finding)
    return list(map(tuple, groups.values()))
