"""Common properties of the applies of a run."""

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.loaded_units import LoadedUnit, LoadedUnits


def test_problems_of_all_applies_are_reported_once() -> None:
    problem = Problem("a.yaml", "broken")
    run = LoadedUnit(None, RunInput(problems=(problem,)))
    found = LoadedUnits((run, run))

    assert found.problems == (problem,)
    assert not found.is_unreachable
    assert LoadedUnits((run, LoadedUnit(None, RunInput(is_unreachable=True)))).is_unreachable
