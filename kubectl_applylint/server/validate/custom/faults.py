"""The server's errors for custom resources: the messages of the schema validator and their reasons."""

from collections.abc import Sequence

from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import FieldError, plain
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate.field_context import FieldContext

NOWHERE = "<nil>"
"""The field in the server's message if the error has no field."""


def _context(path: str, value: Json) -> FieldContext:
    return FieldContext(value, step=path.removeprefix("."))


def invalid(path: str, value: Json, words: str, *, said: str = "") -> FieldError:
    """Return the error for an invalid value; the message begins with the path, or with ``said``."""
    return _context(path, value).invalid(f"{said or path} in body {words}")


def required(path: str) -> FieldError:
    """Return the error for a missing field."""
    return _context(path, None).required()


def too_long(path: str, limit: int) -> FieldError:
    """Return the error for a text that is too long."""
    return replace(_context(path, "").too_long(limit))


def too_many(path: str, size: int, limit: int) -> FieldError:
    """Return the error for a list or a map with too many elements."""
    return _context(path, [None] * size).too_many(limit)


def wrong_type(path: str, wanted: str, found: str) -> FieldError:
    """Return the error for a value of the wrong type or format."""
    shown = gotext.encode(found)
    message = f"Invalid value: {shown}: {path} in body must be of type {wanted}: {shown}"
    return FieldError(str(_context(path, found)), "FieldValueTypeInvalid", message)


def not_supported(path: str, value: Json, allowed: Sequence[Json]) -> FieldError:
    """Return the error for a value that is not one of the allowed ones."""
    return _context(path, value).not_supported(
        [each if isinstance(each, str) else gotext.encode(plain(each)) for each in allowed]
    )


def nowhere(words: str) -> FieldError:
    """Return an error without a field."""
    return FieldError(NOWHERE, "FieldValueInvalid", f'Invalid value: "": {words}')
