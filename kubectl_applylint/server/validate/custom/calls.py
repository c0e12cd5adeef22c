"""Calls of functions and operators in expressions: computed with the values of ``cel-python``, with their cost.

Mirrors the planner of cel-go: conversions of constants are folded, and tests for an element of a constant list cost
nothing.
"""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from celpy import celtypes
from celpy.evaluation import CELEvalError, base_functions

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.server.validate.custom import costs
from kubectl_applylint.server.validate.custom.costs import Meter
from kubectl_applylint.server.validate.custom.dialect import FUNCTIONS
from kubectl_applylint.server.validate.custom.evaluation import UnsupportedError

KNOWN: Final[Mapping[str, Callable[..., Any]]] = {**base_functions, **FUNCTIONS, "dyn": lambda value: value}
CONVERSIONS: Final = frozenset(
    ("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint", "dyn", "type")
)
TRUE, FALSE = celtypes.BoolType(True), celtypes.BoolType(False)
Scope: TypeAlias = dict[str, Any]
Run: TypeAlias = Callable[[Scope, Meter], Any]
ERRORS: Final = (CELEvalError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class EvaluationError(Exception):
    """The server fails to evaluate the expression as well, with this message."""


@dataclass(frozen=True, slots=True)
class Code:
    """A compiled expression.

    ``bare`` evaluates one that names a place (a variable, a field, an element) without the last unit that the server
    counts for it, which is none (``unit``) if the place is in the branch that ``? :`` has chosen. ``constant`` holds
    the value of one that is folded.
    """

    run: Run
    bare: Run | None = None
    unit: int = 1
    constant: tuple[Any, ...] = ()


def constant(value: Any) -> Code:
    """Return the code of a constant, which costs nothing."""
    return Code(lambda scope, meter: value, constant=(value,))


def place(bare: Run, unit: int = 1) -> Code:
    """Return the code of a place: ``bare`` finds the value, and the server counts ``unit`` for it in the end."""

    def run(scope: Scope, meter: Meter) -> Any:
        try:
            value = bare(scope, meter)
        except EvaluationError:
            meter.add(unit)
            raise
        meter.add(unit)
        return value

    return Code(run, bare, unit)


def binary(name: str, left: Code, right: Code) -> Code:
    """Return the code of an operation on two values."""
    if name == "_in_" and right.constant and isinstance(right.constant[0], list):
        return _member(left, right)
    plain = _PLAIN.get(name)
    return (
        call(name, [left, right])
        if plain is None
        else _with_integer_path(call(name, [_operand(0), _operand(1)]), left, right, plain)
    )


def _operand(place: int) -> Code:
    """Return the code that reads an operand of an operation."""
    return Code(lambda scope, meter: scope[_OPERANDS[place]])


def _with_integer_path(other: Code, left: Code, right: Code, plain: Callable[[int, int], Any]) -> Code:
    """Return the code of an operation with a fast path for integers; ``other`` handles other values."""
    first, second, slow = left.run, right.run, other.run

    def run(scope: Scope, meter: Meter) -> Any:
        try:
            one, two = first(scope, meter), second(scope, meter)
        except (*ERRORS, EvaluationError):
            meter.add(1)
            raise
        if type(one) is type(two) is celtypes.IntType:
            meter.add(1)
            return plain(int(one), int(two))
        return slow(dict(zip(_OPERANDS, (one, two), strict=True)), meter)

    return Code(run)


def _integer_result(operate: Callable[[int, int], int]) -> Callable[[int, int], Any]:
    """Return the operation with its result as an integer of the library."""
    return lambda one, two: celtypes.IntType(operate(one, two))


def _boolean_result(operate: Callable[[int, int], bool]) -> Callable[[int, int], Any]:
    """Return the operation with its result as a truth value of the library."""
    return lambda one, two: TRUE if operate(one, two) else FALSE


_OPERANDS: Final = (".left", ".right")
_PLAIN: Final[Mapping[str, Callable[[int, int], Any]]] = {
    "_+_": _integer_result(operator.add),
    "_-_": _integer_result(operator.sub),
    "_<_": _boolean_result(operator.lt),
    "_<=_": _boolean_result(operator.le),
    "_>_": _boolean_result(operator.gt),
    "_>=_": _boolean_result(operator.ge),
    "_==_": _boolean_result(operator.eq),
    "_!=_": _boolean_result(operator.ne),
}


def _member(left: Code, right: Code) -> Code:
    """Return the code of a test for an element of a constant list, which costs nothing."""
    elements = right.constant[0]
    if not elements:
        return constant(FALSE)

    def run(scope: Scope, meter: Meter) -> Any:
        meter.add_work(len(elements))
        return value_or_raise(KNOWN["_in_"](left.run(scope, meter), elements))

    return Code(run)


def call(name: str, arguments: Sequence[Code], free: Sequence[Any] = ()) -> Code:
    """Return the code of a call; ``free`` are values passed before its arguments."""
    function = KNOWN.get(name)
    if function is None:
        raise UnsupportedError(f"unknown name {name!r}")
    runs = [argument.run for argument in arguments]

    def run(scope: Scope, meter: Meter) -> Any:
        try:
            values = [*free, *(each(scope, meter) for each in runs)]
            meter.add_work(1 + costs.call_work(name, values))
            result = value_or_raise(function(*values))
        except ZeroDivisionError:
            meter.add(1)
            raise EvaluationError("modulus by zero" if name == "_%_" else "division by zero") from None
        except (*ERRORS, EvaluationError):
            meter.add(1)
            raise
        meter.add(costs.call_cost(name, values, result))
        return result

    if name in CONVERSIONS and len(arguments) == 1 and arguments[0].constant:
        return constant(value_or_raise(function(arguments[0].constant[0])))
    return Code(run)


def value_or_raise(value: Any) -> Any:
    """Return a value; raise it if ``cel-python`` returned an error."""
    if isinstance(value, CELEvalError):
        raise value
    if value is NotImplemented:
        raise TypeError("no such overload")
    return value
