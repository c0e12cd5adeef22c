"""What is reported of the applies of a request: findings, outcomes, and what a change has brought and removed."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Final, Protocol, TypeVar

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.problem import Compared, Problem
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.lint.dispatch import Dispatch
from kubectl_applylint.lint.hiding.baseline import marked
from kubectl_applylint.lint.hiding.suppress import NO_POLICY, Extent, Policy
from kubectl_applylint.lint.model import Finding, Report, Rule, Severity, UnitReport
from kubectl_applylint.lint.run import Spread
from kubectl_applylint.run import assemble
from kubectl_applylint.run.assemble import Watch
from kubectl_applylint.run.files import RunInput
from kubectl_applylint.run.problem_groups import merge_by_reason
from kubectl_applylint.run.progress import in_turn
from kubectl_applylint.run.proofs import proven
from kubectl_applylint.run.sent_reports import SentReport, received, sent
from kubectl_applylint.run.unit_notes import RunNotes, UnitNote, UnitPlace
from kubectl_applylint.run.unit_run import Runs, UnitRun
from kubectl_applylint.sources.system.timing import timed
from kubectl_applylint.units.model import Unit

_SIZE: Final = regex(r"[0-9]+ bytes")
_Told = TypeVar("_Told")


class SpreadUnits(Protocol):
    """Does what ``map`` does, for what is told of each unit with how many seconds that took."""

    def __call__(
        self, work: Callable[[UnitRun], tuple[_Told, float]], units: Sequence[UnitRun], /
    ) -> Iterable[tuple[_Told, float]]:
        """Return what ``work`` makes of each unit, in their order."""


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What a run has found in one unit, ``None`` where the caller named what is applied."""

    place: UnitPlace
    unit: UnitReport | None
    report: Report
    seconds: float = field(default=0.0, compare=False)
    """How long it took."""


def _keeps_nothing(told: Iterable[tuple[UnitRun, Report]]) -> None:
    """Keep nothing for later runs."""


@dataclass(frozen=True, slots=True)
class UnitJudge:
    """Judges the units of a run by rules.

    What they find in the earlier manifests as well (the same rule, object, path and message) is only counted, unless it
    ``shows_known``: the change has not brought it. What they find only in those is counted as fixed. Edits are proven
    of findings that are no lighter than ``lightest``.
    """

    dispatch: Dispatch
    policy: Policy = NO_POLICY
    shows_known: bool = False
    lightest: Severity | None = Severity.INFO

    def __call__(self, run: UnitRun, spread: Spread = map) -> Report:
        """Return the report on a unit; ``spread`` is that of ``lint_by``."""
        if run.kept:
            return run.kept.report
        examine = partial(assemble.check, rules=self.dispatch, policy=self.policy, spread=spread)
        report = examine(run.found)
        report = report if self.shows_known else _of_change(run, report, examine)
        rules, silent = self.dispatch.rules, self.dispatch.silent
        return proven(run.found, report, rules=rules, silent=silent, lightest=self.lightest)


def check(
    runs: Runs,
    judge: UnitJudge,
    *,
    spread: Spread = map,
    spread_units: SpreadUnits = map,
    keeps: Callable[[Iterable[tuple[UnitRun, Report]]], None] = _keeps_nothing,
) -> Report:
    """Return what the rules find in each apply; ``spread`` is that of ``lint_by``.

    ``spread_units`` does what ``map`` does; it is asked instead of ``spread`` unless one unit has most of the objects.
    ``keeps`` is given what was found in each.
    """
    if _has_one_large(runs):
        judged = partial(judge, spread=spread)
        told = [timed(partial(judged, run)) for run in in_turn("checking unit", runs.each, _root)]
    else:
        told = _spread(runs.each, judge, spread_units)
    reports = [report for report, _ in told]
    keeps(zip(_after(runs.each, told), reports, strict=True))
    return joined(results_of(runs, reports), runs.notes)


def _after(runs: Sequence[UnitRun], told: Sequence[tuple[object, float]]) -> tuple[UnitRun, ...]:
    """Return runs with the time that they took now."""
    return tuple(replace(run, seconds=run.seconds + took) for run, (_, took) in zip(runs, told, strict=True))


def _spread(
    runs: Sequence[UnitRun], judge: Callable[[UnitRun], _Told], spread_units: SpreadUnits
) -> list[tuple[_Told, float]]:
    """Return what is told of runs, for which the largest are begun first."""
    largest_first = sorted(range(len(runs)), key=lambda place: -len(runs[place].found.subjects))
    work = partial(_timed, judge)
    made = zip(largest_first, spread_units(work, [runs[place] for place in largest_first]), strict=True)
    return [told for _, told in sorted(made, key=itemgetter(0))]


def _timed(judge: Callable[[UnitRun], _Told], run: UnitRun) -> tuple[_Told, float]:
    return timed(partial(judge, run))


def _has_one_large(runs: Runs) -> bool:
    numbers = [len(run.found.subjects) for run in runs.each]
    return 2 * max(numbers, default=0) >= sum(numbers)


def _of_change(run: UnitRun, report: Report, examine: Callable[[RunInput], Report]) -> Report:
    earlier = run.earlier()
    if earlier is None:
        return report
    there = {subject.document.ref.identity for subject in run.found.subjects}
    before = {_matter(finding): finding.ref.identity for finding in examine(earlier).findings}
    now = {_matter(finding) for finding in report.findings}
    brought = tuple(finding for finding in report.findings if _matter(finding) not in before)
    fixed = sum(name in there for matter, name in before.items() if matter not in now)
    return replace(report, findings=brought, known=len(report.findings) - len(brought), fixed=fixed)


