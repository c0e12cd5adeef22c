import json
from dataclasses import replace
from importlib import resources

import jsonschema

from kubectl_applylint.core.location import NOWHERE, Location
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Report, Skip
from kubectl_applylint.lint.unit_report import UnitReport
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.facts.facts_json import facts_json
from kubectl_applylint.report.formats.json_v1 import report_json
from tests.report.facts.test_facts_json import FACTS
from tests.report.samples import CONFIGURED, DOCUMENT, EDITED, FINDING, REJECTED, REPORT, STRIKING, WEB

CONTEXT = Context(command="plan", version="1.2.3")
SCHEMA = json.loads(resources.files("kubectl_applylint.report").joinpath("schemas/json-v1.json").read_text())


def report(outcomes: Report = REPORT) -> Json:
    return json.loads(report_json(outcomes, CONTEXT))


def test_the_report_keeps_its_published_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    validator = jsonschema.Draft202012Validator(SCHEMA)

    assert [error.message for error in validator.iter_errors(report())] == []
    assert list(validator.iter_errors(report(Report(outcomes=((DOCUMENT, REJECTED),))))) == []
    assert list(validator.iter_errors(report(Report(findings=(STRIKING,))))) == []
    assert list(validator.iter_errors(report() | facts_json(FACTS))) == []


def test_the_schema_names_every_field() -> None:
    finding, outcome, part = (SCHEMA["$defs"][name]["properties"] for name in ("finding", "outcome", "reviewPart"))

    assert set(SCHEMA["properties"]) == set(report())
    assert set(finding) == set(report()["findings"][0])
    assert set(outcome) == set(report()["objects"][0])
    assert set(SCHEMA["properties"]["review"]["properties"]) == set(report()["review"])
    assert set(part) == set(report()["review"]["units"][0]["parts"][0])


def test_a_finding_carries_its_place_and_words() -> None:
    assert report()["findings"][0] == {
        "rule": "selector-changed",
        "severity": "error",
        "confidence": "high",
        "object": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"},
        "path": "spec.selector",
        "location": {"file": "web.yaml", "line": 5, "column": 3, "endLine": 5, "endColumn": 11},
        "message": REPORT.findings[0].message,
        "fix": REPORT.findings[0].fix,
        "alternatives": [{"title": "", "lines": REPORT.findings[0].fix.splitlines(), "loses": ["orphaned pods"]}],
        "steps": [
            {"kind": "decision", "text": REPORT.findings[0].fix.splitlines()[0], "edits": [], "loses": []},
            {
                "kind": "command",
                "text": "kubectl delete deployment web --cascade=orphan -n shop",
                "edits": [],
                "loses": ["orphaned pods"],
            },
        ],
        "related": [
            {
                "location": {"file": "service.yaml", "line": 7, "column": 5, "endLine": 7, "endColumn": 13},
                "note": "this Service selects the same pods",
            }
        ],
        "applies": [],
        "fingerprint": "5e1ec70a",
        "cause": "5e1ec70a",
    }


def test_a_finding_on_a_live_object_is_at_line_one_of_its_name() -> None:
    found = report(Report(findings=(replace(FINDING, location=Location("shop/deployment.apps/web", NOWHERE)),)))

    assert found["findings"][0]["location"] == {
        "file": "shop/deployment.apps/web",
        "line": 1,
        "column": 1,
        "endLine": 1,
        "endColumn": 1,
    }


def test_the_rest_of_the_report() -> None:
    rest = {key: value for key, value in report().items() if key not in ("findings", "objects", "suppressed", "review")}

    assert rest == {
        "version": "json-v1",
        "tool": {"name": "kubectl-applylint", "version": "1.2.3"},
        "command": "plan",
        "class": "incomplete",
        "conclusion": "failure",
        "notes": ["compared with snapshot prod.yaml (3 days old)"],
        "checked": 2,
        "skips": [
            {
                "rule": "stale-last-applied",
                "object": {"apiVersion": "apps/v1", "kind": "Deployment", "namespace": "shop", "name": "web"},
                "reason": "live state is unknown",
                "count": 1,
            }
        ],
        "ignoreWarnings": [
            {
                "location": {"file": "web.yaml", "line": 2, "column": 3, "endLine": 2, "endColumn": 9},
                "message": "this comment does not hide port-lost: it expired on 2026-06-30",
            }
        ],
        "known": 0,
        "fixed": 0,
        "units": [],
        "problems": [
            {
                "where": "broken.yaml:3:1",
                "message": "not YAML: a tab indents this line",
                "advice": "indent with spaces",
            }
        ],
        "summary": {"error": 1, "warning": 1, "info": 0},
        **{name: [] for name in ("images", "charts", "definitions", "clusters", "noise")},
    }


