import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from kubectl_applylint.core.holes import Hole, HoleChange
from kubectl_applylint.core.location import NOWHERE, Location, Span
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import Json
from kubectl_applylint.lint.model import Means, Remark, Report, Suppressed
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.formats.sarif import sarif
from kubectl_applylint.rulebook import rulebook
from tests.report.samples import DOUBTFUL, EDITED, FINDING, REPORT, RULE

CONTEXT = Context(rules={RULE.id: RULE}, version="1.2.3")


def record(required: dict[str, Json], optional: dict[str, Json] | None = None) -> Json:
    """Return the schema of an object that has these fields and no others."""
    properties = required | (optional or {})
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


TEXT = {"type": "string", "minLength": 1}
POSITIVE = {"type": "integer", "minimum": 1}
MESSAGE = record({"text": TEXT})
REGION = record(dict.fromkeys(("startLine", "startColumn", "endLine", "endColumn"), POSITIVE))
PHYSICAL = record({"artifactLocation": record({"uri": TEXT | {"pattern": r"^[\w%./~-]+$"}}), "region": REGION})
LOGICAL = record({"fullyQualifiedName": TEXT, "kind": TEXT})
LEVEL = {"enum": ["none", "note", "warning", "error"]}
RULES = record(
    {
        "id": TEXT,
        "shortDescription": MESSAGE,
        "fullDescription": record({"text": TEXT | {"maxLength": 1024}}),
        "help": record({"text": TEXT, "markdown": TEXT}),
        "defaultConfiguration": record({"level": LEVEL}),
        "helpUri": TEXT | {"pattern": "^https://"},
        "properties": record(
            {
                "tags": {"type": "array", "items": TEXT, "maxItems": 10, "uniqueItems": True},
                "precision": {"enum": ["very-high", "high", "medium", "low"]},
                "problem.severity": {"enum": ["error", "warning", "recommendation"]},
            }
        ),
    }
)
RESULT = record(
    {
        "ruleId": TEXT,
        "level": LEVEL,
        "message": MESSAGE,
        "locations": {
            "type": "array",
            "items": record(
                {"physicalLocation": PHYSICAL, "logicalLocations": {"type": "array", "items": LOGICAL}},
            ),
            "minItems": 1,
        },
        "relatedLocations": {
            "type": "array",
            "items": record({"physicalLocation": PHYSICAL, "id": POSITIVE, "message": MESSAGE}),
            "uniqueItems": True,
        },
        "partialFingerprints": record({"primaryLocationLineHash": TEXT}),
        "properties": {"type": "object"},
    },
    {
        "ruleIndex": {"type": "integer", "minimum": 0},
        "fixes": {
            "type": "array",
            "items": record(
                {
                    "description": MESSAGE,
                    "artifactChanges": {
                        "type": "array",
                        "items": record(
                            {
                                "artifactLocation": record({"uri": TEXT}),
                                "replacements": {
                                    "type": "array",
                                    "items": record({"deletedRegion": REGION}, {"insertedContent": MESSAGE}),
                                    "minItems": 1,
                                },
                            }
                        ),
                        "minItems": 1,
                    },
                }
            ),
        },
        "suppressions": {
            "type": "array",
            "items": record(
                {"kind": {"enum": ["inSource", "external"]}, "status": {"const": "accepted"}}, {"justification": TEXT}
            ),
        },
    },
)
RUN = record(
    {
        "tool": record(
            {"driver": record({"name": TEXT, "semanticVersion": TEXT, "rules": {"type": "array", "items": RULES}})}
        ),
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "automationDetails": record({"id": TEXT | {"pattern": "/$"}}),
        "invocations": {
            "type": "array",
            "items": record(
                {
                    "executionSuccessful": {"type": "boolean"},
                    "toolExecutionNotifications": {
                        "type": "array",
                        "items": record(
                            {"level": LEVEL, "message": MESSAGE},
                            {"locations": {"type": "array", "items": record({"physicalLocation": PHYSICAL})}},
                        ),
                    },
                }
            ),
        },
        "results": {"type": "array", "items": RESULT},
    }
)
SCHEMA = record({"$schema": TEXT, "version": {"const": "2.1.0"}, "runs": {"type": "array", "items": RUN}})
"""Requirements of sections 3.13 to 3.58 of the SARIF 2.1.0 standard, and of GitHub, for the written parts."""
PUBLISHED = json.loads((Path(__file__).parent / "data" / "sarif-schema-2.1.0.json").read_text(encoding="utf-8"))
SHIPPED = {rule.id: rule for rule in rulebook.built_in().rules}


