from dataclasses import replace

from kubectl_applylint.core.outcome import Outcome, Verdict, Why
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.objects.object_details import details, note, other_lines, reason_lines
from tests.report.samples import CONFIGURED, DOCUMENT, REJECTED, WEB, change


def test_a_rejection_has_its_reason_and_remedy() -> None:
    assert list(details(DOCUMENT, REJECTED, Context())) == [
        "    reason: spec.selector: field is immutable",
        "    remedy: delete the deployment and create it again; its pods are gone meanwhile",
        "    warning: spec.paused: deprecated",
    ]


def test_a_change_that_is_not_shown_has_a_reason() -> None:
    nothing = replace(CONFIGURED, changes=(), requests=())

    assert list(details(DOCUMENT, nothing, Context())) == ["    no field changes"]
    assert list(details(DOCUMENT, Outcome(WEB, Verdict.UNCHANGED), Context())) == []


def test_reasons_are_separate_from_warnings() -> None:
    assert list(reason_lines(REJECTED, Context())) == ["    reason: spec.selector: field is immutable"]
    assert list(other_lines(REJECTED, Context(), has_changes=False)) == ["    warning: spec.paused: deprecated"]


def test_a_new_object_needs_no_reason() -> None:
    kind = change(fields("kind"), MISSING, "Deployment", Why.SET)
    new = Outcome(WEB, Verdict.SERVERSIDE_APPLIED, changes=(kind,))

    assert list(details(DOCUMENT, new, Context())) == []


def test_a_line_wraps_below_itself() -> None:
    text = note(f"{'a' * 30} {'b' * 30}", Context(width=40))

    assert text == f"    {'a' * 30}\n      {'b' * 30}"


def test_a_reason_is_only_needed_where_no_change_is_shown() -> None:
    nothing = replace(CONFIGURED, changes=(), requests=())

    assert list(other_lines(nothing, Context(), has_changes=True)) == []
    assert list(other_lines(nothing, Context(), has_changes=False)) == ["    no field changes"]
