"""Findings counted by rule."""

import json
from dataclasses import replace
from pathlib import Path

import jsonschema

from kubectl_applylint.lint.model import Report, Severity
from kubectl_applylint.report.context import STATISTICS, Context
from kubectl_applylint.report.statistics import RuleCount, rule_counts, statistics_json, statistics_text
from tests.report.samples import DOUBTFUL, EDITED, FINDING, REPORT

CONTEXT = Context(command=STATISTICS)
SCHEMA = Path("kubectl_applylint/report/schemas/statistics-v1.json")
WEAKER = replace(FINDING, severity=Severity.WARNING)


def test_findings_are_counted_by_rule_and_severity() -> None:
    assert rule_counts([WEAKER, FINDING, DOUBTFUL, EDITED]) == [
        RuleCount(FINDING.rule, Severity.ERROR, 2, 1),
        RuleCount(DOUBTFUL.rule, Severity.WARNING, 1, 0),
        RuleCount(FINDING.rule, Severity.WARNING, 1, 0),
    ]


def test_the_table_has_a_line_for_each_rule() -> None:
    assert statistics_text(replace(REPORT, findings=(EDITED, FINDING, DOUBTFUL)), CONTEXT) == (
        "2 errors, 1 warning in 2 objects; incomplete: 1 problem\n"
        "\n"
        "COUNT   SEVERITY   FIXABLE   RULE\n"
        "2       error      1         selector-changed\n"
        "1       warning    0         last-applied-missing\n"
        "\n"
        "broken.yaml:3:1: problem: not YAML: a tab indents this line; indent with spaces\n"
        "skipped: 1 rule that could not run: live state is unknown (-v to list)\n"
        "1 finding hidden by comments (-v to list)\n"
        "web.yaml:2:3: note: this comment does not hide port-lost: it expired on 2026-06-30\n"
        "exit code 3: some input could not be read\n"
    )
    assert statistics_text(Report(checked=1), CONTEXT) == "no findings in 1 object\n"


def test_json_follows_its_schema() -> None:
    content = json.loads(statistics_json(REPORT, CONTEXT))

    jsonschema.validate(content, json.loads(SCHEMA.read_text()))
    assert content["statistics"][0] == {"rule": "selector-changed", "severity": "error", "count": 1, "fixable": 0}
    assert (content["checked"], content["suppressed"], len(content["problems"])) == (2, 1, 1)
