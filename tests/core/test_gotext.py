import pytest

from kubectl_applylint.core.gotext import as_go_decodes, bare, encode, float_text, show
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, mapping


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": 1, "a": None}, '{"a":null,"b":1}'),
        ({"a": "<&>"}, '{"a":"\\u003c\\u0026\\u003e"}'),
        ('\u2028é\u007f\b\f\t\u0001"\\/', '"\\u2028é\u007f\\b\\f\\t\\u0001\\"\\\\/"'),
        ({"Z": 1, "a": 2, "é": 3, "\U0001f600": 4}, '{"Z":1,"a":2,"é":3,"\U0001f600":4}'),
        ([1.5, 1e21, True], "[1.5,1e+21,true]"),
        ({"version": "1.5e"}, '{"version":"1.5e"}'),
        ({"a": 1.0, "b": "<1.5"}, '{"a":1,"b":"\\u003c1.5"}'),
        ({"a": {"b": [1, [-2.0]]}}, '{"a":{"b":[1,[-2]]}}'),
        ([{"a": -1e-7}], '[{"a":-1e-7}]'),
        (3.0, "3"),
    ],
)
def test_encode_writes_what_go_writes(value: Json, text: str) -> None:
    assert encode(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1e20, "100000000000000000000"),
        (9223372036854775808.0, "9223372036854775808"[:-4] + "6000"),
        (1e21, "1e+21"),
        (1.5e300, "1.5e+300"),
        (1e-7, "1e-7"),
        (0.000001, "0.000001"),
        (-0.0, "-0"),
        (-2.50, "-2.5"),
    ],
)
def test_floats_are_spelt_as_go_does(value: float, text: str) -> None:
    assert float_text(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"b": [1, None, "x"], "a": True}, "map[a:true b:[1 <nil> x]]"),
        (1e-5, "1e-05"),
        (1e21, "1e+21"),
        (0.5, "0.5"),
        (1e6, "1e+06"),
        ([], "[]"),
    ],
)
def test_show_prints_like_percent_v(value: Json, text: str) -> None:
    assert show(value) == text


def test_an_unknown_value_is_shown_in_words() -> None:
    assert show([Unknown("a free port")]) == "[an unknown value]"


def test_texts_are_bare_and_the_rest_is_json() -> None:
    assert (bare("a"), bare(1), bare(["a"])) == ("a", "1", '["a"]')


def test_numbers_are_floats_as_go_decodes_them() -> None:
    assert as_go_decodes({"a": [1, True, None, "1"]}) == {"a": [1.0, True, None, "1"]}
    assert type(mapping(as_go_decodes({"a": 1}))["a"]) is float
