"""What the applies of a run have in common."""

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.run.load.run_input import RunInput
from kubectl_applylint.run.unit_run import Runs, UnitRun


def test_problems_of_all_applies_are_told_once() -> None:
    problem = Problem("a.yaml", "broken")
    run = UnitRun(None, RunInput(problems=(problem,)))
    found = Runs((run, run))

    assert found.problems == (problem,)
    assert not found.is_unreachable
    assert Runs((run, UnitRun(None, RunInput(is_unreachable=True)))).is_unreachable
