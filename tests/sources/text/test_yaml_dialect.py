"""Texts that libyaml 0.2.5 and kubectl 1.36.3 read differently; the values are kubectl's."""

import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.sources.text.yaml_text import load


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r'''a: "it\'s \\'x \' y"''', {"a": r"it's \'x ' y"}),
        (r"a: 'it\'", {"a": "it\\"}),
        ("a: {b:}", {"a": {"b:": None}}),
        ("a: [b:, {c:, d: 1}]", {"a": ["b:", {"c:": None, "d": 1}]}),
        ("a: [!x, 1]", {"a": ["1"]}),
        ("a: [!!int, 1 , 2]", {"a": ["1", 2]}),
        ("a: [&b !x,c 1]", {"a": ["1"]}),
        ("a: {b: !!binary] aGk=}", {"a": {"b": "aGk="}}),
        ("a: [!x &b, 1]", {"a": ["", 1]}),
        ("a: [!x '', 1]", {"a": ["", 1]}),
        ("a: [!!str 1, 2]", {"a": ["1", 2]}),
        ("a: b?c", {"a": "b?c"}),
        ("a: ['b?c', \"d?e\"]", {"a": ["b?c", "d?e"]}),
        ("a: [? b]", {"a": [{"b": None}]}),
        (r'a: ["\\/", "/"]', {"a": ["\\/", "/"]}),
    ],
)
def test_texts_have_the_values_of_kubectl(text: str, value: Json) -> None:
    assert load(text + "\n").value == value


@pytest.mark.parametrize(
    ("text", "problem", "column"),
    [
        ("a: [b?c]", "did not find expected ',' or the closing bracket before '?'", 4),
        ("a: {b: http://c/?d=e}", "did not find expected ',' or the closing bracket before '?'", 7),
        (r'a: "\/"', "found unknown escape character", 3),
        (r'a: "\\\/"', "found unknown escape character", 3),
        (r'a: "\z"', "found unknown escape character", 4),
        ("a: !x}", "did not find expected whitespace or line break", 5),
        ('a: [!x,"b"]', "did not find expected whitespace or line break", 4),
    ],
)
def test_texts_that_kubectl_rejects_are_errors(text: str, problem: str, column: int) -> None:
    with pytest.raises(YamlError) as refusal:
        load(text + "\n")

    assert (refusal.value.problem, refusal.value.mark.column) == (problem, column)


def test_the_number_of_repairs_is_bounded() -> None:
    few, many = (f"a: [{','.join(['b:'] * count)}]\n" for count in (100, 10_000))

    assert load(few).value == {"a": ["b:"] * 100}
    with pytest.raises(YamlError, match="found unexpected ':'"):
        load(many)


def test_the_stand_in_of_a_repair_may_be_in_the_text() -> None:
    assert load("a: \uf8ff\nb: [\uf8ff]\n").value == {"a": "\uf8ff", "b": ["\uf8ff"]}
    with pytest.raises(YamlError, match="found unexpected ':'"):
        load("a: \uf8ff\nb: {c:}\n")
