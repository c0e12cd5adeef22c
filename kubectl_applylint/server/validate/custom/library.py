"""Kubernetes' dialect of CEL on top of ``cel-python``: values with the types of their schemas, and the functions.

Mirrors ``UnstructuredToVal`` and the escaping of names of apiserver's ``pkg/cel``. Only ``expressions`` imports it.
"""

import re
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

from celpy import celtypes
from celpy.evaluation import CELEvalError

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, mapping
from kubectl_applylint.server.quantity import QuantityError
from kubectl_applylint.server.validate.cel_names import RESERVED
from kubectl_applylint.server.validate.custom.calls import Code, EvaluationError
from kubectl_applylint.server.validate.custom.computing import compile_tree, compute
from kubectl_applylint.server.validate.custom.costs import CostLimitError, Meter, WorkLimitError
from kubectl_applylint.server.validate.custom.dialect import NAMESPACES, Optional
from kubectl_applylint.server.validate.custom.evaluation import (
    EXCEEDED,
    EvaluatedValue,
    Evaluation,
    Failed,
    Undecided,
    UnsupportedError,
    Value,
)
from kubectl_applylint.server.validate.custom.grammar import ExpressionSyntaxError, parse_expression
from kubectl_applylint.server.validate.custom.reading import flag, sub, text

_ESCAPES: Final = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_ERRORS: Final = (
    *(CELEvalError, ExpressionSyntaxError, ArithmeticError, AttributeError, LookupError, RecursionError),
    *(TypeError, ValueError),
)
"""The exceptions of the library for expressions that it, or any program, cannot evaluate."""


def evaluate(expression: str, subject: EvaluatedValue) -> Evaluation:
    """Return the result of an expression."""
    try:
        variables = _variables(subject)
    except _ERRORS as error:
        return _failure(error)
    return _evaluate(expression, variables)


def evaluate_with(expression: str, variables: Mapping[str, Json]) -> Evaluation:
    """Return the result of an expression about values without a schema."""
    return _evaluate(expression, {**NAMESPACES, **{name: _to_cel_untyped(value) for name, value in variables.items()}})


def _evaluate(expression: str, variables: dict[str, Any]) -> Evaluation:
    """Return the result of an expression; every failure is a value."""
    meter = Meter()
    try:
        outcome = compute(_program(expression), variables, meter)
    except CostLimitError:
        return Failed(EXCEEDED, meter.cost)
    except WorkLimitError:
        return Undecided("it is too expensive to evaluate here")
    except EvaluationError as fault:
        return Failed(str(fault), meter.cost)
    except UnsupportedError as missing:
        return Undecided(str(missing))
    except _ERRORS as error:
        return _failure(error, meter.cost)
    return Value(_json(outcome), meter.cost)


def _to_cel_untyped(value: Json) -> Any:
    """Return a value of the library with the type that it has in JSON; an unknown value stays as it is."""
    if isinstance(value, dict):
        return celtypes.MapType({celtypes.StringType(key): _to_cel_untyped(item) for key, item in value.items()})
    if isinstance(value, list):
        return celtypes.ListType([_to_cel_untyped(item) for item in value])
    return to_cel(value, {}) if isinstance(value, (str, int, float)) else value


def _json(outcome: Any) -> Json:
    """Return the result of an expression as JSON, where it has a JSON form."""
    match outcome:
        case celtypes.BoolType():
            return bool(outcome)
        case str():
            return str(outcome)
        case celtypes.DoubleType():
            return float(outcome)
        case celtypes.IntType() | celtypes.UintType():
            return int(outcome)
        case list():
            return [_json(item) for item in outcome]
        case dict():
            return {str(key): _json(item) for key, item in outcome.items()}
        case _:
            return outcome


def _variables(subject: EvaluatedValue) -> dict[str, Any]:
    new = to_cel(subject.new, subject.schema)
    if subject.old is MISSING:
        return {**NAMESPACES, "self": new, **({"oldSelf": Optional()} if subject.optional else {})}
    old = to_cel(subject.old, subject.schema)
    return {**NAMESPACES, "self": new, "oldSelf": Optional((old,)) if subject.optional else old}


@lru_cache(maxsize=1024)
def _program(expression: str) -> Code:
    return compile_tree(parse_expression(expression))


def _failure(error: Exception, cost: int = 0) -> Evaluation:
    """Return the result for an exception of the library."""
    if QuantityError in error.args:
        return Failed(str(error.args[-1][0]), cost)
    if isinstance(error, QuantityError):
        return Failed(str(error), cost)
    return Undecided(
        "it cannot be read here" if isinstance(error, ExpressionSyntaxError) else "it cannot be evaluated here"
    )


def to_cel(value: Json, schema: JsonObject) -> Any:
    """Return a value of the library with the type that its schema declares."""
    match value:
        case None:
            return None
        case Unknown():
            return value
        case bool():
            return celtypes.BoolType(value)
        case int() | float():
            return _number(value, schema)
        case str():
            return _text(value, schema)
        case list():
            return _list(value, schema)
        case _:
            return _object(value, schema)


def _number(value: int | float, schema: JsonObject) -> Any:
    """Return a number with the type that its schema declares."""
    if text(schema, "type") == "number" or isinstance(value, float):
        return celtypes.DoubleType(value)
    return celtypes.IntType(value)


def _text(value: str, schema: JsonObject) -> Any:
    """Return a text, date, duration or bytes, as its schema declares."""
    if flag(schema, "x-kubernetes-int-or-string"):
        return celtypes.StringType(value)
    match text(schema, "format"):
        case "date" | "date-time":
            return celtypes.TimestampType(value if "T" in value else f"{value}T00:00:00Z")
        case "duration":
            return celtypes.DurationType(value)
        case "byte":
            return celtypes.BytesType(urlsafe_b64decode(value))
        case _:
            return celtypes.StringType(value)


class _Unordered(celtypes.ListType):
    """A set or a keyed list: comparisons ignore the order of its elements."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list) or len(self) != len(other):
            return False
        return all(any(mine == theirs for theirs in other) for mine in self)

    def __ne__(self, other: object) -> bool:
        return not self == other


def _list(value: list[Json], schema: JsonObject) -> Any:
    """Return a list, or a set or keyed list if its schema declares one."""
    items = sub(schema, "items")
    ordered = text(schema, "x-kubernetes-list-type") not in ("set", "map")
    kind = celtypes.ListType if ordered else _Unordered
    return kind([to_cel(item, items) for item in value])


def _object(value: JsonObject, schema: JsonObject) -> Any:
    """Return an object with the names of its fields escaped, or a map with its keys as they are."""
    declared, others = sub(schema, "properties"), sub(schema, "additionalProperties")
    if others and not declared:
        return celtypes.MapType({celtypes.StringType(key): to_cel(item, others) for key, item in value.items()})
    return celtypes.MapType(
        {
            celtypes.StringType(escape_name(name)): to_cel(item, mapping(declared[name]))
            for name, item in value.items()
            if name in declared
        }
    )


def escape_name(name: str) -> str:
    """Return the name of a field as expressions spell it."""
    if name in RESERVED:
        return f"__{name}__"
    return re.sub("__|[-./]", lambda part: _ESCAPES[part[0]], name)
