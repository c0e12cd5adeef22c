"""The findings of a check counted by rule, as text for users and as JSON for programs."""

import json
from collections.abc import Sequence
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.ending import ending_line
from kubectl_applylint.report.formats.json_v1 import problem_json
from kubectl_applylint.report.headings import page, summary_with_units
from kubectl_applylint.report.text import findings_summary, problem_lines
from kubectl_applylint.report.words import table_lines

VERSION: Final = "statistics-v1"
_HEAD: Final = ("COUNT", "SEVERITY", "FIXABLE", "RULE")


@dataclass(frozen=True, slots=True)
class RuleCount:
    """The findings of a rule with one severity: their number, and how many of them ``check --fix`` edits."""

    rule: str
    severity: Severity
    count: int
    fixable: int


def rule_counts(findings: Sequence[Finding]) -> Sequence[RuleCount]:
    """Return the findings counted by rule and severity, the most frequent first."""
    groups: dict[tuple[str, Severity], list[Finding]] = {}
    for finding in findings:
        groups.setdefault((finding.rule, finding.severity), []).append(finding)
    counts = (
        RuleCount(rule, severity, len(found), sum(bool(one.edits) for one in found))
        for (rule, severity), found in groups.items()
    )
    return sorted(counts, key=lambda one: (-one.count, one.severity.rank, one.rule))


def statistics_text(report: Report, context: Context) -> str:
    """Return a table with one line per rule and severity below the summary line, and problems."""
    ending = ending_line(report, context)
    counts = rule_counts(report.findings)
    tail = [*problem_lines(report, context), *([ending] if ending else [])]
    table = ["\n".join(table_lines(_rows(counts)))] if counts else []
    return page(summary_with_units(findings_summary(report, context), report, context), table, tail)


def _rows(counts: Sequence[RuleCount]) -> Sequence[tuple[str, ...]]:
    """Return the rows of the table."""
    return [_HEAD, *((f"{one.count}", one.severity.value, f"{one.fixable}", one.rule) for one in counts)]


def statistics_json(report: Report, context: Context) -> str:
    """Return the counts as JSON, as ``schemas/statistics-v1.json`` describes it."""
    content: Json = {
        "version": VERSION,
        "tool": {"name": "kubectl-applylint", "version": context.version},
        "checked": report.checked,
        "statistics": [
            {"rule": one.rule, "severity": one.severity.value, "count": one.count, "fixable": one.fixable}
            for one in rule_counts(report.findings)
        ],
        "known": report.known,
        "suppressed": len(report.suppressed),
        "problems": [problem_json(problem) for problem in report.problems],
    }
    return json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
