"""Defaults of a report, as the renderers show it."""

import json

import pytest

from kubectl_applylint import __version__
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import Context, Shown
from kubectl_applylint.report.ending import exit_code
from kubectl_applylint.report.finding_groups import shown_findings
from kubectl_applylint.report.formats.json_v1 import report_json
from kubectl_applylint.report.text import findings_text
from tests.report.samples import DOUBTFUL, FINDING, REPORT


def test_nothing_is_coloured_wrapped_or_translated() -> None:
    text = findings_text(REPORT, Context())

    assert "\x1b" not in text
    assert max(map(len, text.splitlines())) > 80


def test_errors_alone_fail_a_run() -> None:
    context = Context()
    codes = [
        exit_code(Report(findings=(finding,)), context.command, context.fail_on, exit_zero=context.exit_zero)
        for finding in (FINDING, DOUBTFUL)
    ]

    assert codes == [1, 0]


@pytest.mark.parametrize("shown", Shown)
def test_an_error_is_always_shown(shown: Shown) -> None:
    assert shown_findings([FINDING], Context(show=shown)) == [FINDING]


def test_a_report_names_the_version_that_made_it() -> None:
    assert json.loads(report_json(REPORT, Context()))["tool"]["version"] == __version__
