"""What the server says of custom resources: the words of the schema validator and the reasons that they are given."""

from collections.abc import Sequence
from dataclasses import replace

from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.field_context import FieldContext

NOWHERE = "<nil>"
"""The field that the server names when it has none to name."""


def _field_of(path: str, value: Json) -> FieldContext:
    return FieldContext(value, step=path.removeprefix("."))


def invalid(path: str, value: Json, words: str, *, said: str = "") -> FieldError:
    """Object to a value; the words follow the path, or ``said``, and where it stands."""
    return _field_of(path, value).invalid(f"{said or path} in body {words}")


def required(path: str) -> FieldError:
    """Object that a field is missing."""
    return _field_of(path, None).required()


def too_long(path: str, limit: int) -> FieldError:
    """Object that a text is too long."""
    return replace(_field_of(path, "").too_long(limit))


def too_many(path: str, size: int, limit: int) -> FieldError:
    """Object that a list or a map has too many elements."""
    return _field_of(path, [None] * size).too_many(limit)


def wrong_type(path: str, wanted: str, found: str) -> FieldError:
    """Object to the type, or the format, of a value."""
    shown = gotext.encode(found)
    message = f"Invalid value: {shown}: {path} in body must be of type {wanted}: {shown}"
    return FieldError(str(_field_of(path, found)), "FieldValueTypeInvalid", message)


def not_supported(path: str, value: Json, allowed: Sequence[Json]) -> FieldError:
    """Object that a value is not one of those that are allowed."""
    return _field_of(path, value).not_supported(
        [each if isinstance(each, str) else gotext.encode(each) for each in allowed]
    )


def nowhere(words: str) -> FieldError:
    """Object without naming a field."""
    return FieldError(NOWHERE, "FieldValueInvalid", f'Invalid value: "": {words}')
