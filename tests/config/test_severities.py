"""The option ``severity``: its values, and the rules that they are about."""

from dataclasses import replace
from pathlib import Path

import pytest

from kubectl_applylint.config.configuration import Config, ConfigError, load
from kubectl_applylint.config.hiding import all_rules
from kubectl_applylint.config.severities import SeveritySetting, rule_severities
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.lint.model import Rule, Severity

RULE = all_rules(Config())[0]
PLACE = Location("x.yaml", Span(1, 1, 1, 2))


def rule(name: str, family: str, severity: Severity = Severity.WARNING) -> Rule:
    return replace(RULE, id=name, family=family, severity=severity)


RULES = (rule("a-one", "first"), rule("a-two", "first"), rule("b-one", "second", Severity.ERROR))


def setting(name: str, severity: Severity | None) -> SeveritySetting:
    return SeveritySetting(name, severity, PLACE)


def test_a_file_maps_names_to_severities(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text("severity:\n  a-one: off\n  'b-*': info\n")
    found = load({}, {}, tmp_path, file="x.yaml").severity

    assert [(one.name, one.severity, str(one.place), one.word) for one in found] == [
        ("a-one", None, "x.yaml:2:3", "off"),
        ("b-*", Severity.INFO, "x.yaml:3:3", "info"),
    ]


def test_a_table_of_toml_has_the_same_values(tmp_path: Path) -> None:
    (tmp_path / "x.toml").write_text('[tool.applylint.severity]\na-one = "off"\n')

    assert [(one.name, one.severity) for one in load({}, {}, tmp_path, file="x.toml").severity] == [("a-one", None)]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("severity: error", "x.yaml:1:1: 'error' is not a mapping; write error: SEVERITY below it"),
        ("severity: {a: fatal}", "x.yaml:1:12: 'fatal' is not one of off, info, warning, error"),
        ("severity: {a: [info, error]}", "x.yaml:1:12: a takes one severity, got 2"),
    ],
)
def test_other_values_are_errors_with_their_place(tmp_path: Path, text: str, fault: str) -> None:
    (tmp_path / "x.yaml").write_text(text)

    with pytest.raises(ConfigError) as caught:
        load({}, {}, tmp_path, file="x.yaml")
    assert str(caught.value) == fault


def test_an_id_precedes_a_family_and_a_family_precedes_patterns() -> None:
    settings = [
        setting("a-one", Severity.ERROR),
        setting("first", Severity.INFO),
        setting("*-one", Severity.WARNING),
        setting("*", None),
    ]

    assert rule_severities(settings, RULES, ()).each == {
        "a-one": Severity.ERROR,
        "a-two": Severity.INFO,
        "b-one": None,
    }


def test_a_protected_rule_can_only_be_raised() -> None:
    lowered = rule_severities([setting("b-one", Severity.WARNING)], RULES, {"b-one"})
    raised = rule_severities([setting("a-one", Severity.ERROR)], RULES, {"a-one"})

    assert (dict(lowered.each), lowered.notes) == ({}, ())
    assert lowered.faults == (
        "x.yaml:1:1: b-one cannot be set to warning: its findings cannot be hidden (applylint explain b-one)",
    )
    assert (dict(raised.each), raised.faults, raised.notes) == ({"a-one": Severity.ERROR}, (), ())


def test_a_protected_rule_of_a_lowered_pattern_keeps_its_severity() -> None:
    found = rule_severities([setting("*", None)], RULES, {"a-one", "b-one"})

    assert (dict(found.each), found.faults) == ({"a-two": None}, ())
    assert found.notes == ("x.yaml:1:1: a-one, b-one keep their severity: cannot be lowered",)
