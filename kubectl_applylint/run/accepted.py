"""Units of a run whose incompleteness the configuration accepts."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.run.unit_run import UnitRun
from kubectl_applylint.units.accepted import AcceptedGap
from kubectl_applylint.units.model import Unit
from kubectl_applylint.units.reading import named_by


def with_accepted(runs: Iterable[UnitRun], gaps: Sequence[AcceptedGap]) -> Iterator[UnitRun]:
    """Yield runs without the problems of units that are accepted as incomplete.

    That no cluster could be read is never accepted.
    """
    for run in runs:
        gap = _gap(run, gaps) if gaps and run.found.problems and not run.found.is_unreachable else None
        yield _accepted(run, gap) if gap else run


def _accepted(run: UnitRun, gap: AcceptedGap) -> UnitRun:
    kept = run.kept and replace(run.kept, report=replace(run.kept.report, problems=()), problems=())
    found, message = replace(run.found, problems=()), run.found.problems[0].message
    # What is kept for later runs does not say what was accepted.
    return replace(run, found=found, kept=kept, key="", gap=message, accepted=gap.reason)


def _gap(run: UnitRun, gaps: Iterable[AcceptedGap]) -> AcceptedGap | None:
    names = _names(run.unit) if run.unit else frozenset(one.where for one in run.found.problems)
    return next((gap for gap in gaps if named_by([gap.unit], names)), None)


def _names(unit: Unit) -> Collection[str]:
    ref = ref_of(unit.applied.tool_object) if unit.applied.tool_object else None
    return {unit.shown, unit.root, *([f"{ref.kind}/{ref.namespace}/{ref.name}"] if ref else [])}
