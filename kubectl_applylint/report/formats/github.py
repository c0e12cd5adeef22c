"""Findings as GitHub Actions annotations, within the limits: ten of each kind are shown, the rest only logged."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from kubectl_applylint.core.location import Location
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import inert, visible_lines
from kubectl_applylint.lint.model import Finding, Report, Severity
from kubectl_applylint.report.concise import finding_line
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.finding_groups import by_line
from kubectl_applylint.report.text import findings_summary, problem_lines
from kubectl_applylint.report.words import count, message_in_units, path_in_files

LIMIT = 10
"""The number of annotations of one kind that GitHub shows for a step; it drops further ones silently."""
_PLACE: Final = regex(r"(?P<file>[^:]+):(?P<line>\d+):(?P<col>\d+)")
_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def annotations(report: Report, context: Context) -> str:
    """Return workflow commands, the most severe findings first, and plain lines for the rest."""
    return "".join(f"{line}\n" for line in _commands(report, context))


def _commands(report: Report, context: Context) -> Iterator[str]:
    left_out: list[Finding] = []
    problems = {
        Severity.ERROR: _shown([one for one in report.problems if not one.is_hole]),
        Severity.WARNING: _shown([one for one in report.problems if one.is_hole]),
    }
    for severity in Severity:
        findings = by_line((one for one in report.findings if one.severity is severity), context)
        room = LIMIT - len(problems.get(severity, ()))
        yield from map(partial(_annotation, context=context), findings[:room])
        left_out += findings[room:]
    yield from map(_problem, chain.from_iterable(problems.values()))
    yield from map(inert, _plain(report, left_out, context))


def _plain(report: Report, left_out: Sequence[Finding], context: Context) -> Iterator[str]:
    if left_out:
        yield f"{count(len(left_out), 'finding')} more, beyond GitHub's limit for annotations:"
        yield from map(finding_line, left_out)
    yield from problem_lines(report, context)
    yield findings_summary(report, context)


def _shown(problems: Sequence[Problem]) -> Sequence[Problem]:
    """Return the problems to annotate: they come before findings, but leave half of the room to these."""
    return problems[: LIMIT // 2]


def _annotation(finding: Finding, context: Context) -> str:
    text = f"{message_in_units(finding)}\n\n{finding.fix}".rstrip()
    properties = {**_place(path_in_files(finding.location, context)), "title": finding.rule}
    return _command(_COMMANDS[finding.severity], properties, text)


def _place(location: Location) -> Mapping[str, str]:
    """Return the properties of GitHub's annotation; it accepts columns only if both ends are on one line."""
    if not location.is_text:
        return {}
    span = location.span
    file = location.file.removeprefix("./")
    if span.end_line != span.line:
        return {"file": file, "line": str(span.line), "endLine": str(span.end_line)}
    return {"file": file, "line": str(span.line), "col": str(span.column), "endColumn": str(span.end_column)}


def _problem(problem: Problem) -> str:
    advice = f"; {problem.advice}" if problem.advice else ""
    text = f"{problem.where}: {problem.message}{advice}"
    if problem.is_hole:
        found = _PLACE.fullmatch(problem.where)
        return _command("warning", {**(found.groupdict() if found else {}), "title": "not compared"}, text)
    return _command("error", {"title": "not examined"}, text)


def _command(name: str, properties: Mapping[str, str], text: str) -> str:
    given = ",".join(f"{key}={_escape(value, ':,')}" for key, value in properties.items())
    return f"::{name} {given}::{_escape(visible_lines(text))}"


def _escape(text: str, also: str = "") -> str:
    return "".join(f"%{ord(letter):02X}" if letter in "%\r\n" + also else letter for letter in text)
