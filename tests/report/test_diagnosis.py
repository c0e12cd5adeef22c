import json
from dataclasses import replace
from importlib.resources import files

import jsonschema

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.lint.errors.diagnose import Diagnosis, Explanation
from kubectl_applylint.lint.errors.error_log import LoggedError
from kubectl_applylint.report.context import Context
from kubectl_applylint.report.diagnosis import diagnosis_json, diagnosis_text
from tests.report.samples import RULE

SCHEMA = json.loads(files("kubectl_applylint.report").joinpath("schemas/diagnosis-v1.json").read_text())
CAUSE = FieldError("spec.selector", "", "field is immutable")
FAILURE = LoggedError(7, (CAUSE,), kind="Deployment", name="web", namespace="shop")
REASON = Explanation(replace(RULE, why="It\nis.\n\nFor ever."), "# look\nkubectl get deployment/web", "take it back")
KNOWN = Diagnosis(FAILURE, ("spec.selector: field is immutable",), ("spec.selector",), (REASON,))
UNKNOWN = Diagnosis(LoggedError(9, (FieldError("", "", "the moon\x1b[31m"),)), ("the moon\x1b[31m",), ("",), ())
CONTEXT = Context(command="diagnose")


def test_an_explanation_has_the_message_its_meaning_and_the_commands() -> None:
    assert diagnosis_text([KNOWN], CONTEXT) == (
        f"deployment/web in shop: error: {RULE.summary} [{RULE.id}]\n"
        "    message: spec.selector: field is immutable\n"
        "    It is.\n"
        "    For ever.\n"
        "    fix: # look\n"
        "         kubectl get deployment/web\n"
        "\n"
        "1 message, all explained\n"
    )


def test_an_unknown_message_is_reported_as_unknown() -> None:
    assert diagnosis_text([KNOWN, UNKNOWN], CONTEXT).split("\n\n", 1)[1] == (
        "line 9: unknown\n    message: the moon\\u001b[31m\n    no rule explains this message\n\n"
        "2 messages, 1 unknown\n"
    )


def test_several_possible_reasons_are_listed_in_order() -> None:
    text = diagnosis_text([replace(KNOWN, explanations=(REASON, REASON))], CONTEXT)

    assert text.count("message:") == 1
    assert text.count("another possible cause:") == 1
    assert text.count("fix:") == 2


def test_a_text_without_errors_has_one_line() -> None:
    assert diagnosis_text([], CONTEXT) == "no error found\n"


def test_the_json_is_as_published() -> None:
    text = diagnosis_json([KNOWN, UNKNOWN], CONTEXT)

    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(text))
    known, unknown = json.loads(text)["errors"]
    assert known["object"] == {"kind": "Deployment", "namespace": "shop", "name": "web"}
    assert (known["line"], known["messages"], known["fields"]) == (
        7,
        ["spec.selector: field is immutable"],
        ["spec.selector"],
    )
    assert known["explanations"][0]["remedy"] == "take it back"
    assert unknown["explanations"] == []
