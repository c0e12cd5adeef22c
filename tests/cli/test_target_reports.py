"""Exit codes of reports of several targets."""

import pytest

from kubectl_applylint.cli.target_reports import code_of
from kubectl_applylint.config.configuration import Config
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.report.order import Impact
from kubectl_applylint.report.targets.targets import TargetEffect, TargetReport
from tests.report.samples import WEB

PROBLEM = Problem("eu.json", "no such file")
REJECTED, LOST = TargetReport("eu", refused=1), TargetReport("us", problems=(PROBLEM,))


@pytest.mark.parametrize(
    ("reports", "missing", "exit_zero", "code"),
    [
        ([TargetReport("eu")], [], False, 0),
        ([REJECTED], [], False, 1),
        ([REJECTED], [], True, 0),
        ([REJECTED, LOST], [], True, 3),
        ([], [PROBLEM], True, 3),
    ],
    ids=["clean", "rejected", "exit zero", "lost", "missing"],
)
def test_the_exit_code_is_that_of_a_plan(
    reports: list[TargetReport], missing: list[Problem], exit_zero: bool, code: int
) -> None:
    assert code_of(reports, Config(exit_zero=exit_zero), missing) == code


@pytest.mark.parametrize(("impact", "code"), [(Impact.CONFIGURED, 2), (Impact.UNCHANGED, 0), (Impact.ORPHANED, 0)])
def test_a_detailed_exit_code_is_2_for_changes(impact: Impact, code: int) -> None:
    changed = TargetReport("eu", effects=(TargetEffect("apps", WEB, impact, "", ""),))

    assert code_of([changed], Config(detailed_exitcode=True)) == code
