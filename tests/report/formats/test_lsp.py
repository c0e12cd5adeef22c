"""Findings as an editor wants them."""

from dataclasses import replace

import pytest

from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Edit, LiveAssumption, Proof, Severity
from kubectl_applylint.report.formats.lsp import actions, diagnostic, location, problem_diagnostic, symbol
from kubectl_applylint.sources.text.manifests import read_text
from tests.report.samples import FINDING

LINES = ["kind: Deployment", "name: '\N{GRINNING FACE}' # é", "spec: {}"]


def at(span: Span) -> Location:
    return Location("web.yaml", span)


@pytest.mark.parametrize(
    ("span", "start", "end"),
    [
        (Span(1, 1, 1, 5), (0, 0), (0, 4)),
        (Span(2, 7, 2, 10), (1, 6), (1, 10)),
        (Span(3, 1, 4, 1), (2, 0), (3, 0)),
    ],
    ids=["ASCII", "two units of UTF-16", "past the end"],
)
def test_places_count_from_zero_in_utf_16(span: Span, start: tuple[int, int], end: tuple[int, int]) -> None:
    shown = diagnostic(replace(FINDING, location=at(span)), LINES, None)

    assert shown["range"] == {
        "start": {"line": start[0], "character": start[1]},
        "end": {"line": end[0], "character": end[1]},
    }


@pytest.mark.parametrize(("severity", "number"), [(Severity.ERROR, 1), (Severity.WARNING, 2), (Severity.INFO, 3)])
def test_a_diagnostic_has_the_fix_with_its_message(severity: Severity, number: int) -> None:
    shown = diagnostic(replace(FINDING, severity=severity, message="gone", fix="kubectl apply"), LINES, None)

    assert (shown["severity"], shown["code"], shown["message"]) == (number, FINDING.rule, "gone\n\nkubectl apply")


@pytest.mark.parametrize(
    ("where", "line", "character"),
    [("web.yaml:2:7", 1, 6), ("web.yaml:3", 2, 0), ("web.yaml", 0, 0)],
    ids=["line and column", "line", "file"],
)
def test_a_problem_is_an_error_to_the_end_of_its_line(where: str, line: int, character: int) -> None:
    shown = problem_diagnostic(Problem(where, "not readable", "correct it"), LINES, "web.yaml")
    length = len(LINES[line].encode("utf-16-le")) // 2

    assert shown["range"] == {
        "start": {"line": line, "character": character},
        "end": {"line": line, "character": length},
    }
    assert (shown["severity"], shown["message"]) == (1, "not readable; correct it")


def test_a_problem_of_another_file_is_a_warning_at_the_first_line() -> None:
    shown = problem_diagnostic(Problem("other.yaml:3", "not readable", "correct it"), LINES, "web.yaml")

    assert shown["range"]["end"] == {"line": 0, "character": len(LINES[0])}
    assert (shown["severity"], shown["message"]) == (2, "other.yaml:3: not readable; correct it")


@pytest.mark.parametrize(
    ("cases", "preferred", "words"),
    [
        ((), True, "in web.yaml: delete line 3"),
        ((LiveAssumption.FRESH,), False, "in web.yaml: delete line 3 (holds for: fresh install)"),
    ],
    ids=["in every case", "in some"],
)
def test_a_proven_edit_is_a_quick_fix(cases: tuple[LiveAssumption, ...], preferred: bool, words: str) -> None:
    edits = (Edit(at(Span(3, 1, 4, 1)), ""),)
    diagnosed: dict[str, Json] = {"range": {}}
    found = replace(FINDING, edits=edits, proof=Proof(Verdict.CONFIGURED, cases=cases))
    (fix,) = actions(found, "file:///web.yaml", LINES, diagnosed)

    assert (fix["title"], fix["isPreferred"], fix["diagnostics"]) == (words, preferred, [diagnosed])
    place = {"start": {"line": 2, "character": 0}, "end": {"line": 3, "character": 0}}
    assert fix["edit"] == {"changes": {"file:///web.yaml": [{"range": place, "newText": ""}]}}


def test_an_unproven_edit_is_no_quick_fix() -> None:
    assert list(actions(replace(FINDING, edits=(), proof=None), "file:///web.yaml", LINES, {})) == []


def test_an_object_is_a_symbol_with_its_name() -> None:
    (document,) = read_text("apiVersion: v1\nkind: A\nmetadata: {name: b, namespace: c}\n", "a.yaml").documents
    found = symbol(document, document_lines := ["apiVersion: v1", "kind: A", "metadata: {name: b, namespace: c}", ""])

    assert (found["name"], found["detail"], found["range"]["start"]["line"]) == ("A/b", "c", 0)
    assert found["selectionRange"]["start"] == {"line": 2, "character": 17}
    assert location("file:///a", Span(3, 1, 3, 2), document_lines)["range"]["start"]["line"] == 2
