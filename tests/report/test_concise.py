from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.concise import report_lines
from kubectl_applylint.report.context import Context
from tests.report.samples import DOCUMENT, REJECTED, REPORT


def test_a_finding_is_one_line() -> None:
    assert report_lines(REPORT, Context(width=40)) == (
        "web.yaml:5:3: error: the server refuses this deployment for good: its selector cannot change from app=web to"
        " app=shop [selector-changed]\n"
        "web.yaml:1:1: warning: fields that you removed from the file stay on the live object [last-applied-missing]\n"
        "broken.yaml:3:1: problem: not YAML: a tab indents this line; indent with spaces\n"
        "skipped: 1 rule that could not run: live state is unknown (-v to list)\n"
        "1 finding hidden by comments (-v to list)\n"
        "web.yaml:2:3: note: this comment does not hide port-lost: it expired on 2026-06-30\n"
        "1 error, 1 warning in 2 objects; incomplete: 1 problem\n"
    )


def test_an_object_of_a_plan_is_one_line() -> None:
    report = Report(outcomes=((DOCUMENT, REJECTED),), checked=1)

    assert report_lines(report, Context(command="plan")) == (
        "web.yaml:1:1: deployment.apps/web in shop: rejected (HTTP 422), not stored\n1 rejected\n"
    )