def run_of(report: Report) -> Json:
    return json.loads(sarif(report, CONTEXT))["runs"][0]


def of_all_kinds() -> Report:
    """Return the sample report with a finding in a file whose name is odd, and one that stands in no file."""
    odd = replace(DOUBTFUL, location=Location("./a b/ü.yaml", Span(1, 1, 1, 1)))
    live = replace(DOUBTFUL, location=Location("shop/deployment.apps/web", NOWHERE))
    return replace(REPORT, findings=(*REPORT.findings, odd, EDITED, live))


@pytest.mark.parametrize("context", [CONTEXT, Context(rules=SHIPPED, version="1.2.3")], ids=["sample", "all rules"])
@pytest.mark.parametrize("report", [of_all_kinds(), Report()], ids=["full", "empty"])
def test_the_log_is_valid_by_the_published_schema(report: Report, context: Context) -> None:
    validator = jsonschema.Draft4Validator(PUBLISHED, format_checker=jsonschema.FormatChecker())

    assert [error.message for error in validator.iter_errors(json.loads(sarif(report, context)))] == []


def test_the_published_schema_rejects_invalid_logs() -> None:
    log = json.loads(sarif(REPORT, CONTEXT))
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0

    assert not jsonschema.Draft4Validator(PUBLISHED).is_valid(log)


def test_the_log_is_what_github_asks_for() -> None:
    files = replace(of_all_kinds(), findings=of_all_kinds().findings[:-1])

    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(sarif(files, CONTEXT)))


def test_every_rule_comes_with_its_help() -> None:
    log = json.loads(sarif(Report(), Context(rules=SHIPPED)))
    helps = {rule["id"]: rule["help"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}

    assert helps.keys() == SHIPPED.keys()
    assert all(SHIPPED[name].why in help["text"] and "```" in help["markdown"] for name, help in helps.items())


def test_a_result_carries_place_words_and_related_places() -> None:
    result = run_of(REPORT)["results"][0]

    assert (result["ruleId"], result["ruleIndex"], result["level"]) == ("selector-changed", 0, "error")
    assert result["message"]["text"] == f"{FINDING.message}\n\n{FINDING.fix}"
    assert result["locations"][0] == {
        "physicalLocation": {
            "artifactLocation": {"uri": "web.yaml"},
            "region": {"startLine": 5, "startColumn": 3, "endLine": 5, "endColumn": 11},
        },
        "logicalLocations": [{"fullyQualifiedName": "deployment.apps/web spec.selector", "kind": "object"}],
    }
    assert result["relatedLocations"][0]["message"] == {"text": "this Service selects the same pods"}


def test_a_rule_carries_its_help_for_no_object_in_particular() -> None:
    rule = run_of(REPORT)["tool"]["driver"]["rules"][0]

    assert rule["help"]["text"] == (
        "A selector is fixed when {a: b} is made.\n\nkubectl delete <object> --cascade=orphan"
    )


def test_a_rule_links_its_first_page_if_there_is_one() -> None:
    def rule(*see: str) -> Json:
        log = json.loads(sarif(Report(), replace(CONTEXT, rules={RULE.id: replace(RULE, see=see)})))
        return log["runs"][0]["tool"]["driver"]["rules"][0]

    assert rule("README.md", "https://a.example/", "https://b.example/")["helpUri"] == "https://a.example/"
    assert "helpUri" not in rule("README.md")


def test_a_result_names_its_units() -> None:
    finding = replace(FINDING, units=("clusters/dev", "clusters/prod"))
    result = run_of(Report(findings=(finding,)))["results"][0]

    assert result["message"]["text"].startswith(f"{FINDING.message} (in clusters/dev, clusters/prod)\n\n")
    assert result["locations"][0]["logicalLocations"][1:] == [
        {"fullyQualifiedName": "clusters/dev", "kind": "module"},
        {"fullyQualifiedName": "clusters/prod", "kind": "module"},
    ]
    assert result["properties"]["units"] == ["clusters/dev", "clusters/prod"]


def test_a_hidden_finding_has_its_justification() -> None:
    hidden = run_of(REPORT)["results"][-1]

    assert hidden["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "wanted until the migration is done"}
    ]
    assert hidden["partialFingerprints"] == {"primaryLocationLineHash": DOUBTFUL.fingerprint}


@pytest.mark.parametrize(
    ("means", "kind"),
    [("comment", "inSource"), ("annotation", "inSource"), ("configuration", "external"), ("baseline", "external")],
)
def test_the_place_of_the_suppression_is_reported(means: Means, kind: str) -> None:
    (result,) = run_of(Report(suppressed=(Suppressed(FINDING, "", means),)))["results"]

    assert result["suppressions"] == [{"kind": kind, "status": "accepted"}]


def test_a_remark_is_a_note_on_the_run() -> None:
    placed, bare = (
        Remark(location, "hides nothing") for location in (FINDING.location, Location("known.json", NOWHERE))
    )

    notes = run_of(Report(remarks=(placed, bare)))["invocations"][0]["toolExecutionNotifications"]

    assert [(note["level"], note["message"]["text"]) for note in notes] == [
        ("note", "web.yaml:5:3: hides nothing"),
        ("note", "known.json: hides nothing"),
    ]
    assert [bool(note.get("locations")) for note in notes] == [True, False]


def test_a_problem_makes_the_run_unsuccessful() -> None:
    assert run_of(replace(REPORT, remarks=()))["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [
                {
                    "level": "error",
                    "message": {"text": "broken.yaml:3:1: not YAML: a tab indents this line; indent with spaces"},
                }
            ],
        }
    ]


