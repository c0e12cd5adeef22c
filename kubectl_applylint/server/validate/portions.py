"""Numbers or percentages of pods (``maxUnavailable: 25%``)."""

from typing import Final

from kubectl_applylint.core.values import Json, Missing, int64
from kubectl_applylint.server.validate.field_context import FieldContext, FieldErrors
from kubectl_applylint.server.validate.formats import percent

_ALL: Final = 100


def size_of(value: Json | Missing) -> int:
    """Return the number, or the number before the percent sign; 0 for other values."""
    if isinstance(value, str):
        return max(0, int64(value.removesuffix("%")) or 0)
    return value if isinstance(value, int) else 0


def number_or_percent(fld: FieldContext) -> FieldErrors:
    """Require a number of zero or more, or a percentage."""
    if isinstance(fld.value, str):
        return [fld.invalid(fault) for fault in percent(fld.value)]
    return (fld.invalid("must be greater than or equal to 0"),) if fld.number() < 0 else ()


def not_more_than_all(fld: FieldContext) -> FieldErrors:
    """Require a percentage of 100 % or less."""
    over = isinstance(fld.value, str) and not percent(fld.value) and size_of(fld.value) > _ALL
    return (fld.invalid("must not be greater than 100%"),) if over else ()
