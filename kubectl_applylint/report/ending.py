"""The exit code of ``check`` and ``plan``, and its reason."""

from typing import Final

from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.values import equal
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.words import noun_count, translate, wrap

CLEAN: Final = 0
FAILING: Final = 1
CHANGING: Final = 2
INCOMPLETE: Final = 3


def exit_code(report: Report, command: str, fail_on: Severity, *, exit_zero: bool, detailed: bool = False) -> int:
    """Return the exit code of a report: 3 if it is incomplete, 1 if something in it is severe enough.

    A ``detailed`` one of a plan is also 1 if a finding is severe enough, and otherwise 2 if something changes.
    """
    if report.problems:
        return INCOMPLETE
    found = _findings(report, fail_on) if detailed else 0
    if (_failing(report, command, fail_on) or found) and not exit_zero:
        return FAILING
    return CHANGING if detailed and command == "plan" and _changing(report) else CLEAN


def _changing(report: Report) -> int:
    """Return how many objects an apply changes, or may change."""
    return sum(map(is_changing, (outcome for _, outcome in report.outcomes)))


def is_changing(outcome: Outcome) -> bool:
    """Return whether an apply changes the object, or may change it; server-side apply has one verdict for both."""
    if outcome.verdict is Verdict.SERVERSIDE_APPLIED:
        return bool(outcome.owner_changes) or any(not equal(one.before, one.after) for one in outcome.changes)
    return outcome.verdict not in (Verdict.UNCHANGED, Verdict.KEPT)


def _failing(report: Report, command: str, fail_on: Severity) -> int:
    """Return how many findings are severe enough, or, for ``plan``, how many objects would be rejected."""
    if command == "plan":
        return sum(outcome.refused for _, outcome in report.outcomes)
    return _findings(report, fail_on)


def _findings(report: Report, fail_on: Severity) -> int:
    """Return how many findings are severe enough."""
    return sum(finding.severity.rank <= fail_on.rank for finding in report.findings)


def ending_line(report: Report, context: Context) -> str:
    """Return the line with the reason of an exit code, empty if there is nothing to explain."""
    code = exit_code(
        report, context.command, context.fail_on, exit_zero=context.exit_zero, detailed=context.detailed_exitcode
    )
    failing = _failing(report, context.command, context.fail_on)
    if code == INCOMPLETE:
        reason = translate("some input could not be read", context)
    elif code == CHANGING:
        objects = noun_count(_changing(report), "changed object", context)
        reason = translate("{objects} (--detailed-exitcode)", context, objects=objects)
    elif context.command == "plan" and (failing or code == CLEAN):
        reason = translate("{objects} would be rejected", context, objects=noun_count(failing, "object", context))
    else:
        number = _findings(report, context.fail_on)
        words = {"findings": noun_count(number, "finding", context), "severity": context.fail_on.value}
        reason = translate("{findings} at or above {severity} (--fail-on)", context, **words)
    if code == CLEAN and failing:
        reason = translate("{reason}, but --exit-zero", context, reason=reason)
    if code == CLEAN and not failing:
        passed = translate(
            "passed: no finding at or above {severity} (--fail-on)", context, severity=context.fail_on.value
        )
        return wrap(passed, context, indent="  ") if context.command != "plan" and report.findings else ""
    return wrap(translate("exit code {code}: {reason}", context, code=code, reason=reason), context, indent="  ")
