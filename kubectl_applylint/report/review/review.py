"""A report for reviewers, for pages with folded parts: unit by unit, the worst first, one part per object or finding.

It contains the text of ``plan`` and ``check``, without any markup.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.change_classes import ChangeClass
from kubectl_applylint.core.documents import InCluster
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.change_class import change_class
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.doubts import Doubts, doubt_lines, doubts_of
from kubectl_applylint.report.ending import ending_line
from kubectl_applylint.report.facts.facts import NO_FACTS, Facts, facts_of, is_noise
from kubectl_applylint.report.finding_groups import Group, by_units
from kubectl_applylint.report.fix_blocks import FixBlock, fix_blocks
from kubectl_applylint.report.headings import summary_with_units, units_line
from kubectl_applylint.report.objects.change_lines import diff_lines
from kubectl_applylint.report.objects.hazard_lines import hazard_lines
from kubectl_applylint.report.objects.object_details import other_lines, rejection_lines
from kubectl_applylint.report.objects.sections import PlannedObject, join_similar, merge_sections
from kubectl_applylint.report.order import Impact, impact, units_worst_first
from kubectl_applylint.report.plan import entry_lines, entry_name, entry_words, kind_counts, plan_summary
from kubectl_applylint.report.text import finding_lines, findings_summary, problem_lines
from kubectl_applylint.report.words import count, verdict_word

_PHRASES: Final[Mapping[str, str]] = {
    "{changes} (-v to list)": "{changes}",
    "{objects} (-v to list): {kinds}": "{objects}: {kinds}",
    "; {findings} (-v to list)": "; {findings}",
    "skipped: {rules} that could not run: {reasons} (-v to list)": "skipped: {rules} that could not run: {reasons}",
    "{findings} hidden by {by} (-v to list)": "{findings} hidden by {by}",
    "{number} older finding is not listed (--show-known lists it)": "{number} older finding is not listed",
    "{number} older findings are not listed (--show-known lists them)": "{number} older findings are not listed",
    "{rules} need a cluster or a snapshot (-v to list)": "{rules} need a cluster or a snapshot",
}
"""Replacements for phrases that recommend a flag, for use where there is no command line."""
REVIEWED: Final = ("check", "plan")
"""The commands whose reports can be reviewed."""
_GRAVE: Final = (Impact.REJECTED, Impact.CONFLICT, Impact.PRUNED, Impact.RECREATED)


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """An object, several with the same lines, or a finding; ``word`` is its impact or its severity."""

    word: str
    title: str
    more: str
    """The text behind the title on the same line."""
    names: tuple[str, ...] = ()
    """Its places, or the objects and places that it includes."""
    hazards: tuple[str, ...] = ()
    """The findings about an object, a line each."""
    notes: tuple[str, ...] = ()
    diff: tuple[str, ...] = ()
    """The lines of a unified diff, element by element."""
    fixes: tuple[FixBlock, ...] = ()
    """The fix to type, each alternative by itself."""
    objects: int = 1
    is_grave: bool = False
    """Whether something is rejected, destroyed or an error."""
    is_open: bool = False
    """Whether it is unfolded at first; set by the renderer, which knows the room."""

    @property
    def is_striking(self) -> bool:
        """Whether it is grave, or there is a finding about it."""
        return self.is_grave or bool(self.hazards)


@dataclass(frozen=True, slots=True)
class ReviewUnit:
    """Units with the same effects; the name is empty if there is only one apply."""

    name: str
    parts: tuple[ReviewPart, ...]

    @property
    def is_striking(self) -> bool:
        """Whether a part of it is."""
        return any(part.is_striking for part in self.parts)


@dataclass(frozen=True, slots=True)
class Review:
    """A report of ``plan`` or ``check``, with its counts and the compared state."""

    command: str
    summary: str
    compared: tuple[str, ...]
    """What was compared, and what was left out."""
    time: str
    """The time of the report, empty if unknown."""
    version: str
    units: tuple[ReviewUnit, ...]
    notes: tuple[str, ...]
    """The problems, its confidence, and the reason of the exit code."""
    change_class: ChangeClass | None = None
    """The class of the change, ``None`` if it is unknown."""
    facts: Facts = NO_FACTS


def review(report: Report, context: Context) -> Review:
    """Return the report of ``plan`` or ``check`` for reviewers, in English and without colors."""
    page = replace(context, color=False, width=None, phrases=_PHRASES)
    doubts = doubts_of([outcome for _, outcome in report.outcomes])
    if page.command == "plan":
        summary, units, first = plan_summary(report, page), _plan_units(report, doubts, page), doubt_lines(doubts, page)
    else:
        summary, units, first = findings_summary(report, page), _finding_units(report, page), iter(())
    ending = ending_line(report, page)
    return Review(
        command=page.command,
        summary=summary_with_units(summary, report, page),
        compared=report.notes,
        time=page.time,
        version=page.version,
        units=tuple(sorted(units, key=lambda unit: not unit.is_striking)),
        notes=(*problem_lines(report, page), *first, *([ending] if ending else [])),
        change_class=change_class(report, page.command),
        facts=facts_of(report) if page.command == "plan" else NO_FACTS,
    )


def _plan_units(report: Report, doubts: Doubts, context: Context) -> Iterator[ReviewUnit]:
    """Yield the units of a plan with a part for each group of objects, striking ones first.

    Objects with noise only are in the facts.
    """
    sections = merge_sections(units_worst_first(report), doubts, context, findings=report.findings)
    for section in join_similar(sections):
        units = [unit for unit in section.units if unit]
        groups = [
            same for same in section.groups if context.verbose or same[0].hazards or not is_noise(same[0].outcome)
        ]
        parts = (_objects(same, context) for same in groups)
        if groups:
            ordered = sorted(parts, key=lambda part: not part.is_striking)
            yield ReviewUnit(_name(units, report, context), tuple(ordered))


def _finding_units(report: Report, context: Context) -> Iterator[ReviewUnit]:
    for found in by_units(report.findings, context):
        units = [unit for unit in report.units if unit.root in found.units]
        parts = (_finding(group, context) for group in found.groups)
        infos = (_info(group, context) for group in found.infos)
        yield ReviewUnit(_name(units, report, context), (*parts, *infos))


def _name(units: Sequence[UnitReport], report: Report, context: Context) -> str:
    return units_line(units, context) if len(report.units) > 1 and units else ""


def _objects(same: Sequence[PlannedObject], context: Context) -> ReviewPart:
    """Return the part for objects with the same lines."""
    first, outcome = same[0], same[0].outcome
    is_one = len(same) == 1
    is_placed = is_one and len(first.places) == 1
    document = first.document if is_placed else replace(first.document, positions=InCluster())
    is_metadata = not is_one and first.has_noise_only
    diff = () if is_metadata else tuple(diff_lines(document, outcome, context))
    notes = (*rejection_lines(outcome, context), *other_lines(outcome, context, has_changes=bool(diff) or is_metadata))
    intended = ("would have changed:",) if outcome.refused and diff else ()
    what, verdict = impact(outcome), verdict_word(outcome.verdict)
    words = f"{'' if what.value == verdict else f': {verdict}'}{entry_words(first, context)}"
    return ReviewPart(
        word=what.value,
        title=entry_name(first) if is_one else kind_counts(same),
        more=words if is_one else ": only chart labels, checksums and CA bundles change" if is_metadata else "",
        names=first.places if is_one else tuple(map(entry_name, same) if is_metadata else entry_lines(same, context)),
        hazards=tuple(map(str.strip, hazard_lines(first.hazards, context, is_shared=not is_placed))),
        notes=tuple(map(str.strip, (*notes, *first.beside, *intended))),
        diff=diff,
        objects=sum(entry.units for entry in same),
        is_grave=what in _GRAVE or any(one.severity is Severity.ERROR for one in first.hazards),
    )


def _finding(group: Group, context: Context) -> ReviewPart:
    finding = group[0]
    return ReviewPart(
        word=finding.severity.value,
        title=finding.message,
        more=f" [{finding.rule}]",
        names=(str(finding.location),),
        notes=tuple(map(str.strip, finding_lines(group, context))),
        fixes=tuple(fix_blocks(group, context)),
        objects=len(group),
        is_grave=finding.severity.rank == 0,
    )


def _info(group: Group, context: Context) -> ReviewPart:
    """Return the line for all infos of a rule."""
    others = count(len(group) - 1, "more finding")
    more = f"; {others}" if len(group) > 1 else ""
    finding = group[0]
    return ReviewPart(
        finding.severity.value,
        finding.message,
        f" [{finding.rule}]{more}",
        (str(finding.location),),
        objects=len(group),
    )
