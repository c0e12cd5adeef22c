"""Rules that only test fields: compared with ``library``, which evaluates every expression."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.server.validate.custom import library
from kubectl_applylint.server.validate.custom.evaluation import EvaluatedValue, Value
from kubectl_applylint.server.validate.custom.field_tests import evaluate

STRING: JsonObject = {"type": "string"}
FIELDS: JsonObject = {"name": STRING, "b": {"type": "boolean"}, "at": {"type": "string", "format": "date-time"}}
INNER: JsonObject = {"type": "object", "properties": FIELDS}
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {**FIELDS, "in": INNER, "of": INNER, "map": {"type": "object", "additionalProperties": STRING}},
}


def about(value: Json) -> EvaluatedValue:
    return EvaluatedValue(value, MISSING, SCHEMA)


@pytest.mark.parametrize(
    ("expression", "value", "result", "cost"),
    [
        ("has(self.name)", {"name": ""}, True, 1),
        ("has(self.name)", {}, False, 1),
        ("has(self.name)", {"name": None}, True, 1),
        ("has(self.other)", {"other": 1}, False, 1),
        ("!has( self.name )", {}, True, 2),
        ("has(self.of) && has(self.of.name)", {"of": {"name": "a"}}, True, 3),
        ("has(self.of) && has(self.of.name)", {}, False, 1),
        ("has(self.name) || has(self.b)", {"b": False}, True, 2),
        ("has(self.name) != has(self.b)", {"b": False}, True, 3),
        ("(has(self.name) && !has(self.b)) || (!has(self.name) && has(self.b))", {"b": True}, True, 4),
        ("!has(self.b) || self.name != 'Never'", {"b": True, "name": "Always"}, True, 5),
        ('self.name == "Never"', {"name": "Never"}, True, 3),
    ],
)
def test_fields_are_tested_at_the_cost_of_the_server(expression: str, value: Json, result: bool, cost: int) -> None:
    found = evaluate(expression, about(value))

    assert isinstance(found, Value)
    assert (found.value, found.cost) == (result, cost)


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("self.name == 'a'", {}),
        ("self.name == 'a'", {"name": Unknown("a Secret")}),
        ("self.at == 'a'", {"at": "2026-01-01T00:00:00Z"}),
        ("has(self.of.name)", {}),
        ("has(self.name)", "text"),
        ("has(self.map.a)", {"map": {"a": "b"}}),
        ("self.name == has(self.name)", {"name": "a"}),
        ("self.name", {"name": "a"}),
        ("self.name || has(self.b)", {"name": "a"}),
        ("!self.b", {"b": True}),
        ("!!has(self.b)", {}),
        ("has(self.in.name)", {"in": {}}),
        ("has(self.b) == has(self.name) == has(self.of)", {}),
        ("has(oldSelf.name)", {"name": "a"}),
        ("self.name.size() == 0", {"name": "a"}),
        (r"self.name == 'a\n'", {"name": "a"}),
        ("has(self.name) ? has(self.b) : true", {}),
        ("has(self.name) &&", {}),
        ("(has(self.name)", {}),
        ("", {}),
        ("(" * 50 + "has(self.name)" + ")" * 50, {}),
        (" || ".join(["has(self.name)"] * 50), {}),
    ],
)
def test_everything_else_is_left_to_the_library(expression: str, value: Json) -> None:
    assert evaluate(expression, about(value)) is None


TESTS = st.sampled_from(
    [
        *("has(self.name)", "has(self.b)", "has(self.of)", "has(self.of.name)", "has(self.of.b)"),
        *("self.name == 'a'", "self.name != 'some longer text'", "self.of.name == self.name", "'a' == self.of.name"),
    ]
)
EXPRESSIONS = st.recursive(
    TESTS,
    lambda inner: st.one_of(
        st.builds("{} {} {}".format, inner, st.sampled_from(["&&", "||"]), inner),
        st.builds("({}) {} ({})".format, inner, st.sampled_from(["==", "!="]), inner),
        st.builds("!({})".format, inner),
    ),
    max_leaves=6,
)
TEXTS = st.sampled_from(["", "a", "b", "some longer text", "some longer text, which costs more"])
VALUES = st.fixed_dictionaries({}, optional={"name": TEXTS, "b": st.booleans()})
OBJECTS = st.builds(lambda own, of: {**own, **of}, VALUES, st.fixed_dictionaries({}, optional={"of": VALUES}))


@given(EXPRESSIONS, OBJECTS)
def test_results_and_costs_are_those_of_the_library(expression: str, value: JsonObject) -> None:
    """Expressions that fail in the library, such as reading an absent field, have no result here."""
    subject = about(value)
    found, expected = evaluate(expression, subject), library.evaluate(expression, subject)

    assert found is None or (found, found.cost) == (expected, getattr(expected, "cost", None))
