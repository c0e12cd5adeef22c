"""The whole page as plain values: from a report, with the same order, groups and words as the text."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context, Shown
from kubectl_applylint.report.doubts import doubt_lines, doubts_of
from kubectl_applylint.report.ending import ending_line
from kubectl_applylint.report.finding_groups import by_units
from kubectl_applylint.report.headings import summary_with_units, units_line
from kubectl_applylint.report.html.dependencies import UnitDependency, dependencies_of
from kubectl_applylint.report.html.findings import finding_view
from kubectl_applylint.report.html.margins import NO_OWNER
from kubectl_applylint.report.html.objects import ROLES, key_of, object_views
from kubectl_applylint.report.html.picture import UnitSketch, picture_of
from kubectl_applylint.report.html.values import FilterView, FindingView, ObjectView, PageView, SectionView
from kubectl_applylint.report.objects.sections import PlannedObject, Section, merge_sections
from kubectl_applylint.report.order import impacts, units_worst_first
from kubectl_applylint.report.plan import kind_counts, plan_summary
from kubectl_applylint.report.text import findings_summary, problem_lines
from kubectl_applylint.report.words import noun_count

_MOST_OPEN: Final = 10
"""The number of objects and findings that are unfolded at first."""
_OPEN: Final = frozenset({"error", "gone", "warning", "problem"})
"""The color roles of objects that are unfolded at first."""
COLOURS: Final = 8
"""The number of colors for owners; further owners share them."""


def page_view(report: Report, context: Context) -> PageView:
    """Return the content of the page for a plan or a check."""
    plain = replace(context, color=False, width=None, phrases={}, show=Shown.INFO)
    dependencies = dependencies_of(report)
    objects, is_cut = _object_sections(report, dependencies, plain)
    findings = _finding_sections(report, plain) if context.command != "plan" else ()
    sections = tuple(_anchored_once((*findings, *objects)))
    return PageView(
        command=context.command,
        version=context.version,
        summary=_summary(report, plain),
        ending=ending_line(report, plain),
        notes=(*report.notes, *_doubts(report, plain), *problem_lines(report, plain)),
        filters=tuple(_filters(report, plain)),
        sections=sections,
        legend=_legend(sections),
        picture=picture_of(list(_sketches(report, plain)), dependencies),
        is_cut=is_cut,
    )


def _summary(report: Report, context: Context) -> str:
    words = plan_summary(report, context) if context.command == "plan" else findings_summary(report, context)
    return summary_with_units(words, report, context)


def _doubts(report: Report, context: Context) -> Iterator[str]:
    yield from doubt_lines(doubts_of([outcome for _, outcome in report.outcomes]), context)


def _anchored_once(sections: Sequence[SectionView]) -> Iterator[SectionView]:
    """Yield the sections; a unit in several of them has its anchor in the first."""
    known: set[int] = set()
    for section in sections:
        yield replace(section, anchors=tuple(one for one in section.anchors if one not in known))
        known.update(section.anchors)


def _filters(report: Report, context: Context) -> Iterator[FilterView]:
    for one, number in impacts(outcome for _, outcome in report.outcomes):
        yield FilterView(key_of(one.value), ROLES[one], one.value, number)
    numbers = Counter(finding.severity for finding in report.findings)
    for severity in Severity:
        if numbers[severity] and context.command != "plan":
            yield FilterView(severity.value, severity.value, severity.value, numbers[severity])


def _finding_sections(report: Report, context: Context) -> Iterator[SectionView]:
    room = _MOST_OPEN
    for found in by_units(report.findings, context):
        findings = [finding_view(group, context) for group in (*found.groups, *found.infos)]
        units = [unit for unit in report.units if unit.root in found.units]
        numbers = tuple(number for number, unit in enumerate(report.units) if unit in units)
        yield SectionView(_title(units, report), numbers, (), findings=tuple(_unfold_findings(findings, room)))
        room -= len(findings)


def _unfold_findings(findings: Sequence[FindingView], room: int) -> Iterator[FindingView]:
    """Yield the findings, the first ones unfolded, but no infos."""
    for number, finding in enumerate(findings):
        yield replace(finding, is_open=finding.key != Severity.INFO.value and number < room)


def _object_sections(
    report: Report, dependencies: Sequence[UnitDependency], context: Context
) -> tuple[list[SectionView], bool]:
    """Return the objects of each unit, and whether some are not shown in full."""
    doubts = doubts_of([outcome for _, outcome in report.outcomes])
    sections = [
        one
        for one in merge_sections(
            units_worst_first(report), doubts, context, findings=report.findings, with_unchanged=True
        )
        if one.entries
    ]
    views, is_cut = object_views(((entry, len(one.units)) for one in sections for entry in one.entries), context)
    left = iter(_unfold_objects(views))
    numbers = {unit: number for number, unit in enumerate(report.units)}
    return [
        _section(one, tuple(islice(left, len(one.entries))), numbers, dependencies, report) for one in sections
    ], is_cut


def _unfold_objects(views: Sequence[ObjectView]) -> Iterator[ObjectView]:
    """Yield the objects, the first of the severe ones unfolded."""
    worst = [number for number, view in enumerate(views) if view.role in _OPEN and view.has_news][:_MOST_OPEN]
    shown = set(worst)
    return (replace(view, is_open=True) if number in shown else view for number, view in enumerate(views))


def _section(
    section: Section,
    objects: tuple[ObjectView, ...],
    numbers: Mapping[UnitReport, int],
    dependencies: Sequence[UnitDependency],
    report: Report,
) -> SectionView:
    units = [unit for unit in section.units if unit]
    anchors = tuple(numbers[unit] for unit in units)
    needs = tuple(
        f"{report.units[one.on].root} ({'; '.join(one.reasons)})" for one in dependencies if one.of in anchors
    )
    noise = [number for number, entry in enumerate(section.entries) if _is_noise(entry)]
    noise = noise if len(noise) > 1 else []
    return SectionView(
        _title(units, report),
        anchors,
        tuple(dict.fromkeys(needs)),
        tuple(view for number, view in enumerate(objects) if number not in noise),
        noise=tuple(objects[number] for number in noise),
        noise_kinds=kind_counts([section.entries[number] for number in noise]),
    )


def _is_noise(entry: PlannedObject) -> bool:
    return entry.has_noise_only and not entry.hazards and not entry.outcome.restarts


def _title(units: Sequence[UnitReport], report: Report) -> str:
    return units_line(units, Context(verbose=True)) if len(report.units) > 1 and units else ""


def _legend(sections: Sequence[SectionView]) -> dict[str, int]:
    """Return the owners on the page with their colors, 0 for no owner."""
    views = [view for section in sections for view in (*section.objects, *section.noise)]
    runs = Counter(name for view in views for run in view.owned for name in run.owners)
    runs.update(name for view in views for change in view.changes for name in change.owners)
    names = sorted(runs.keys() - {NO_OWNER}, key=lambda name: (-runs[name], name))
    colours = {name: number % COLOURS + 1 for number, name in enumerate(names)}
    return {**colours, **({NO_OWNER: 0} if runs[NO_OWNER] else {})}


def _sketches(report: Report, context: Context) -> Iterator[UnitSketch]:
    """Yield each unit for the picture: its worst effect first, then the number of objects or findings."""
    numbers = {unit: number for number, unit in enumerate(report.units)}
    for unit, applies in units_worst_first(report):
        if unit is not None and context.command == "plan":
            found = impacts(outcome for _, outcome in applies)
            words = ", ".join(f"{number} {one.value}" for one, number in found) or "no objects"
            yield UnitSketch(numbers[unit], unit.root, words, ROLES[found[0][0]] if found else "quiet")
        elif unit is not None:
            yield _findings_sketch(numbers[unit], unit, report, context)


def _findings_sketch(number: int, unit: UnitReport, report: Report, context: Context) -> UnitSketch:
    """Return a unit of the picture with the number of its findings."""
    found = Counter(finding.severity for finding in report.findings if unit.root in finding.units)
    words = ", ".join(noun_count(found[one], one.value, context) for one in Severity if found[one])
    worst = next((one.value for one in Severity if found[one]), "quiet")
    return UnitSketch(number, unit.root, words or "no findings", worst)
