"""Properties of the outcomes of expressions that reports rely on."""

import pytest

from kubectl_applylint.core.values import MISSING, JsonObject
from kubectl_applylint.server.validate.custom.evaluation import EXCEEDED, EvaluatedValue, Evaluation, Failed, Value
from kubectl_applylint.server.validate.custom.expressions import evaluate

LIST: JsonObject = {"type": "array", "items": {"type": "integer"}}


def about(count: int) -> EvaluatedValue:
    return EvaluatedValue([*range(count)], MISSING, LIST)


@pytest.mark.parametrize(
    ("expression", "outcome"),
    [
        pytest.param("self.size()", Value(2), id="a value"),
        pytest.param("self[7]", Failed("index out of bounds: 7"), id="the server fails, too"),
    ],
)
def test_outcomes_are_compared_without_their_costs(expression: str, outcome: Evaluation) -> None:
    found = evaluate(expression, about(2))

    assert found == outcome
    assert isinstance(found, Value | Failed)
    assert found.cost > 0
    assert len({found, outcome}) == 1


@pytest.mark.slow
def test_an_expression_beyond_the_limit_fails_in_the_words_of_the_server() -> None:
    found = evaluate("self.all(x, self.all(y, x + y >= 0))", about(500))

    assert found == Failed(EXCEEDED)
    assert isinstance(found, Failed)
    assert found.cost > 1_000_000
