"""Findings as text: one greppable line each, the source below it, and the fix."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import Final

from kubectl_applylint.core.location import Location
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.safe_text import one_line, visible_lines
from kubectl_applylint.core.state import NO_CLUSTER
from kubectl_applylint.lint.fixes.steps import edit_lines
from kubectl_applylint.lint.model import Finding, Remark, Report, Severity, Skip
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import ending_line
from kubectl_applylint.report.finding_groups import Findings, Group, by_units, other_places
from kubectl_applylint.report.fix_blocks import FixBlock, fix_blocks
from kubectl_applylint.report.headings import page, summary_with_units, units_line
from kubectl_applylint.report.words import (
    applies_words,
    count,
    file_link,
    noun_count,
    paint,
    place,
    proof_words,
    steps,
    translate,
    wrap,
)

_INDENT = "    "
_LONGEST_EXCERPT = 120
_MOST_PLACES = 5
_MEANS: Final = {"annotation": "annotations", "comment": "comments"}
"""The plurals of the means that hide findings."""


def findings_text(report: Report, context: Context) -> str:
    """Return the summary line, the findings unit by unit, problems, skipped rules, and the reason of the exit code."""
    ending = ending_line(report, context)
    blocks = [block for found in by_units(report.findings, context) for block in _unit_blocks(found, report, context)]
    tail = [*problem_lines(report, context), *([ending] if ending else [])]
    return page(summary_with_units(findings_summary(report, context), report, context), blocks, tail)


def _unit_blocks(found: Findings, report: Report, context: Context) -> Iterator[str]:
    """Yield a block for each finding, the first below the heading of the units; infos are one block."""
    units = [unit for unit in report.units if unit.root in found.units]
    head = [units_line(units, context)] if len(report.units) > 1 and units else []
    infos = "\n".join(_info_line(group, context) for group in found.infos)
    for block in [*(_finding(group, context) for group in found.groups), *([infos] if infos else [])]:
        yield "\n".join([*head, block])
        head = []


def _info_line(group: Group, context: Context) -> str:
    more = len(group) - 1
    rest = (
        translate("; {findings} (-v to list)", context, findings=noun_count(more, "more finding", context))
        if more
        else ""
    )
    return wrap(f"{_headline(group[0], context)}{rest}", context, indent="  ")


def problem_lines(report: Report, context: Context) -> Iterator[str]:
    """Yield a line for every problem, and one for all rules that did not run (with -v one for each)."""
    for problem in report.problems:
        yield problem_line(problem, context)
    yield from _skips(report, context)
    if context.verbose:
        for item in report.suppressed:
            reason = f": {item.reason}" if item.reason else ""
            words = f"hidden by {item.means}: {item.finding.location}: {item.finding.rule}{reason}"
            yield wrap(one_line(words), context, indent="  ")
    elif report.suppressed:
        numbers = Counter(item.means for item in report.suppressed)
        by = ", ".join(
            _MEANS.get(means, means) + f" ({numbers[means]})" * (len(numbers) > 1) for means in sorted(numbers)
        )
        found = noun_count(len(report.suppressed), "finding", context)
        line = translate("{findings} hidden by {by} (-v to list)", context, findings=found, by=by)
        yield wrap(line, context, indent="  ")
    yield from _older_findings_line(report, context)
    yield from _fixed_line(report, context)
    yield from (remark_line(remark, context) for remark in report.remarks)


def problem_line(problem: Problem, context: Context) -> str:
    """Return the line of a problem, with -v followed by the traceback if it is a defect of the program."""
    advice = f"; {problem.advice}" if problem.advice else ""
    where = place(problem.where, context)
    label = paint("problem", translate("problem", context), context)
    text = f"{where}: {label}: {one_line(problem.message + advice)}"
    return "\n".join((wrap(text, context, indent="  "), *(problem.frames if context.verbose else ())))


def remark_line(remark: Remark, context: Context) -> str:
    """Return a remark as one line."""
    where = place(str(remark.location), context)
    return wrap(f"{where}: {paint('quiet', 'note', context)}: {one_line(remark.message)}", context, indent="  ")


def _finding(group: Group, context: Context) -> str:
    finding = group[0]
    return "\n".join(
        [
            wrap(_headline(finding, context), context, indent="  "),
            *(excerpt(finding, context) if len(group) == 1 else ()),
            *_places(group, context),
            *_related_lines(group, context),
            *_fix(group, context),
            *_proof(finding, context),
            *_applies_line(finding, context),
            *_confidence_line(finding, context),
        ]
    )


def _fix(group: Group, context: Context) -> Iterator[str]:
    """Yield the edits of a finding and its fix, each alternative below a title of its own."""
    edits = [f"# {line}" for line in edit_lines(group[0])]
    blocks = [*fix_blocks(group, context)] or [FixBlock("", ())]
    starts = [number for number, block in enumerate(blocks) if not block.continues]
    for start, end in pairwise([*starts, len(blocks)]):
        alternative = blocks[start:end]
        title = [f"# {block.title}" for block in alternative if block.title]
        lines = [*(() if start else edits), *title, *(line for block in alternative for line in block.lines)]
        marks = dict.fromkeys(translate(block.mark, context) for block in alternative if block.mark)
        label = translate("or:" if start else "fix:", context)
        mark = f"({', '.join(marks)}) " if marks else ""
        yield from steps(
            visible_lines("\n".join(lines)), context, first=f"{_INDENT}{label} {mark}", indent=f"{_INDENT}     "
        )


def finding_lines(group: Group, context: Context) -> Iterator[str]:
    """Yield the lines about a finding besides its message and fix: other places, when it applies, doubts."""
    finding = group[0]
    yield from _places(group, context)
    yield from _related_lines(group, context)
    yield from _applies_line(finding, context)
    yield from _confidence_line(finding, context)


def _places(group: Group, context: Context) -> Iterator[str]:
    """Yield the line with the other places of the same finding."""
    every = other_places(group)
    others = every if context.verbose else every[:_MOST_PLACES]
    more = len(every) - len(others)
    names = [f"{file_link(str(one.location), context)} ({one_line(str(one.ref))})" for one in others]
    rest = [noun_count(more, "more place", context)] if more else []
    if others:
        places = ", ".join([*names, *rest])
        yield wrap(f"{_INDENT}{translate('also at {places}', context, places=places)}", context, indent=f"{_INDENT}  ")


def _related_lines(group: Group, context: Context) -> Iterator[str]:
    """Yield a line about each related place; for a group one line, without the same place of another revision."""
    finding = group[0]
    related = [one for one in finding.related if len(group) == 1 or not _is_earlier(one.location, finding.location)]
    notes: dict[Location, list[str]] = {}
    for one in related:
        notes.setdefault(one.location, []).append(one_line(translate(one.note, context)))
    each = [_related_words(location, words, context) for location, words in notes.items()]
    lines = each if len(group) == 1 else ["; ".join(each)] if each else []
    yield from (wrap(f"{_INDENT}{line}", context, indent=_INDENT) for line in lines)


def _is_earlier(location: Location, now: Location) -> bool:
    """Return whether a location is the same place of another revision (``HEAD:web.yaml``)."""
    return location.span == now.span and location.file.endswith(f":{now.file}")


def _related_words(location: Location, notes: Sequence[str], context: Context) -> str:
    """Return the words about a related place; a template may be the place of many objects."""
    shown = notes if context.verbose else notes[:_MOST_PLACES]
    more = len(notes) - len(shown)
    note = ", ".join([*shown, *([noun_count(more, "more place", context)] if more else [])])
    return translate("see {place}: {note}", context, place=file_link(str(location), context), note=note)


def _headline(finding: Finding, context: Context) -> str:
    severity = paint(finding.severity.value, translate(finding.severity.value, context), context)
    rule = paint("quiet", f"[{finding.rule}]", context)
    return f"{place(str(finding.location), context)}: {severity}: {one_line(finding.message)} {rule}"


def _applies_line(finding: Finding, context: Context) -> Iterator[str]:
    """Yield the line about when a finding applies."""
    words = applies_words(finding, context)
    if words:
        yield wrap(f"{_INDENT}{one_line(words)}", context, indent=f"{_INDENT}  ")


def _proof(finding: Finding, context: Context) -> Iterator[str]:
    if finding.proof:
        yield wrap(f"{_INDENT}{one_line(proof_words(finding.proof, context))}", context, indent=f"{_INDENT}  ")


def _confidence_line(finding: Finding, context: Context) -> Iterator[str]:
    """Yield the line about a confidence that is not high."""
    if finding.confidence != "high":
        yield f"{_INDENT}{translate('confidence: {level}', context, level=translate(finding.confidence, context))}"


def excerpt(finding: Finding, context: Context) -> Iterator[str]:
    """Yield the source line of a finding with its marks, if the source is available and the line is not blank."""
    span = finding.location.span
    lines = context.sources.get(finding.location.file, ())
    if not 0 < span.line <= len(lines) or not lines[span.line - 1].strip():
        return
    line = one_line(lines[span.line - 1].replace("\t", " "))
    end = span.end_column if span.end_line == span.line else len(line) + 1
    skipped = max(0, span.column - 1 - _LONGEST_EXCERPT // 2) if len(line) > _LONGEST_EXCERPT else 0
    shown = line[skipped : skipped + _LONGEST_EXCERPT]
    marks = "^" * max(1, min(end, skipped + len(shown) + 1) - span.column)
    yield f"{_INDENT}{paint('quiet', f'{span.line:4} |', context)} {shown}"
    if span.column - 1 <= skipped + len(shown):
        under = " " * (span.column - 1 - skipped) + paint(finding.severity.value, marks, context)
        yield f"{_INDENT}{paint('quiet', '     |', context)} {under}"


def _skips(report: Report, context: Context) -> Iterator[str]:
    if context.verbose:
        objects = Counter((rule, skip.reason) for skip in report.skips for rule in skip.rules)
        for (rule, reason), number in sorted(objects.items()):
            yield wrap(one_line(f"skipped: {rule} on {count(number, 'object')}: {reason}"), context, indent="  ")
    elif report.skips:
        rules = len(frozenset(chain.from_iterable(skip.rules for skip in report.skips)))
        words = {"rules": noun_count(rules, "rule", context), "reasons": reasons(report.skips)}
        line = translate("skipped: {rules} that could not run: {reasons} (-v to list)", context, **words)
        if rules > 1 and words["reasons"] == NO_CLUSTER:
            line = translate("{rules} need a cluster or a snapshot (-v to list)", context, **words)
        yield wrap(one_line(line), context, indent="  ")


def reasons(skips: Iterable[Skip]) -> str:
    """Return why rules could not run, without duplicates: several rules may not have the same permission."""
    each = {skip.reason for skip in skips}
    return "; ".join(sorted({part for reason in each for part in reason.split("; ")}))


def _older_findings_line(report: Report, context: Context) -> Iterator[str]:
    """Yield the line about older findings that are not listed."""
    if report.known:
        line = translate(
            "{number} older finding is not listed (--show-known lists it)"
            if report.known == 1
            else "{number} older findings are not listed (--show-known lists them)",
            context,
            number=report.known,
        )
        yield wrap(line, context, indent="  ")


def _fixed_line(report: Report, context: Context) -> Iterator[str]:
    """Yield the line about findings that this change fixes."""
    if report.fixed:
        found = noun_count(report.fixed, "finding", context)
        yield wrap(translate("this change fixes {findings}", context, findings=found), context, indent="  ")


def findings_summary(report: Report, context: Context) -> str:
    """Return the summary line of a check."""
    numbers = Counter(finding.severity for finding in report.findings)
    found = [paint(s.value, noun_count(numbers[s], s.value, context), context) for s in Severity if numbers[s]]
    words = ", ".join(found) or paint("good", translate("no findings", context), context)
    every = noun_count(report.checked, "object", context)
    return translate("{found} in {objects}", context, found=words, objects=every) + incomplete_words(report, context)


def incomplete_words(report: Report, context: Context) -> str:
    """Return the warning about an incomplete result, empty if it is complete."""
    problems = noun_count(len(report.problems), "problem", context)
    accepted = sum(bool(unit.accepted) for unit in report.units)
    units = noun_count(accepted, "unit", context)
    return "".join(
        (
            translate("; incomplete: {problems}", context, problems=problems) if report.problems else "",
            translate("; accepted as incomplete: {units}", context, units=units) if accepted else "",
        )
    )
