"""Calls as cel-go plans and counts them; ``costs.jsonl`` has the costs of whole expressions."""

from typing import Any

import pytest
from celpy import celtypes

from kubectl_applylint.server.validate.custom.calls import (
    Code,
    EvaluationError,
    Scope,
    binary,
    call,
    constant,
    place,
    value_or_raise,
)
from kubectl_applylint.server.validate.custom.costs import Meter
from kubectl_applylint.server.validate.custom.evaluation import UnsupportedError

ONE, TWO, ZERO = (celtypes.IntType(number) for number in (1, 2, 0))
TEXT = celtypes.StringType("2")


def ran(code: Code) -> tuple[Any, int]:
    """Return what code comes to and costs."""
    meter = Meter()
    return code.run({}, meter), meter.cost


def variable(value: Any) -> Code:
    return Code(lambda scope, meter: value)


def failing(error: Exception) -> Code:
    def run(scope: Scope, meter: Meter) -> Any:
        raise error

    return Code(run)


def test_a_constant_costs_nothing_and_a_place_one() -> None:
    assert ran(constant(ONE)) == (ONE, 0)
    assert ran(place(variable(ONE).run)) == (ONE, 1)
    assert ran(place(variable(ONE).run, unit=0)) == (ONE, 0)


def test_a_place_that_is_not_found_is_counted_too() -> None:
    meter = Meter()

    with pytest.raises(EvaluationError):
        place(failing(EvaluationError("no such key")).run).run({}, meter)
    assert meter.cost == 1


@pytest.mark.parametrize(
    ("name", "left", "right", "result"),
    [
        ("_+_", ONE, TWO, 3),
        ("_-_", ONE, TWO, -1),
        ("_<_", ONE, TWO, True),
        ("_<=_", TWO, TWO, True),
        ("_>_", ONE, TWO, False),
        ("_>=_", ONE, TWO, False),
        ("_==_", TWO, TWO, True),
        ("_!=_", TWO, TWO, False),
        ("_*_", TWO, TWO, 4),
        ("_+_", TEXT, TEXT, "22"),
    ],
)
def test_operations_on_two_values(name: str, left: Any, right: Any, result: Any) -> None:
    found, cost = ran(binary(name, variable(left), variable(right)))

    assert (found, cost) == (result, 1)
    assert isinstance(found, celtypes.BoolType) == isinstance(result, bool)


@pytest.mark.parametrize(("name", "words"), [("_/_", "division by zero"), ("_%_", "modulus by zero")])
def test_nothing_is_divided_by_zero(name: str, words: str) -> None:
    meter = Meter()

    with pytest.raises(EvaluationError, match=words):
        binary(name, variable(ONE), variable(ZERO)).run({}, meter)
    assert meter.cost == 1


def test_a_result_beyond_64_bits_fails() -> None:
    most = celtypes.IntType(2**63 - 1)

    with pytest.raises(ValueError, match="overflow"):
        ran(binary("_+_", variable(most), variable(ONE)))


def test_an_element_of_a_constant_list_is_found_for_nothing() -> None:
    numbers = constant(celtypes.ListType([ONE, TWO]))

    assert ran(binary("_in_", variable(TWO), numbers)) == (celtypes.BoolType(True), 0)
    assert ran(binary("_in_", variable(ZERO), numbers)) == (celtypes.BoolType(False), 0)
    assert ran(binary("_in_", variable(TWO), variable(celtypes.ListType([ONE, TWO])))) == (celtypes.BoolType(True), 2)


def test_nothing_is_in_an_empty_list() -> None:
    assert ran(binary("_in_", failing(EvaluationError("x")), constant(celtypes.ListType([])))) == (
        celtypes.BoolType(False),
        0,
    )


def test_conversions_of_constants_are_folded() -> None:
    assert call("int", [constant(TEXT)]).constant == (TWO,)
    assert ran(call("int", [constant(TEXT)])) == (TWO, 0)
    assert ran(call("int", [variable(TEXT)])) == (TWO, 1)
    assert call("size", [constant(TEXT)]).constant == ()


def test_a_function_gets_its_namespace_first() -> None:
    assert ran(call("charAt", [constant(ZERO)], free=[TEXT])) == ("2", 1)


def test_a_call_that_fails_is_counted() -> None:
    meter = Meter()

    with pytest.raises(ValueError, match="index out of range"):
        call("charAt", [constant(TWO)], free=[TEXT]).run({}, meter)
    assert meter.cost == 1


def test_a_function_that_is_not_known_is_not_supported() -> None:
    with pytest.raises(UnsupportedError, match="unknown name 'foo'"):
        call("foo", [])


def test_errors_that_the_library_returns_are_raised() -> None:
    assert value_or_raise(ONE) is ONE
    with pytest.raises(TypeError, match="no such overload"):
        value_or_raise(NotImplemented)
