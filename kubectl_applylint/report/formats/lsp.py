"""Findings as diagnostics of the Language Server Protocol, and their proven edits as code actions, as plain JSON.

Its lines and characters count from 0, the characters in units of UTF-16. ``lines`` are those of the document.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.utf16 import utf16_length
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.lint.fixes.steps import edit_lines
from kubectl_applylint.lint.model import Finding, Rule, Severity
from kubectl_applylint.report.words import help_uri

SOURCE: Final = "applylint"
_SEVERITIES: Final[Mapping[Severity, int]] = {Severity.ERROR: 1, Severity.WARNING: 2, Severity.INFO: 3}
_OBJECT: Final = 19
"""The kind of a symbol that is an object."""
_PLACE: Final = regex(r":(\d+):(\d+)$|:(\d+)$")


def diagnostic(finding: Finding, lines: Sequence[str], rule: Rule | None) -> JsonObject:
    """Return a finding with its fix as a diagnostic at its place."""
    page = help_uri(rule) if rule else ""
    return {
        "range": range_json(finding.location.span, lines),
        "severity": _SEVERITIES[finding.severity],
        "code": finding.rule,
        **({"codeDescription": {"href": page}} if page else {}),
        "source": SOURCE,
        "message": f"{finding.message}\n\n{finding.fix}".rstrip(),
    }


def problem_diagnostic(problem: Problem, lines: Sequence[str], file: str) -> JsonObject:
    """Return a problem as an error at its line of a file, or at the first line if it names none.

    A problem elsewhere, which keeps the file from being checked, is a warning at the first line.
    """
    place = _PLACE.search(problem.where)
    if _PLACE.sub("", problem.where) != file:
        return _notice(f"{problem.where}: {problem.message}; {problem.advice}", lines)
    line = int(place[1] or place[3]) if place else 1
    end = len(lines[line - 1]) + 1 if line <= len(lines) else 1
    return {
        "range": range_json(Span(line, int(place[2] or 1) if place else 1, line, end), lines),
        "severity": _SEVERITIES[Severity.ERROR],
        "source": SOURCE,
        "message": f"{problem.message}; {problem.advice}",
    }


def _notice(message: str, lines: Sequence[str]) -> JsonObject:
    """Return a message about the document as a warning at its first line."""
    extent = range_json(Span(1, 1, 1, len(lines[0]) + 1 if lines else 1), lines)
    return {"range": extent, "severity": _SEVERITIES[Severity.WARNING], "source": SOURCE, "message": message}


def symbol(document: Document, lines: Sequence[str]) -> JsonObject:
    """Return an object of a document for the outline of the editor."""
    ref = document.ref
    extent = document.positions.value(()) or Span(1, 1, 1, 1)
    name = document.positions.value(fields("metadata", "name")) or extent
    return {
        "name": f"{ref.kind}/{ref.name}",
        "kind": _OBJECT,
        **({"detail": ref.namespace} if ref.namespace else {}),
        "range": range_json(extent, lines),
        "selectionRange": range_json(name, lines),
    }


def location(uri: str, span: Span, lines: Sequence[str]) -> JsonObject:
    """Return a place in a document; ``lines`` are those of that document."""
    return {"uri": uri, "range": range_json(span, lines)}


def actions(finding: Finding, uri: str, lines: Sequence[str], of: JsonObject) -> Iterator[JsonObject]:
    """Yield the edits of a finding as a quick fix of its diagnostic ``of``.

    An edit that is valid in some cases only is not preferred, and its title states them.
    """
    proof = finding.proof
    if not finding.edits or proof is None:
        return
    edits: list[Json] = [{"range": range_json(one.location.span, lines), "newText": one.text} for one in finding.edits]
    condition = f" (holds for: {', '.join(case.value for case in proof.cases)})" if proof.cases else ""
    yield {
        "title": " / ".join(edit_lines(finding)) + condition,
        "kind": "quickfix",
        "diagnostics": [of],
        "isPreferred": not proof.cases,
        "edit": {"changes": {uri: edits}},
    }


def range_json(span: Span, lines: Sequence[str]) -> JsonObject:
    """Return a range of the document."""
    return {"start": _position(span.line, span.column, lines), "end": _position(span.end_line, span.end_column, lines)}


def _position(line: int, column: int, lines: Sequence[str]) -> JsonObject:
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return {"line": max(line - 1, 0), "character": utf16_length(text[: max(column - 1, 0)])}
