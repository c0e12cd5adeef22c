"""Collects the reports of the units of a run into one."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.request import program_name
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.problem import Compared, Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.hiding.baseline import with_fingerprints
from kubectl_applylint.lint.hiding.suppress import Extent, Policy, with_extent
from kubectl_applylint.lint.model import Finding, Report
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.run.evaluate import Evaluation
from kubectl_applylint.run.load.unit_tools import applier_of
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits
from kubectl_applylint.run.problem_groups import merge_by_reason
from kubectl_applylint.run.run_notes import UnitNote, UnitPlace
from kubectl_applylint.units.model import Unit


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The report of one unit; ``unit`` is ``None`` for the apply that the caller named."""

    place: UnitPlace
    unit: UnitReport | None
    report: Report
    seconds: float = field(default=0.0, compare=False)
    """The time that loading and evaluating took."""


@dataclass(frozen=True, slots=True)
class RunResult:
    """The loaded units of a run, the report of each, and the report of all."""

    runs: LoadedUnits
    results: tuple[UnitResult, ...]
    report: Report


def collect(
    runs: LoadedUnits, reports: Sequence[tuple[Report, float]], evaluation: Evaluation, flags: Flags = NO_FLAGS
) -> RunResult:
    """Return the result of a run from the report of each unit and the seconds that it took."""
    if evaluation.without_live and not runs.origin:
        reason = "it could not be read" if runs.is_unreachable else evaluation.without_live
        runs = replace(runs, run_notes=runs.run_notes.with_first_line(f"the live state is unknown: {reason}"))
    results = tuple(
        UnitResult(run.place, _report_of_loaded(run), report, run.seconds + seconds)
        for run, (report, seconds) in zip(runs.each, reports, strict=True)
    )
    each = [report for report, _ in reports]
    last = (*_orphan_notes(runs, each, flags), *_notes_on_results(runs, each))
    runs = replace(runs, run_notes=replace(runs.run_notes, last=last))
    return RunResult(runs, results, join_reports(results, runs.notes))


def _report_of_loaded(run: LoadedUnit) -> UnitReport | None:
    if run.unit is None:
        return None
    return replace(unit_report(run.unit), reason=run.gap or run.unit.applied.gap, accepted=run.accepted)


def unit_report(unit: Unit) -> UnitReport:
    """Return the description of a unit in reports."""
    return UnitReport(
        root=unit.shown,
        form=unit.form.value,
        tool=unit.applied.tool,
        namespace=unit.applied.namespace,
        target=unit.applied.target,
        origin=str(unit.applied.reason),
        declared_by=unit.applied.generated_by or unit.applied.declared_by or _ref(unit.applied.tool_object),
        location=unit.applied.reason.place,
        cluster=unit.applied.cluster,
        source=str(unit.applied.release.chart or unit.applied.source),
        is_suspended=unit.applied.is_suspended,
        program=unit.applied.program,
    )


def _ref(tool_object: JsonObject | None) -> ObjectRef | None:
    return ref_of(tool_object) if tool_object is not None else None


def _orphan_notes(runs: LoadedUnits, reports: Iterable[Report], flags: Flags) -> Iterator[UnitNote]:
    """Yield a note for each tool that may delete orphaned objects, although kubectl is predicted for its units."""
    with_orphans = [
        run.unit
        for run, report in zip(runs.each, reports, strict=True)
        if run.unit and any(outcome.verdict is Verdict.KEPT for _, outcome in report.outcomes)
    ]
    units = (one for one in with_orphans if one.applied.prunes and applier_of(flags, one) is None)
    for tool in sorted({program_name(one.applied.program or one.applied.tool) for one in units}):
        text = f"orphaned objects stay after kubectl apply; {tool} applies these units, and deletes them if it prunes"
        yield UnitNote((tool,), text)


def _notes_on_results(runs: LoadedUnits, reports: Iterable[Report]) -> Iterator[UnitNote]:
    """Yield the notes of reports that loading the units did not have: those on what evaluating them showed."""
    for run, report in zip(runs.each, reports, strict=True):
        yield from (UnitNote(run.place, text) for text in report.notes if text not in run.input.notes)


def join_reports(results: Sequence[UnitResult], notes: Sequence[str]) -> Report:
    """Return the report of a run. A finding of one file that several units have is reported once."""
    reports = [one.report for one in results]
    return Report(
        findings=_unique_findings(results),
        outcomes=tuple(chain.from_iterable(report.outcomes for report in reports)),
        skips=tuple(chain.from_iterable(report.skips for report in reports)),
        problems=tuple(merge_by_reason(_problems(results))),
        notes=tuple(notes),
        checked=sum(report.checked for report in reports),
        suppressed=tuple(dict.fromkeys(chain.from_iterable(report.suppressed for report in reports))),
        remarks=tuple(dict.fromkeys(chain.from_iterable(report.remarks for report in reports))),
        known=sum(report.known for report in reports),
        fixed=sum(report.fixed for report in reports),
        units=tuple(_with_counts(one.unit, one.report) for one in results if one.unit),
        holes=tuple(dict.fromkeys(chain.from_iterable(report.holes for report in reports))),
    )


def _problems(results: Iterable[UnitResult]) -> Iterator[tuple[str, Problem]]:
    return ((one.unit.root if one.unit else "", problem) for one in results for problem in one.report.problems)


def _unique_findings(results: Iterable[UnitResult]) -> tuple[Finding, ...]:
    """Return each finding once, sorted by location, with all of its units."""
    each: dict[tuple[object, ...], Finding] = {}
    for result in results:
        for one in result.report.findings:
            key = (one.location.file, one.location.span, one.rule, one.ref, one.path, one.message)
            units = (*each.get(key, one).units, *((result.unit.root,) if result.unit else ()))
            each[key] = replace(one, units=tuple(dict.fromkeys(units)))
    found = sorted(each.values(), key=lambda one: (one.location.file, one.location.span.line))
    return tuple(with_fingerprints(found))


def _with_counts(unit: UnitReport, report: Report) -> UnitReport:
    applies, reason = len(report.outcomes), report.problems[0].message if report.problems else unit.reason
    is_read = bool(report.checked or applies or report.holes)
    is_known = bool(report.problems) and all(one.is_unchanged for one in report.problems)
    compared = Compared.YES if is_known or not reason else Compared.PARTLY if is_read else Compared.NO
    return replace(unit, applies=applies, checked=report.checked, compared=compared, reason=reason, holes=report.holes)


def policy_with_extent(policy: Policy, runs: LoadedUnits) -> Policy:
    """Return the policy with the extent of a run: how much of the objects was examined."""
    extents = [run.input.extent for run in runs.each]
    return with_extent(policy, extents[0] if len(extents) == 1 else Extent.PART, runs.problems)
