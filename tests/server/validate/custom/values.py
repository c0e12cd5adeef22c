"""Expressions of one kind of value, and what a function gives: for the tests of functions."""

from typing import Any

from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.server.validate.custom.evaluation import EvaluatedValue, Evaluation, Failed, Undecided, Value
from kubectl_applylint.server.validate.custom.expressions import evaluate


def outcome(expression: str, value: Json = None, schema: Any = None) -> Json:
    """Return what an expression about ``self`` comes to, or ``failed: …`` or ``open`` where it does not."""
    found: Evaluation = evaluate(expression, EvaluatedValue(value, MISSING, schema or {}))
    match found:
        case Value(result):
            return result
        case Failed(words):
            return f"failed: {words}"
        case Undecided():
            return "open"
