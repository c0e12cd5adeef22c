import json
from dataclasses import replace
from typing import Any

import jsonschema

from kubectl_applylint.core.location import NOWHERE, Location, Span
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.gitlab import code_quality
from tests.report.samples import FINDING, REPORT

DOCUMENTED = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["description", "check_name", "fingerprint", "severity", "location"],
        "additionalProperties": False,
        "properties": {
            **{key: {"type": "string", "minLength": 1} for key in ("description", "check_name", "fingerprint")},
            "severity": {"enum": ["info", "minor", "major", "critical", "blocker"]},
            "location": {
                "type": "object",
                "required": ["path", "lines"],
                "properties": {
                    "path": {"type": "string", "pattern": r"^(?!\./)"},
                    "lines": {
                        "type": "object",
                        "required": ["begin"],
                        "properties": {"begin": {"type": "integer", "minimum": 1}},
                    },
                },
            },
        },
    },
}
"""Each entry is as https://docs.gitlab.com/ci/testing/code_quality/ requires: relative paths without ``./``."""


def issues(*findings: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(code_quality(Report(findings=findings), Context()))
    return found


def test_a_finding_becomes_an_entry() -> None:
    (entry,) = issues(FINDING)

    assert entry == {
        "fingerprint": FINDING.fingerprint,
        "description": FINDING.message,
        "check_name": "selector-changed",
        "severity": "critical",
        "location": {"path": "web.yaml", "lines": {"begin": 5}},
    }


def test_the_report_is_what_gitlab_documents() -> None:
    found = json.loads(code_quality(REPORT, Context()))

    jsonschema.Draft202012Validator(DOCUMENTED).validate(found)
    assert len({entry["fingerprint"] for entry in found}) == len(found) == 2


def test_severities_are_those_that_gitlab_knows() -> None:
    severities = [issues(replace(FINDING, severity=severity))[0]["severity"] for severity in Severity]

    assert severities == ["critical", "major", "info"]


def test_paths_are_those_of_the_repository() -> None:
    here = replace(FINDING, location=Location("./deploy//web.yaml", Span(1, 1, 1, 1)))
    live = replace(FINDING, location=Location("shop/deployment.apps/web", NOWHERE))

    assert [entry["location"] for entry in issues(here, live)] == [
        {"path": "deploy/web.yaml", "lines": {"begin": 1}},
        {"path": "shop/deployment.apps/web", "lines": {"begin": 1}},
    ]


def test_hidden_findings_and_problems_are_left_out() -> None:
    report = replace(REPORT, findings=(), problems=(Problem("broken.yaml", "not YAML"),))

    assert code_quality(report, Context()) == "[]\n"
