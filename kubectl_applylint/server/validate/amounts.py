"""Quantities as numbers, and constraints on them."""

from fractions import Fraction
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.values import Json, Missing
from kubectl_applylint.server.quantity import QuantityError, canonical, parse
from kubectl_applylint.server.validate.field_context import FieldContext, FieldErrors, is_known

_NOTHING = Fraction(0)
_BINARY: Final = ("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")


def amount(value: Json | Missing) -> Fraction:
    """Return the number of a quantity, 0 for other values."""
    return _amount(str(value)) if isinstance(value, (str, int, float)) else _NOTHING


@lru_cache(maxsize=4096)
def _amount(text: str) -> Fraction:
    try:
        quantity = parse(text)
    except QuantityError:
        return _NOTHING
    return quantity.unscaled * Fraction(10) ** quantity.exponent


def quantity_text(number: Fraction, like: str) -> str:
    """Return a number as a quantity, with the suffixes of another quantity (``like``)."""
    if not like.endswith("i") or number.denominator != 1 or not number:
        return canonical(f"{number * 10**9}n")
    power = next(power for power in reversed(range(len(_BINARY))) if number % 1024**power == 0)
    return f"{number / 1024**power}{_BINARY[power]}"


def not_negative(fld: FieldContext) -> FieldErrors:
    """Require a quantity of zero or more."""
    return (fld.invalid("must be greater than or equal to 0"),) if amount(fld.value) < 0 else ()


def positive(fld: FieldContext) -> FieldErrors:
    """Require a quantity above zero; an unknown value is assumed to be valid."""
    return (fld.invalid("must be greater than zero"),) if is_known(fld.value) and amount(fld.value) <= 0 else ()
