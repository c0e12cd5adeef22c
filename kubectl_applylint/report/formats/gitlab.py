"""Findings as GitLab Code Quality: a JSON array that a merge request shows next to its changes.

GitLab shows only the first of several entries with one fingerprint, and treats a finding with a changed fingerprint as
new; the findings of a report have distinct ones. Problems have no form here: the caller prints them on standard error.
"""

import json
from posixpath import normpath

from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import by_line
from kubectl_applylint.report.words import message_in_units, path_in_files

_SEVERITIES = {Severity.ERROR: "critical", Severity.WARNING: "major", Severity.INFO: "info"}


def code_quality(report: Report, context: Context) -> str:
    """Return the findings that are not hidden, in their order."""
    return (
        json.dumps(
            [_issue(finding, context) for finding in by_line(report.findings, context)],
            ensure_ascii=False,
            indent=2,
            sort_keys=True,
        )
        + "\n"
    )


def _issue(finding: Finding, context: Context) -> Json:
    location = path_in_files(finding.location, context)
    return {
        "description": message_in_units(finding),
        "check_name": finding.rule,
        "fingerprint": finding.fingerprint,
        "severity": _SEVERITIES[finding.severity],
        "location": {
            "path": normpath(location.file),
            "lines": {"begin": location.span.line if location.is_text else 1},
        },
    }
