"""One line per finding, or per object of a plan: for editors, grep and logs."""

from collections.abc import Iterator

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.safe_text import one_line
from kubectl_applylint.lint.model import Finding, Report
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import by_line, shown_findings
from kubectl_applylint.report.order import units_worst_first, worst_first
from kubectl_applylint.report.plan import headline, plan_summary
from kubectl_applylint.report.text import findings_summary, problem_lines
from kubectl_applylint.report.words import message_in_units


def report_lines(report: Report, context: Context) -> str:
    """Return the report without sources, fixes and changes; no line is ever wrapped."""
    page = replace(context, width=None)
    return "".join(f"{line}\n" for line in _result_lines(report, page))


def _result_lines(report: Report, context: Context) -> Iterator[str]:
    """Yield one line per outcome or finding, then the problems."""
    if context.command == "plan":
        for _, applies in units_worst_first(report):
            yield from (headline(document, outcome, context) for document, outcome in worst_first(applies))
    else:
        yield from map(finding_line, by_line(shown_findings(report.findings, context), context))
    yield from problem_lines(report, context)
    yield plan_summary(report, context) if context.command == "plan" else findings_summary(report, context)


def finding_line(finding: Finding) -> str:
    """Return a finding on one line, without color."""
    return one_line(f"{finding.location}: {finding.severity.value}: {message_in_units(finding)} [{finding.rule}]")
