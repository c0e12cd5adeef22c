"""Expressions and their costs as cel-go computed them with apiserver's libraries and cost model (``costs.jsonl``)."""

import json
import time
from pathlib import Path
from typing import Any, Final

import pytest

from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.server.validate.custom.evaluation import EXCEEDED, EvaluatedValue, Failed, Undecided, Value
from kubectl_applylint.server.validate.custom.expressions import evaluate

LINES: Final[list[Any]] = [
    json.loads(line) for line in Path(__file__).with_name("costs.jsonl").read_text(encoding="utf-8").splitlines()
]
NUMBERS: Final = {"type": "object", "properties": {"l": {"type": "array", "items": {"type": "integer"}}}}
TEXT: Final = {"type": "object", "properties": {"s": {"type": "string"}}}


def _about(value: Json, schema: Any) -> EvaluatedValue:
    return EvaluatedValue(value, MISSING, schema)


@pytest.mark.parametrize("case", [pytest.param(line, id=line["rule"]) for line in LINES[1:]])
def test_an_expression_has_the_result_and_cost_of_the_server(case: Any) -> None:
    result = evaluate(case["rule"], _about(LINES[0]["object"], LINES[0]["schema"]))

    assert result == (Value(case["value"]) if "value" in case else Failed(case["error"]))
    assert getattr(result, "cost", None) == case["cost"]


@pytest.mark.slow
@pytest.mark.parametrize(("count", "exceeds"), [(50, False), (300, False), (400, True), (3000, True)])
def test_a_loop_in_a_loop_ends_where_the_server_ends_it(count: int, exceeds: bool) -> None:
    begin = time.process_time()
    result = evaluate("self.l.all(x, self.l.all(y, x + y >= 0))", _about({"l": [*range(count)]}, NUMBERS))

    assert result == (Failed(EXCEEDED) if exceeds else Value(True))
    assert time.process_time() - begin < 10


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        ("self.s.find('(a+)+$') == ''", "a" * 5000 + "!"),
        ("self.s.matches('^(a+)+$')", "a" * 5000 + "!"),
        ("self.s.findAll('(a|a)*b').size() == 0", "a" * 3000),
    ],
)
def test_patterns_end(expression: str, text: str) -> None:
    begin = time.process_time()

    assert isinstance(evaluate(expression, _about({"s": text}, TEXT)), Value)
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    "expression",
    [
        "self.s.replace('', self.s).replace('', self.s) == ''",
        "self.s.replace('a', self.s).size() > 0",
        "[self.s, self.s].map(x, x.replace('', x)).join('') == ''",
    ],
)
def test_texts_do_not_grow_without_bound(expression: str) -> None:
    result = evaluate(expression, _about({"s": "a" * 100_000}, TEXT))

    assert result == Undecided("it is too expensive to evaluate here")


def test_comparisons_of_large_values_are_bounded() -> None:
    schema = {"type": "array", "x-kubernetes-list-type": "set", "items": {"type": "string"}}
    value: list[Json] = [f"a{number}" for number in range(5000)]

    assert evaluate("self == self", _about(value, schema)) in (
        Value(True),
        Undecided("it is too expensive to evaluate here"),
    )


@pytest.mark.parametrize("expression", ["nobody == 1", "self.l.all(x + 1, true)", "self.foo()", "Message{a: 1} == 1"])
def test_unsupported_expressions_are_undecided(expression: str) -> None:
    assert isinstance(evaluate(expression, _about({"l": [1]}, NUMBERS)), Undecided)