def test_standard_input_has_a_name() -> None:
    finding = replace(DOUBTFUL, location=Location("-", Span(1, 1, 1, 1)))

    location = run_of(Report(findings=(finding,)))["results"][0]["locations"][0]["physicalLocation"]

    assert location["artifactLocation"] == {"uri": "stdin"}


def test_an_object_of_the_cluster_is_named_without_a_file() -> None:
    finding = replace(DOUBTFUL, location=Location("shop/deployment.apps/web", NOWHERE))

    assert run_of(Report(findings=(finding,)))["results"][0]["locations"] == [
        {"logicalLocations": [{"fullyQualifiedName": "deployment.apps/web", "kind": "object"}]}
    ]


def test_a_rule_is_tagged_with_its_family() -> None:
    def tags(family: str) -> object:
        log = json.loads(sarif(REPORT, replace(CONTEXT, rules={RULE.id: replace(RULE, family=family)})))
        return log["runs"][0]["tool"]["driver"]["rules"][0]["properties"]["tags"]

    assert tags("immutable") == ["kubernetes", "kubectl-apply", "immutable"]
    assert tags("") == ["kubernetes", "kubectl-apply"]


def test_a_proven_edit_is_a_fix() -> None:
    (result,) = run_of(Report(findings=(EDITED,)))["results"]

    region = {"startLine": 6, "startColumn": 1, "endLine": 7, "endColumn": 1}
    change = {"artifactLocation": {"uri": "web.yaml"}, "replacements": [{"deletedRegion": region}]}
    assert result["fixes"] == [{"description": {"text": "in web.yaml: delete line 6"}, "artifactChanges": [change]}]


def test_a_part_that_was_not_rendered_is_a_note_and_a_warning_if_it_changed() -> None:
    same = Hole("k/kustomization.yaml:2:3", "resources[0]: x: a URL", "1")
    changed = replace(same, change=HoleChange.NEW)
    problem = Problem(same.path, "not compared, as it is new: resources[0]: x: a URL", is_hole=True)
    (invocation,) = run_of(Report(holes=(same, changed), problems=(problem,)))["invocations"]

    assert invocation["executionSuccessful"] is False
    assert [(one["level"], one["message"]["text"]) for one in invocation["toolExecutionNotifications"]] == [
        ("warning", "k/kustomization.yaml:2:3: not compared, as it is new: resources[0]: x: a URL"),
        ("note", "k/kustomization.yaml:2:3: not rendered: resources[0]: x: a URL"),
    ]


def test_one_cause_is_one_result_with_the_other_places() -> None:
    other = replace(FINDING, units=("u2",), location=Location("other.yaml", Span(2, 1, 2, 2)))
    log = json.loads(sarif(Report(findings=(replace(FINDING, units=("u1",)), other)), CONTEXT))

    (result,) = log["runs"][0]["results"]

    assert result["properties"]["units"] == ["u1", "u2"]
    assert [one["message"]["text"] for one in result["relatedLocations"]] == [
        "this Service selects the same pods",
        "also here: deployment.apps/web",
    ]


def test_a_deleted_file_has_its_path() -> None:
    gone = replace(FINDING, location=replace(FINDING.location, file="HEAD:raw/cron.yaml"))
    log = json.loads(sarif(Report(findings=(gone,)), replace(CONTEXT, revision="HEAD")))

    (place,) = log["runs"][0]["results"][0]["locations"]

    assert place["physicalLocation"]["artifactLocation"]["uri"] == "raw/cron.yaml"