def _matter(finding: Finding) -> tuple[object, ...]:
    """Return what makes two findings of two revisions the same; how long a text is does not."""
    return (finding.rule, finding.ref.identity, finding.path, _SIZE.sub("bytes", finding.message))


def plan(runs: Runs, rules: Callable[[], Sequence[Rule]] = tuple, *, watch: Watch = iter) -> Report:
    """Return what each apply does to its objects; see ``assemble.plan``."""
    results, said = planned(runs, rules, watch=watch)
    return joined(results, said.lines)


def planned(
    runs: Runs,
    rules: Callable[[], Sequence[Rule]] = tuple,
    *,
    watch: Watch = iter,
    spread_units: SpreadUnits = map,
) -> tuple[tuple[UnitResult, ...], RunNotes]:
    """Return the plan of each apply, and what is to be said of all; ``spread_units`` is that of ``check``."""
    if _has_one_large(runs):
        turns = in_turn("predicting unit", runs.each, _root)
        told = [timed(partial(assemble.plan, run.found, rules, watch=watch)) for run in turns]
    else:
        came = _spread(runs.each, partial(_sent_plan, rules=rules), spread_units)
        told = [(received(run.found, one), took) for run, (one, took) in zip(runs.each, came, strict=True)]
    reports = [report for report, _ in told]
    results = results_of(replace(runs, each=_after(runs.each, told)), reports)
    return results, replace(runs.said, last=tuple(_left_to_tools(runs, reports)))


def _sent_plan(run: UnitRun, rules: Callable[[], Sequence[Rule]]) -> SentReport:
    return sent(run.found, assemble.plan(run.found, rules))


def _left_to_tools(runs: Runs, reports: Iterable[Report]) -> Iterator[UnitNote]:
    """Yield what to know of units that lose objects, and that a tool applies which may delete these."""
    kept = [
        run.unit.applied
        for run, report in zip(runs.each, reports, strict=True)
        if run.unit and any(outcome.verdict is Verdict.KEPT for _, outcome in report.outcomes)
    ]
    for tool in sorted({applied.tool for applied in kept if applied.prunes}):
        left = f"orphaned objects stay after kubectl apply; {tool} applies these units, and deletes them if it prunes"
        yield UnitNote((tool,), left)


def _root(run: UnitRun) -> str:
    return run.unit.shown if run.unit else ""


def within_extent(policy: Policy, runs: Runs) -> Policy:
    """Return the policy of a run with how much all applies have looked at."""
    extents = [run.found.extent for run in runs.each]
    extent = extents[0] if len(extents) == 1 else Extent.PART
    return replace(policy, extent=Extent.BROKEN if runs.problems else extent)


def results_of(runs: Runs, reports: Sequence[Report]) -> tuple[UnitResult, ...]:
    """Return the reports of the applies of a request, each with its unit."""
    return tuple(
        UnitResult(run.place, _of_run(run.unit, run) if run.unit else None, report, run.seconds)
        for run, report in zip(runs.each, reports, strict=True)
    )


def _of_run(unit: Unit, run: UnitRun) -> UnitReport:
    return replace(described(unit), reason=run.gap, accepted=run.accepted)


def joined(results: Sequence[UnitResult], notes: Sequence[str]) -> Report:
    """Return one report of all; what two units of one file both say is said once."""
    reports = [one.report for one in results]
    return Report(
        findings=_told_once(results),
        outcomes=tuple(chain.from_iterable(report.outcomes for report in reports)),
        skips=tuple(chain.from_iterable(report.skips for report in reports)),
        problems=tuple(merge_by_reason(_problems(results))),
        notes=tuple(notes),
        checked=sum(report.checked for report in reports),
        suppressed=tuple(dict.fromkeys(chain.from_iterable(report.suppressed for report in reports))),
        remarks=tuple(dict.fromkeys(chain.from_iterable(report.remarks for report in reports))),
        known=sum(report.known for report in reports),
        fixed=sum(report.fixed for report in reports),
        units=tuple(_of_unit(one.unit, one.report) for one in results if one.unit),
    )


def _problems(results: Iterable[UnitResult]) -> Iterator[tuple[str, Problem]]:
    return ((one.unit.root if one.unit else "", problem) for one in results for problem in one.report.problems)


def _told_once(results: Iterable[UnitResult]) -> tuple[Finding, ...]:
    """Return the findings by their places, each with all units that it is about."""
    each: dict[tuple[object, ...], Finding] = {}
    for result in results:
        for one in result.report.findings:
            key = (one.location.file, one.location.span, one.rule, one.ref, one.path, one.message)
            units = (*each.get(key, one).units, *((result.unit.root,) if result.unit else ()))
            each[key] = replace(one, units=tuple(dict.fromkeys(units)))
    found = sorted(each.values(), key=lambda one: (one.location.file, one.location.span.line))
    return tuple(marked(found))


def _of_unit(unit: UnitReport, report: Report) -> UnitReport:
    applies, reason = len(report.outcomes), report.problems[0].message if report.problems else unit.reason
    is_read = bool(report.checked or applies)
    compared = Compared.YES if not reason else Compared.PARTLY if is_read else Compared.NO
    return replace(unit, applies=applies, checked=report.checked, compared=compared, reason=reason)


def described(unit: Unit) -> UnitReport:
    """Return what reports say of a unit."""
    return UnitReport(
        root=unit.shown,
        form=unit.form.value,
        tool=unit.applied.tool,
        namespace=unit.applied.namespace,
        target=unit.applied.target,
        origin=str(unit.applied.reason),
    )
