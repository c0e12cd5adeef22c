"""Faults in the files of rules, and where they are."""

import pytest
import yaml

from kubectl_applylint.core.values import Json
from kubectl_applylint.rulebook.validators import (
    Trail,
    Validator,
    count,
    duplicates,
    flag,
    keys,
    list_of,
    mapping_of,
    names_in,
    one_of,
    one_or_list_of,
    pattern,
    place,
    plain_text,
    rule_id,
    template,
)

DOUBLE = "double braces that are not placeholders: {{ }}"


@pytest.mark.parametrize(
    ("validator", "value", "faults"),
    [
        pytest.param(plain_text, "a", [], id="text"),
        pytest.param(plain_text, " \n", ["empty"], id="blank text"),
        pytest.param(plain_text, None, ["not text"], id="null"),
        pytest.param(rule_id, "port-listed-twice", [], id="id"),
        pytest.param(
            rule_id, "port", ["not lower-case words joined by hyphens, such as port-listed-twice"], id="one word"
        ),
        pytest.param(flag, False, [], id="false"),
        pytest.param(flag, "false", ["not true or false"], id="false as a text"),
        pytest.param(flag, 0, ["not true or false"], id="zero"),
        pytest.param(count, 2, [], id="number"),
        pytest.param(count, 0, ["not a number from 1 on"], id="no number of things"),
        pytest.param(count, True, ["not a number from 1 on"], id="true is no number"),
        pytest.param(one_of("a", "b"), "a", [], id="one of"),
        pytest.param(one_of("a", "b"), "c", ["'c' is not one of a, b"], id="none of"),
        pytest.param(one_of("a"), ["a"], ["['a'] is not one of a"], id="a list is none"),
        pytest.param(template, "{from} {{}} {a_1}", [], id="template"),
        pytest.param(template, "{", [f"single '{{' encountered in format string; {DOUBLE}"], id="single brace"),
        pytest.param(template, "{}", [f"{{}} is not a placeholder; {DOUBLE}"], id="no name"),
        pytest.param(template, "{a.b}", [f"{{a.b}} is not a placeholder; {DOUBLE}"], id="an attribute"),
        pytest.param(template, "{a!r}", [f"{{a}} is not a placeholder; {DOUBLE}"], id="a conversion"),
        pytest.param(template, "{a:5}", [f"{{a}} is not a placeholder; {DOUBLE}"], id="a width"),
        pytest.param(template, "", ["empty"], id="empty template"),
        pytest.param(template, 7, ["not text"], id="no template"),
        pytest.param(pattern, "{a} and {b}", [], id="pattern"),
        pytest.param(pattern, "{b} {a} {b} {a}", ["{a} occurs twice", "{b} occurs twice"], id="names twice"),
        pytest.param(list_of(flag), [], [], id="empty list"),
        pytest.param(list_of(flag), True, ["not a list"], id="no list"),
        pytest.param(one_or_list_of(flag), True, [], id="one"),
        pytest.param(one_or_list_of(flag), [True, 1], ["not true or false"], id="or several"),
        pytest.param(mapping_of({"a": flag}), {}, [], id="empty map"),
        pytest.param(mapping_of({"a": flag}), [], ["not a map"], id="no map"),
    ],
)
def test_invalid_values_are_faults(validator: Validator, value: Json, faults: list[str]) -> None:
    assert [message for _, message in validator(value)] == faults


@pytest.mark.parametrize("name", ["Port-x", "a--b", "-a-b", "a-b-", "a_b-c", "a-b\n", ""])
def test_invalid_ids_are_faults(name: str) -> None:
    assert len([*rule_id(name)]) == 1


def test_faults_inside_name_the_way_to_them() -> None:
    validate = mapping_of({"a": list_of(mapping_of({"b": flag}))})

    assert [*validate({"a": [{"b": True}, {"b": 1}, {"c": 1}], "x": 1})] == [
        (("a", 1, "b"), "a: b: not true or false"),
        (("a", 2, "c"), "a: unknown key 'c'; known are b"),
        (("x",), "unknown key 'x'; known are a"),
    ]


def test_keys_may_be_required() -> None:
    assert [*keys({"a": True}, {"a": flag, "b": flag}, required=("a", "b"))] == [((), "b is missing")]


def test_the_names_of_a_template() -> None:
    assert names_in("{a} {{b}} {c} {a}") == {"a", "c"}


TEXT = """\
a: 1
b:
  c: 1
  c: 2
l:
- x
- {y: 1}
a: 2
"""


def test_keys_that_are_there_twice() -> None:
    assert [*duplicates(yaml.compose(TEXT))] == [(("b", "c"), "c is set twice"), (("a",), "a is set twice")]
    assert [*duplicates(yaml.compose("a: {b: {c: 1, c: 2}}"))] == []
    assert [*duplicates(None)] == []


@pytest.mark.parametrize(
    ("trail", "where"),
    [
        pytest.param((), (1, 1), id="the file"),
        pytest.param(("b",), (2, 1), id="a key"),
        pytest.param(("b", "c"), (4, 3), id="the last of equal keys"),
        pytest.param(("l", 1), (7, 3), id="an element"),
        pytest.param(("l", 1, "y"), (7, 4), id="a key of an element"),
        pytest.param(("b", "z"), (2, 1), id="the nearest key"),
    ],
)
def test_the_place_of_a_key(trail: Trail, where: tuple[int, int]) -> None:
    assert place(yaml.compose(TEXT), trail) == where


def test_an_empty_file_has_a_first_place() -> None:
    assert place(None, ("a",)) == (1, 1)