def test_a_conclusion_may_be_configured() -> None:
    found = json.loads(report_json(Report(), replace(CONTEXT, conclusions={"routine": "neutral"})))

    assert (found["class"], found["conclusion"]) == ("routine", "neutral")


def test_skips_have_an_entry_for_each_rule_and_reason() -> None:
    refs = [replace(WEB, name=f"web-{number}") for number in range(1000)]
    skips = [Skip(("a", "b"), ref, "live state is unknown") for ref in refs]
    found = report(Report(skips=(*skips, Skip(("b",), WEB, "no peers are known"))))["skips"]

    assert [(one["rule"], one["reason"], one["object"]["name"], one["count"]) for one in found] == [
        ("a", "live state is unknown", "web-0", 1000),
        ("b", "live state is unknown", "web-0", 1000),
        ("b", "no peers are known", "web", 1),
    ]


def test_units_and_objects_have_the_place_that_text_shows() -> None:
    units = tuple(UnitReport(root, "folder", "kubectl", applies=2) for root in ("dev", "prod"))
    names = ("a", "b", "c", "d")
    outcomes = (CONFIGURED, REJECTED, replace(CONFIGURED, verdict=Verdict.PRUNED), REJECTED)
    applies = tuple(
        (DOCUMENT, replace(one, ref=replace(WEB, name=name))) for name, one in zip(names, outcomes, strict=True)
    )
    document = report(Report(outcomes=applies, units=units))

    assert [(unit["root"], unit["order"]) for unit in document["units"]] == [("dev", 1), ("prod", 2)]
    assert [(one["name"], one["order"]) for one in document["objects"]] == [("a", 2), ("b", 1), ("c", 4), ("d", 3)]
    assert [[one["order"] for one in unit["objects"]] for unit in document["units"]] == [[2, 1], [2, 1]]
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_only_check_and_plan_have_a_review() -> None:
    assert "review" in report()
    assert "review" not in json.loads(report_json(REPORT, Context(command="again --every-commit")))


def test_a_hidden_finding_keeps_its_reason() -> None:
    hidden = report()["suppressed"]

    assert [(h["finding"]["rule"], h["reason"], h["suppressedBy"]) for h in hidden] == [
        ("last-applied-missing", "wanted until the migration is done", "comment")
    ]


def test_the_text_is_sorted() -> None:
    text = report_json(REPORT, CONTEXT)

    assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def test_a_finding_has_the_time_of_its_effect() -> None:
    (finding,) = report(Report(findings=(STRIKING,)))["findings"]

    assert finding["applies"] == [
        {"case": "fresh install", "certainty": "never", "condition": ""},
        {"case": "upgrade", "certainty": "always", "condition": ""},
        {"case": "drifted", "certainty": "possibly", "condition": "unless it was scaled to 7 in the meantime"},
    ]


def test_an_edit_is_a_step_with_its_effect() -> None:
    step = report(Report(findings=(EDITED,)))["findings"][0]["steps"][0]

    assert step == {
        "kind": "edit",
        "text": "in web.yaml: delete line 6",
        "edits": [
            {"location": {"file": "web.yaml", "line": 6, "column": 1, "endLine": 7, "endColumn": 1}, "text": ""},
        ],
        "loses": [],
        "effect": {
            "verdict": "configured",
            "settled": True,
            "changes": ["spec.replicas"],
            "cases": ["fresh install"],
        },
    }
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(report(Report(findings=(EDITED,))))) == []
