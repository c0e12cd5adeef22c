"""Findings as Reviewdog Diagnostic Format, one JSON object per line, for ``reviewdog -f=rdjsonl``.

Its columns count bytes of UTF-8, ours characters. An edit of a finding is a suggestion that a reviewer can apply.
"""

import json
from posixpath import normpath
from typing import Final

from kubectl_applylint.core.location import Location
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import by_line
from kubectl_applylint.report.words import help_uri, message_in_units, path_in_files

_SOURCE: Final = {"name": "applylint"}
_SEVERITIES: Final = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def diagnostics(report: Report, context: Context) -> str:
    """Return a line for each finding that is not hidden, in their order."""
    diagnostics = (_diagnostic(finding, context) for finding in by_line(report.findings, context))
    return "".join(json.dumps(one, ensure_ascii=False, sort_keys=True) + "\n" for one in diagnostics)


def _diagnostic(finding: Finding, context: Context) -> Json:
    rule = context.rules.get(finding.rule)
    url = help_uri(rule) if rule else ""
    suggestions = [{"range": _range(edit.location, context), "text": edit.text} for edit in finding.edits]
    related = [
        {"location": _location(one.location, context), "message": one.note}
        for one in finding.related
        if one.location.is_text
    ]
    return {
        "message": f"{message_in_units(finding)}\n\n{finding.fix}".rstrip(),
        "location": _location(finding.location, context),
        "severity": _SEVERITIES[finding.severity],
        "source": _SOURCE,
        "code": {"value": finding.rule, **({"url": url} if url else {})},
        **({"suggestions": suggestions} if suggestions else {}),
        **({"related_locations": related} if related else {}),
    }


def _location(location: Location, context: Context) -> Json:
    path = "stdin" if location.file == "-" else normpath(path_in_files(location, context).file)
    return {"path": path, **({"range": _range(location, context)} if location.is_text else {})}


def _range(location: Location, context: Context) -> Json:
    span = location.span
    lines = context.sources.get(location.file, ())
    start, end = (
        {"line": line, "column": column + _more_bytes(lines[line - 1 : line], column)}
        for line, column in ((span.line, span.column), (span.end_line, span.end_column))
    )
    return {"start": start, "end": end}


def _more_bytes(line: tuple[str, ...], column: int) -> int:
    """Return the number of bytes minus the number of characters before a column; 0 if the line is unknown."""
    return sum(len(part[: column - 1].encode(errors="replace")) - len(part[: column - 1]) for part in line)
