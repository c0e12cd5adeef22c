from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import ending_line, exit_code
from tests.report.samples import CONFIGURED, DOCUMENT, DOUBTFUL, FINDING, REJECTED

PLAN, CHECK = Context(command="plan"), Context()
REFUSED = Report(outcomes=((DOCUMENT, REJECTED), (DOCUMENT, CONFIGURED)))
BROKEN = replace(REFUSED, problems=(Problem("a.yaml", "not YAML"),))
DETAILED = replace(PLAN, detailed_exitcode=True)
CHANGED = Report(outcomes=((DOCUMENT, CONFIGURED),))
UNCHANGED = Report(outcomes=((DOCUMENT, replace(CONFIGURED, verdict=Verdict.UNCHANGED, changes=())),))
APPLIED = Report(outcomes=((DOCUMENT, replace(CONFIGURED, verdict=Verdict.SERVERSIDE_APPLIED, changes=())),))
WRONG, WARNED = Report(findings=(FINDING, DOUBTFUL)), Report(findings=(DOUBTFUL,))


@pytest.mark.parametrize(
    ("report", "context", "code", "line"),
    [
        pytest.param(Report(), PLAN, 0, "", id="nothing"),
        pytest.param(REFUSED, PLAN, 1, "exit code 1: 1 object would be rejected", id="refused"),
        pytest.param(BROKEN, PLAN, 3, "exit code 3: some input could not be read", id="incomplete"),
        pytest.param(WRONG, CHECK, 1, "exit code 1: 1 finding at or above error (--fail-on)", id="error"),
        pytest.param(WARNED, CHECK, 0, "passed: no finding at or above error (--fail-on)", id="warning"),
        pytest.param(Report(), CHECK, 0, "", id="no finding"),
        pytest.param(
            WARNED,
            replace(CHECK, fail_on=Severity.WARNING),
            1,
            "exit code 1: 1 finding at or above warning (--fail-on)",
            id="warning fails",
        ),
        pytest.param(CHANGED, DETAILED, 2, "exit code 2: 1 changed object (--detailed-exitcode)", id="changed"),
        pytest.param(replace(CHANGED, findings=WRONG.findings), PLAN, 0, "", id="a finding of a plan"),
        pytest.param(
            replace(CHANGED, findings=WRONG.findings),
            DETAILED,
            1,
            "exit code 1: 1 finding at or above error (--fail-on)",
            id="a finding before changed",
        ),
        pytest.param(
            replace(CHANGED, findings=WARNED.findings),
            DETAILED,
            2,
            "exit code 2: 1 changed object (--detailed-exitcode)",
            id="a warning and a change",
        ),
        pytest.param(UNCHANGED, DETAILED, 0, "", id="unchanged"),
        pytest.param(APPLIED, DETAILED, 0, "", id="server-side applied without a change"),
        pytest.param(REFUSED, DETAILED, 1, "exit code 1: 1 object would be rejected", id="refused before changed"),
        pytest.param(BROKEN, DETAILED, 3, "exit code 3: some input could not be read", id="incomplete before refused"),
        pytest.param(
            REFUSED,
            replace(PLAN, exit_zero=True),
            0,
            "exit code 0: 1 object would be rejected, but --exit-zero",
            id="wanted all the same",
        ),
    ],
)
def test_the_exit_code_and_its_reason(report: Report, context: Context, code: int, line: str) -> None:
    detailed = context.detailed_exitcode
    found = exit_code(report, context.command, context.fail_on, exit_zero=context.exit_zero, detailed=detailed)

    assert found == code
    assert ending_line(report, context) == line


def test_the_reason_wraps_in_a_terminal() -> None:
    assert ending_line(WRONG, replace(CHECK, width=40)) == "exit code 1: 1 finding at or above error\n  (--fail-on)"
