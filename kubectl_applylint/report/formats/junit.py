"""Findings and outcomes as JUnit XML, as Jenkins reads it (``junit-10.xsd`` of its xUnit plugin): one suite a file.

A test case is an object under a rule, or an object of a plan. Findings and rejections are failures, but infos are the
output of a case that passed; problems are errors. Rules that could not run test nothing: they are the output of a
suite.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import Final

from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.lint.model import Finding, Report, Severity, Skip
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.plan import last_applies, object_name
from kubectl_applylint.report.text import problem_line, reasons
from kubectl_applylint.report.words import count, message_in_units, verdict_word

_NOWHERE: Final = "applylint"
"""The suite of results that belong to no file."""
_PASSED: Final = "system-out"
_FORBIDDEN: Final = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that cannot occur in XML."""

_BLANKS: Final = {ord(blank): f"&#{ord(blank)};" for blank in "\t\n\r"}


@dataclass(frozen=True, slots=True)
class _Case:
    """One test case; ``kind`` is the element inside it, empty for none."""

    suite: str
    name: str
    kind: str = ""
    type: str = ""
    message: str = ""
    text: str = ""


def junit(report: Report, context: Context) -> str:
    """Return the report as XML; a run without results has one case that passed."""
    cases = [*_cases(report, context.command)] or [_Case(_NOWHERE, context.command)]
    suites: dict[str, list[_Case]] = {}
    for case in cases:
        suites.setdefault(case.suite, []).append(case)
    skipped = _skip_lines(report.skips)
    if skipped:
        suites.setdefault(_NOWHERE, [])
    whole = _element("testsuites", _numbers(cases) | {"name": f"applylint {context.command}"})
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<{whole}>"]
    lines += [line for name, inside in sorted(suites.items()) for line in _suite(name, inside, skipped)]
    return "\n".join([*lines, "</testsuites>", ""])


def _cases(report: Report, command: str) -> Iterator[_Case]:
    """Yield the cases; findings about the objects of a plan do not fail it."""
    yield from map(_finding, report.findings if command != "plan" else ())
    for document, outcome in last_applies(report.outcomes):
        yield _outcome(document.file, outcome)
    yield from map(_problem, report.problems)


def _finding(finding: Finding) -> _Case:
    text = "\n".join(filter(None, (f"{finding.location}: {message_in_units(finding)}", finding.fix)))
    name = f"{finding.ref}: {finding.rule}"
    if finding.severity is Severity.INFO:
        return _Case(finding.location.file, name, _PASSED, text=text)
    return _Case(finding.location.file, name, "failure", finding.severity.value, finding.message, text)


def _outcome(file: str, outcome: Outcome) -> _Case:
    name = f"{object_name(outcome)}: {verdict_word(outcome.verdict)}"
    if not outcome.refused:
        return _Case(file, name)
    causes = [f"{cause.field}: {cause.message}" if cause.field else cause.message for cause in outcome.errors]
    conflicts = [f"{conflict.message}: {render(conflict.path)}" for conflict in outcome.conflicts]
    return _Case(file, name, "failure", outcome.verdict.value, "; ".join(conflicts or causes), outcome.remedy)


def _problem(problem: Problem) -> _Case:
    text = problem_line(problem, Context())
    return _Case(_NOWHERE, problem.where, "error", "problem", problem.message, text)


def _skip_lines(skips: Sequence[Skip]) -> str:
    """Return a line for each rule that could not run, with the number of objects."""
    by_rule: dict[str, list[Skip]] = {}
    for skip in skips:
        for rule in skip.rules:
            by_rule.setdefault(rule, []).append(skip)
    return "\n".join(
        f"skipped: {rule} on {count(len(found), 'object')}: {reasons(found)}" for rule, found in sorted(by_rule.items())
    )


def _suite(name: str, cases: Sequence[_Case], skipped: str) -> Iterator[str]:
    yield f"  <{_element('testsuite', _numbers(cases) | {'name': name})}>"
    for case in cases:
        yield from _case(case)
    if skipped and name == _NOWHERE:
        yield f"    <{_PASSED}>{escape(_legible(skipped), quote=False)}</{_PASSED}>"
    yield "  </testsuite>"


def _case(case: _Case) -> Iterator[str]:
    opening = _element("testcase", {"name": case.name, "classname": case.suite})
    if not case.kind:
        yield f"    <{opening}/>"
        return
    said = {} if case.kind == _PASSED else {"type": case.type, "message": case.message}
    inner = _element(case.kind, said)
    yield f"    <{opening}>"
    yield f"      <{inner}>{escape(_legible(case.text), quote=False)}</{case.kind}>"
    yield "    </testcase>"


def _numbers(cases: Iterable[_Case]) -> dict[str, str]:
    kinds = [case.kind for case in cases]
    return {"tests": str(len(kinds)), "failures": str(kinds.count("failure")), "errors": str(kinds.count("error"))}


def _element(name: str, attributes: Mapping[str, str]) -> str:
    return " ".join([name, *(f'{key}="{_attribute(value)}"' for key, value in sorted(attributes.items()))])


def _attribute(value: str) -> str:
    """Return the text of an attribute, with line breaks escaped, since readers replace them by blanks.

    ``xml.sax.saxutils`` does the same, but imports ``urllib.request``, which would cost every start 30 ms.
    """
    return escape(_legible(value)).translate(_BLANKS)


def _legible(text: str) -> str:
    return re.sub(_FORBIDDEN, "\N{REPLACEMENT CHARACTER}", text)
