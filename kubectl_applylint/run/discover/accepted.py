"""Removes the problems of units that the configuration accepts as incomplete."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.run.loaded_units import LoadedUnit
from kubectl_applylint.units.accepted import AcceptedGap
from kubectl_applylint.units.model import Unit, object_root
from kubectl_applylint.units.reading import matching_names


def with_accepted(runs: Iterable[LoadedUnit], gaps: Sequence[AcceptedGap]) -> Iterator[LoadedUnit]:
    """Yield units without the problems that the configuration accepts.

    An unreadable cluster is never accepted.
    """
    for run in runs:
        known = {problem: _accepted_gap(run, problem, gaps) for problem in run.input.problems if gaps}
        is_open = run.input.is_unreachable or not any(known.values())
        yield run if is_open else _accept_gaps(run, known)


def _accept_gaps(run: LoadedUnit, known: Mapping[Problem, AcceptedGap | None]) -> LoadedUnit:
    left = tuple(problem for problem, gap in known.items() if gap is None)
    first, gap = next((problem, gap) for problem, gap in known.items() if gap)
    cached = run.cached and replace(run.cached, report=replace(run.cached.report, problems=left), problems=left)
    # A cached result does not contain what was accepted.
    found = replace(run.input, problems=left)
    return replace(run, input=found, cached=cached, key="", gap=first.message, accepted=gap.reason)


def _accepted_gap(run: LoadedUnit, problem: Problem, gaps: Iterable[AcceptedGap]) -> AcceptedGap | None:
    names = {*(_names(run.unit) if run.unit else ()), problem.subject or problem.where}
    return next((gap for gap in gaps if matching_names([gap.unit], names)), None)


def _names(unit: Unit) -> Collection[str]:
    ref = ref_of(unit.applied.tool_object) if unit.applied.tool_object else None
    return {*unit.names, unit.root, *([object_root(ref)] if ref else [])}
