"""Python values as ``cel-python`` expects them from functions."""

from celpy import celtypes


def boolean(value: bool) -> celtypes.BoolType:
    """Return a truth value."""
    return celtypes.BoolType(value)


def integer(value: int) -> celtypes.IntType:
    """Return an integer."""
    return celtypes.IntType(value)


def string(value: str) -> celtypes.StringType:
    """Return a text."""
    return celtypes.StringType(value)


def strings(values: list[str]) -> celtypes.ListType:
    """Return a list of texts."""
    return celtypes.ListType([string(value) for value in values])
