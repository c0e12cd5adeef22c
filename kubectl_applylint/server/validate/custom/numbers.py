"""Numbers of custom resources: their range and what they are multiples of.

Mirrors ``numberValidator`` of kube-openapi's ``pkg/validation/validate``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.validate.custom import faults
from kubectl_applylint.server.validate.custom.reading import flag, number, types

_GREATEST_FLOAT32: Final = 3.4028235677973366e38
_BITS: Final = {"int32": 31, "int64": 63, "": 63}


def number_faults(value: float, schema: JsonObject, path: str, form: str) -> Iterator[FieldError]:
    """Yield the faults of a number; ``form`` is its format."""
    kind = types(schema)[0] if len(types(schema)) == 1 else ""
    if not _fits(value, kind, form):
        words = f"with format {form}" if form else "(default format)"
        yield faults.nowhere(f"Checked value must be of type {kind} {words} in {path}")
    factor = _like(number(schema, "multipleOf"), value)
    if factor is not None and factor <= 0:
        words = f"factor MultipleOf declared for {path} must be positive: {gotext.show(factor)}"
        yield FieldError(path, "FieldValueInvalid", f"Invalid value: {gotext.show(factor)}: {words}")
    elif factor is not None and not (value / factor).is_integer():
        yield faults.invalid(path, value, f"should be a multiple of {gotext.show(factor)}")
    yield from _range_faults(value, schema, path)


def _fits(value: float, kind: str, form: str) -> bool:
    """Return whether a number fits its type without loss."""
    if kind == "integer":
        limit = 1 << _BITS[form]
        return (isinstance(value, int) or value.is_integer()) and -limit <= value < limit
    return kind != "number" or form != "float" or abs(value) <= _GREATEST_FLOAT32


def _like(bound: float | None, value: float) -> float | None:
    """Return the bound for a value; for an integer the server truncates the bound."""
    return int(bound) if bound is not None and isinstance(value, int) else bound


def _range_faults(value: float, schema: JsonObject, path: str) -> Iterator[FieldError]:
    """Yield the errors for a number outside of its bounds."""
    most, least = _like(number(schema, "maximum"), value), _like(number(schema, "minimum"), value)
    if most is not None and (value > most or (flag(schema, "exclusiveMaximum") and value == most)):
        words = "less than" if flag(schema, "exclusiveMaximum") else "less than or equal to"
        yield faults.invalid(path, value, f"should be {words} {gotext.show(most)}")
    if least is not None and (value < least or (flag(schema, "exclusiveMinimum") and value == least)):
        words = "greater than" if flag(schema, "exclusiveMinimum") else "greater than or equal to"
        yield faults.invalid(path, value, f"should be {words} {gotext.show(least)}")
