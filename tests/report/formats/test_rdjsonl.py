import json
from dataclasses import replace
from pathlib import Path

import jsonschema

from kubectl_applylint.core.location import NOWHERE, Location, Span
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Edit, Finding, Related, Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.rdjsonl import diagnostics
from tests.report.samples import DOUBTFUL, FINDING, REPORT, RULE

CONTEXT = Context(rules={RULE.id: RULE})
SCHEMA = json.loads((Path(__file__).parent / "data" / "rdf-diagnostic.json").read_text(encoding="utf-8"))
"""Made of reviewdog's protocol buffers, it lets any field through: here those that it does not name are rejected."""


def lines(*findings: Finding, context: Context = CONTEXT) -> list[Json]:
    return [json.loads(line) for line in diagnostics(Report(findings=findings), context).splitlines()]


def close_schema(schema: Json) -> Json:
    """Return a schema that takes no fields but those that it names."""
    match schema:
        case {"properties": _}:
            return {key: close_schema(value) for key, value in schema.items()} | {"additionalProperties": False}
        case dict():
            return {key: close_schema(value) for key, value in schema.items()}
    return schema


def test_each_line_is_valid_by_the_published_schema() -> None:
    edited = replace(FINDING, edits=(Edit(FINDING.location, "x"),))
    live = replace(DOUBTFUL, location=Location("shop/deployment.apps/web", NOWHERE))
    validator = jsonschema.Draft4Validator(close_schema(SCHEMA))

    for line in lines(*REPORT.findings, edited, live):
        assert [error.message for error in validator.iter_errors(line)] == []
    assert not validator.is_valid({"message": 1})
    assert not validator.is_valid({"massage": ""})


def test_a_finding_is_a_line() -> None:
    assert lines(FINDING) == [
        {
            "message": f"{FINDING.message}\n\n{FINDING.fix}",
            "location": {
                "path": "web.yaml",
                "range": {"start": {"line": 5, "column": 3}, "end": {"line": 5, "column": 11}},
            },
            "severity": "ERROR",
            "source": {"name": "applylint"},
            "code": {"value": "selector-changed", "url": RULE.see[0]},
            "related_locations": [
                {
                    "location": {
                        "path": "service.yaml",
                        "range": {"start": {"line": 7, "column": 5}, "end": {"line": 7, "column": 13}},
                    },
                    "message": "this Service selects the same pods",
                }
            ],
        }
    ]
    assert diagnostics(Report(), CONTEXT) == ""


def test_an_edit_is_a_suggestion() -> None:
    edit = Edit(Location("web.yaml", Span(4, 1, 5, 1)), "spec: {}\n")

    assert lines(replace(FINDING, edits=(edit,)))[0]["suggestions"] == [
        {"range": {"start": {"line": 4, "column": 1}, "end": {"line": 5, "column": 1}}, "text": "spec: {}\n"}
    ]
    assert "suggestions" not in lines(FINDING)[0]


def test_columns_count_bytes() -> None:
    found = replace(DOUBTFUL, location=Location("web.yaml", Span(1, 3, 1, 5)))
    (line,) = lines(found, context=Context(sources={"web.yaml": ("aü\N{PILE OF POO}b",)}))

    assert line["location"]["range"] == {"start": {"line": 1, "column": 4}, "end": {"line": 1, "column": 9}}


def test_severities_and_places() -> None:
    found = lines(*(replace(DOUBTFUL, severity=severity) for severity in Severity))
    odd = replace(
        DOUBTFUL,
        location=Location("-", Span(1, 1, 1, 1)),
        related=(Related(Location("shop/deployment.apps/web", NOWHERE), "live"),),
    )
    (line,) = lines(odd, context=Context())

    assert [one["severity"] for one in found] == ["ERROR", "WARNING", "INFO"]
    assert line["location"]["path"] == "stdin"
    assert "related_locations" not in line
    assert line["code"] == {"value": "last-applied-missing"}
