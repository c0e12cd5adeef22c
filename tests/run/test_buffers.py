"""The text of an editor, checked."""

import pytest

from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.run.buffers import check_text

RULES = rulebook.built_in().rules
WEB = """apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - port: 0
"""
FOREIGN = "apiVersion: example.com/v1\nkind: Lamp\nmetadata:\n  name: web\n"


@pytest.mark.parametrize(
    ("text", "places"),
    [
        (WEB, ["web.yaml:7:5", "web.yaml:7:5"]),
        (WEB.replace("port: 0", "port: 80"), []),
        (FOREIGN, []),
        ("a: 1\n", []),
        ("{{ if .Values.a }}\na: 1\n{{ end }}\n", []),
    ],
    ids=["rejected", "fine", "a kind of someone else", "no manifest", "a template"],
)
def test_a_text_is_checked_as_a_part_of_its_unit(text: str, places: list[str]) -> None:
    _, report = check_text(text, "web.yaml", RULES)

    assert [str(one.location) for one in report.findings if one.severity == "error"] == places
    assert report.problems == ()


def test_a_syntax_error_is_a_problem_at_its_place() -> None:
    _, report = check_text("apiVersion: v1\nkind: [\n", "web.yaml", RULES)

    assert [problem.where for problem in report.problems] == ["web.yaml:3:1"]


def test_edits_are_proven() -> None:
    text = WEB.replace("port: 0", "port: '80'")
    _, report = check_text(text, "web.yaml", RULES)

    (edited,) = [one for one in report.findings if one.edits]
    assert edited.edits[0].text == "  - port: 80\n"
