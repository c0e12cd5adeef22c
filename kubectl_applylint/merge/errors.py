"""Errors of merges."""

from kubectl_applylint.core import gotext
from kubectl_applylint.core.values import Json, JsonObject


class MergeError(Exception):
    """A patch that cannot be computed or applied; ``message`` is kubectl's or the server's own text.

    ``status`` is the server's HTTP status, if the server fails: 400, 422 or 500.
    """

    def __init__(self, message: str, status: int = 500) -> None:
        """Keep the text and the HTTP status."""
        super().__init__(message)
        self.message = message
        self.status = status


def no_merge_key(element: JsonObject, merge_key: str) -> MergeError:
    """Return the error for a list element without its merge key."""
    return MergeError(f"map: {gotext.show(element)} does not contain declared merge key: {merge_key}")


def bad_patch_type(directive: Json, patch: JsonObject) -> MergeError:
    """Return the error for an unknown ``$patch`` directive."""
    return MergeError(f"unknown patch type: {gotext.show(directive)} in map: {gotext.show(dict(patch))}")


def bad_format(what: str) -> MergeError:
    """Return the error for a directive of the wrong form."""
    return MergeError(f"invalid patch format of {what}", status=400)


def bad_type(expected: str, value: Json) -> MergeError:
    """Return the error for a value of the wrong JSON type."""
    return MergeError(f"expected a {expected}, but received a {go_type(value)}")


_GO_TYPES = {dict: "map[string]interface {}", list: "[]interface {}", str: "string", bool: "bool", int: "int64"}


def go_type(value: Json) -> str:
    """Return the type that Go's ``%T`` prints of a decoded JSON value."""
    return "<nil>" if value is None else _GO_TYPES.get(type(value), "float64")
