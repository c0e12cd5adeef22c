from dataclasses import replace

import pytest

from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.lint.model import Report
from kubectl_applylint.report.context import EVERY_COMMIT, Context
from kubectl_applylint.report.round_trip import round_trip
from tests.report.samples import CONFIGURED, DOCUMENT, REJECTED, WEB, change

LASTING = replace(CONFIGURED, changes=(change(fields("data", "b"), 1, 2, Why.LEFT_BY_REVERT),))
SAME = replace(CONFIGURED, changes=())


def first_line(outcome: Outcome, command: str) -> str:
    return round_trip(Report(outcomes=((DOCUMENT, outcome),), checked=3), Context(command=command)).splitlines()[0]


@pytest.mark.parametrize(
    ("command", "outcome", "words"),
    [
        ("revert", LASTING, "not restored"),
        ("revert", REJECTED, "the revert is rejected"),
        ("revert", Outcome(WEB, Verdict.KEPT), "orphaned: the revert removes its manifest"),
        ("again", LASTING, "the second apply changes it again"),
        ("again", SAME, 'the second apply reports "configured" without a change'),
        ("again", REJECTED, "the second apply is rejected"),
        (EVERY_COMMIT, LASTING, "depends on intermediate commits: applying only the last one gives a different result"),
    ],
)
def test_each_object_says_what_is_wrong(command: str, outcome: Outcome, words: str) -> None:
    assert first_line(outcome, command) == f"web.yaml:1:1: deployment.apps/web in shop: {words}"


def test_remaining_changes_are_named() -> None:
    text = round_trip(Report(outcomes=((DOCUMENT, LASTING),), checked=3), Context(command="revert"))

    assert "    ~ data.b: 1 → 2 (left by revert)\n" in text
    assert text.endswith("\n\n1 of 3 objects is not restored\n")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("revert", "a revert restores 3 objects\n"),
        ("again", "a second apply changes nothing in 3 objects\n"),
    ],
)
def test_a_complete_round_trip_has_one_line(command: str, words: str) -> None:
    assert round_trip(Report(checked=3), Context(command=command)) == words


def test_complaints_wrap_in_a_terminal() -> None:
    report = Report(outcomes=((DOCUMENT, SAME),), checked=3)

    assert round_trip(report, Context(command="again", width=60)).splitlines()[:2] == [
        "web.yaml:1:1: deployment.apps/web in shop: the second apply",
        '    reports "configured" without a change',
    ]
