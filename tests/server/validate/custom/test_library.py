"""Values with the types of their schemas, as apiserver's ``UnstructuredToVal`` of 1.36 gives them to expressions."""

from typing import Any

import pytest
from celpy import celtypes

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.server.validate.custom.evaluation import EvaluatedValue, Failed, Undecided, Value
from kubectl_applylint.server.validate.custom.library import escape_name, evaluate, evaluate_with, to_cel
from tests.server.validate.custom.values import outcome

DURATION = {"type": "string", "format": "duration"}
TEXTS = {"type": "array", "items": {"type": "string"}}
SET = {**TEXTS, "x-kubernetes-list-type": "set"}


@pytest.mark.parametrize(
    ("value", "schema", "kind"),
    [
        pytest.param(True, {"type": "boolean"}, celtypes.BoolType, id="boolean"),
        pytest.param(1, {"type": "integer"}, celtypes.IntType, id="integer"),
        pytest.param(1, {"type": "number"}, celtypes.DoubleType, id="a whole number"),
        pytest.param(1.5, {}, celtypes.DoubleType, id="a float without schema"),
        pytest.param("a", {"type": "string"}, celtypes.StringType, id="text"),
        pytest.param("1h", DURATION, celtypes.DurationType, id="duration"),
        pytest.param("2026-01-02", {"format": "date"}, celtypes.TimestampType, id="date"),
        pytest.param("2026-01-02T03:04:05Z", {"format": "date-time"}, celtypes.TimestampType, id="time"),
        pytest.param("YQ==", {"format": "byte"}, celtypes.BytesType, id="bytes"),
        pytest.param("1h", {**DURATION, "x-kubernetes-int-or-string": True}, celtypes.StringType, id="int or string"),
        pytest.param(["a"], TEXTS, celtypes.ListType, id="list"),
        pytest.param({"a": 1}, {"additionalProperties": {"type": "integer"}}, celtypes.MapType, id="map"),
    ],
)
def test_a_value_has_the_type_of_its_schema(value: Json, schema: Any, kind: type) -> None:
    assert type(to_cel(value, schema)) is kind


def test_null_and_unknown_values_stay_as_they_are() -> None:
    uid = Unknown("the uid")

    assert to_cel(None, {"type": "string"}) is None
    assert to_cel(uid, {"type": "string"}) is uid


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("a-b", "a__dash__b"),
        ("a.b/c", "a__dot__b__slash__c"),
        ("a__b", "a__underscores__b"),
        ("a_b", "a_b"),
        ("in", "__in__"),
        ("a___b", "a__underscores___b"),
    ],
)
def test_names_of_fields_are_escaped_in_expressions(name: str, spelled: str) -> None:
    """The examples of the documentation of CRD validation, section on escaping."""
    schema = {"type": "object", "properties": {name: {"type": "integer"}}}

    assert escape_name(name) == spelled
    assert outcome(f"self.{spelled}", {name: 3}, schema) == 3


def test_keys_of_a_map_are_not_escaped_and_other_fields_are_not_seen() -> None:
    labels = {"type": "object", "additionalProperties": {"type": "string"}}

    assert outcome("self['a-b']", {"a-b": "x"}, labels) == "x"
    assert outcome("has(self.b)", {"b": 1}, {"type": "object", "properties": {"a": {}}}) is False


@pytest.mark.parametrize(
    ("expression", "schema", "result"),
    [
        pytest.param("self == ['b', 'a']", SET, True, id="a set in another order"),
        pytest.param("self == ['a']", SET, False, id="a smaller set"),
        pytest.param("self != ['b', 'c']", SET, True, id="another set"),
        pytest.param("self == ['b', 'a']", TEXTS, False, id="a list in another order"),
    ],
)
def test_the_order_of_a_set_does_not_count(expression: str, schema: Any, result: bool) -> None:
    assert outcome(expression, ["a", "b"], schema) is result


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("true", True),
        ("'a'", "a"),
        ("1.0", 1.0),
        ("2u", 2),
        ("[1, ['a']]", [1, ["a"]]),
        ("{'a': {'b': null}}", {"a": {"b": None}}),
    ],
)
def test_results_of_expressions_are_json(expression: str, result: Json) -> None:
    found = outcome(expression)

    assert found == result
    assert type(found) is type(result)


@pytest.mark.parametrize(
    ("optional", "expression", "result"),
    [
        pytest.param(False, "oldSelf", 1, id="the stored value"),
        pytest.param(True, "oldSelf.value()", 1, id="an optional value"),
    ],
)
def test_old_self_is_what_was_stored(optional: bool, expression: str, result: int) -> None:
    assert evaluate(expression, EvaluatedValue(2, 1, {"type": "integer"}, optional)) == Value(result)


def test_only_an_optional_old_self_exists_without_a_stored_value() -> None:
    new = EvaluatedValue(2, MISSING, {"type": "integer"}, optional=True)

    assert evaluate("oldSelf.hasValue()", new) == Value(False)
    assert isinstance(evaluate("oldSelf == 1", EvaluatedValue(2, MISSING, {"type": "integer"})), Undecided)


@pytest.mark.parametrize(
    ("expression", "end"),
    [
        ("object.x", Failed("no such key: x")),
        ("object.a / 0", Failed("division by zero")),
        ("1 +", Undecided("it cannot be read here")),
        ("'a' + 1 == 2", Undecided("it cannot be evaluated here")),
        ("foo()", Undecided("unknown name 'foo'")),
    ],
)
def test_expressions_fail_or_are_undecided(expression: str, end: Failed | Undecided) -> None:
    assert evaluate_with(expression, {"object": {"a": 1}}) == end


def test_a_value_that_does_not_fit_its_format_is_left_open() -> None:
    assert evaluate("self == self", EvaluatedValue("soon", MISSING, DURATION)) == Undecided(
        "it cannot be evaluated here"
    )
