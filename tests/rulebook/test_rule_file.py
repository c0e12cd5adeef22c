"""Meaning of a ``rule.yaml``; faults with their lines are in test_rulebook.py."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.errors import ErrorText
from kubectl_applylint.lint.model import Need, Rule, Severity
from kubectl_applylint.rulebook.rule_file import faults, faults_of_own, rule_of

CONTENT: JsonObject = {
    "id": "port-breaks-apply",
    "summary": "A port breaks",
    "severity": "warning",
    "check": "server_fields_in_manifest",
    "message": "{object} breaks\n",
    "why": " It does.\n",
    "fix": "edit\n",
}


def rule(**content: Json) -> Rule:
    return rule_of({**CONTENT, **content}, "rules/ports/port-breaks-apply", "ports")


def fault_messages(name: str = "port-breaks-apply", **content: Json) -> list[str]:
    return [message for _, message in faults({**CONTENT, **content}, name)]


def test_missing_keys_have_a_default() -> None:
    found = rule()

    assert (found.severity, found.confidence, found.needs) == (Severity.WARNING, "high", (Need.MANIFEST,))
    assert (found.message, found.why, found.fix) == ("{object} breaks", "It does.", "edit")
    assert (found.ignorable, found.is_once, found.severity_in_unit, found.refines) == (True, False, None, ())
    assert (found.folder, found.family) == ("rules/ports/port-breaks-apply", "ports")


@pytest.mark.parametrize(
    ("content", "field", "value"),
    [
        ({"confidence": "low"}, "confidence", "low"),
        ({"needs": ["live", "base"]}, "needs", (Need.LIVE, Need.BASE)),
        ({"applies_to": {"kinds": ["Pod"]}}, "kinds", ("Pod",)),
        ({"applies_to": {"appliers": ["kubectl-server"]}}, "appliers", ("kubectl-server",)),
        ({"refines": "a-b"}, "refines", ("a-b",)),
        ({"refines": ["a-b", "c-d"]}, "refines", ("a-b", "c-d")),
        ({"severity_in_unit": "info"}, "severity_in_unit", Severity.INFO),
        ({"ignorable": False}, "ignorable", False),
        ({"once": True}, "is_once", True),
        ({"ja": {"why": "x\n"}}, "translations", {"ja": {"why": "x"}}),
        ({"remedy": " wait "}, "remedy", "wait"),
    ],
)
def test_a_key_sets_its_field(content: JsonObject, field: str, value: object) -> None:
    assert getattr(rule(**content), field) == value


@pytest.mark.parametrize(
    ("error", "kinds"),
    [
        pytest.param({"field": "spec"}, ("Lamp",), id="those of the rule, without their groups"),
        pytest.param({"field": "spec", "kinds": ["Job"]}, ("Job",), id="its own"),
    ],
)
def test_the_kinds_of_an_error(error: JsonObject, kinds: tuple[str, ...]) -> None:
    found = rule(errors=[error], applies_to={"kinds": ["Lamp.example.com"]})

    assert found.errors == (ErrorText(field="spec", kinds=kinds),)


@pytest.mark.parametrize(
    ("content", "messages"),
    [
        pytest.param({}, [], id="good"),
        pytest.param(
            {"check": "no_such"},
            ["check: unknown check 'no_such'; jsonpath is the check for rules without Python"],
            id="check",
        ),
        pytest.param(
            {"errors": [{}]},
            ["errors: field or message is required: without both it would explain every error"],
            id="an error without text",
        ),
        pytest.param({"errors": ["x"]}, ["errors: not a map"], id="no error"),
        pytest.param({"params": {1: 2}}, ["params: not a map"], id="parameters"),
        pytest.param(
            {"ja": {"message": "x"}},
            ["ja: message: {object} is only in the translation or only in the English text"],
            id="placeholder left out",
        ),
        pytest.param(
            {"ja": {"message": "{object} {a}"}},
            ["ja: message: {a} is only in the translation or only in the English text"],
            id="placeholder added",
        ),
        pytest.param({"ja": {"why": "{object}"}}, [], id="no template"),
        pytest.param({"edit": "remove", "by_hand": 1}, [], id="edit by hand"),
        pytest.param(
            {"by_hand": 1},
            ["by_hand counts the lines of fix that describe what edit does, and there is no edit"],
            id="nothing to do by hand",
        ),
        pytest.param({"severity": "fatal"}, ["severity: 'fatal' is not one of error, warning, info"], id="severity"),
    ],
)
def test_faults_of_a_file(content: JsonObject, messages: list[str]) -> None:
    assert fault_messages(**content) == messages


def test_faults_of_the_whole() -> None:
    without_check = {key: value for key, value in CONTENT.items() if key != "check"}

    assert [message for _, message in faults(without_check, "port-breaks-apply")] == [
        "check is required; a rule without one must list the errors that it explains"
    ]
    assert [message for _, message in faults({**without_check, "errors": [{"field": "a"}]}, "port-breaks-apply")] == []
    assert fault_messages("other-name")[0].startswith(
        "the id is 'port-breaks-apply' but its directory is named 'other-name'"
    )
    assert [*faults([], "x")] == [((), "not a map of rule keys")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param({"id": "taken-id"}, "'taken-id' is the id of another rule", id="id"),
        pytest.param({"refines": "port-breaks-apply"}, "refines: a rule cannot refine itself", id="itself"),
        pytest.param(
            {"refines": "taken-ad"}, "refines: there is no rule 'taken-ad'; did you mean taken-id?", id="no rule"
        ),
        pytest.param({"message": "{nothing}"}, "message: {nothing} is not set by the check", id="placeholder"),
    ],
)
def test_faults_beside_other_rules(content: JsonObject, message: str) -> None:
    other = rule(id="taken-id", check="jsonpath")
    (found,) = faults_of_own(rule(**content), {"taken-id": other}, {"taken-id", "port-breaks-apply"})

    assert message in found[1]


def test_placeholders_may_be_set_by_an_error() -> None:
    found = rule(message="{who}", errors=[{"message": "by {who}"}])

    assert [*faults_of_own(found, {}, set())] == []
