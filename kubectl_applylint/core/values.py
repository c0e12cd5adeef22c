"""JSON values and their equality.

A value is ``None``, ``bool``, ``int``, ``float``, ``str``, ``list`` or ``dict`` with string keys, as Kubernetes' JSON
decoder makes them: an integer that fits 64 bits stays an ``int``, every other number is a ``float``.
"""

from collections.abc import Callable, Mapping
from enum import Enum
from operator import is_
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""Any JSON value; the only use of ``Any``."""
JsonObject: TypeAlias = Mapping[str, Json]
"""A JSON object; functions never change one that they receive."""


class Missing(Enum):
    """The type of ``MISSING``, which means that a field is absent, and so differs from null."""

    MISSING = "missing"

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing.MISSING
_CONTAINERS: Final = frozenset({dict, list})
_LONGEST_INT64: Final = len(str(2**63))


def equal(left: Json, right: Json) -> bool:
    """Return whether two values are the same for Kubernetes: ``1``, ``1.0`` and ``true`` are three values."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return len(left) == len(right) and all(key in right and equal(value, right[key]) for key, value in left.items())
    if isinstance(left, list):
        return len(left) == len(right) and all(map(equal, left, right))
    return bool(left == right)


def reuse(old: Json, new: Json) -> Json:
    """Return ``new`` with every part that equals the part of ``old`` at the same place replaced by that part.

    So ``reuse(old, new) is old`` means that nothing differs, and a second comparison finds identical objects. List
    elements are paired by position.
    """
    if new is old or type(new) is not type(old):
        return new
    if isinstance(new, dict):
        return _reuse_fields(old, new)
    if isinstance(new, list):
        items = [*map(reuse, old, new), *new[len(old) :]]
        return old if len(old) == len(new) and all(map(is_, items, old)) else items
    return old if new == old else new


def _reuse_fields(old: JsonObject, new: JsonObject) -> JsonObject:
    """Reuse equal parts of an object, as ``reuse`` does."""
    merged: dict[str, Json] = {}
    same = len(old) == len(new)
    for key, value in new.items():
        before = old.get(key, MISSING)
        kept = value
        if value is not before and type(value) is type(before):  # as in ``reuse``, one call less
            if type(value) is dict and value and before:
                kept = _reuse_fields(before, value)
            elif type(value) is list:
                kept = reuse(before, value)
            elif value == before:
                kept = before
        if kept is not before:
            same = False
        merged[key] = kept
    return old if same else merged


def without_nulls(value: Json) -> Json:
    """Return ``value`` without the map entries that are null, at any depth; null list elements stay.

    kubectl sends a new object in this form, and servers insert the values of a merge patch in it (RFC 7386). A value
    without nulls is returned itself.
    """
    if isinstance(value, dict):
        changed: dict[Any, Json] = {
            key: made
            for key, item in value.items()
            if type(item) in _CONTAINERS and (made := without_nulls(item)) is not item
        }
        if changed or None in value.values():
            return {key: changed.get(key, item) for key, item in value.items() if item is not None}
    elif isinstance(value, list):
        made = [without_nulls(item) if type(item) in _CONTAINERS else item for item in value]
        return value if all(map(is_, made, value)) else made
    return value


def mapping(value: Json) -> JsonObject:
    """Return ``value`` if it is an object, else an empty one: for values that may be absent, null or ill-typed."""
    return value if isinstance(value, dict) else {}


def items(value: Json) -> list[Json]:
    """Return ``value`` if it is a list, else an empty one: for values that may be absent, null or ill-typed."""
    return value if isinstance(value, list) else []


def dig(value: Json, *keys: str) -> Json | Missing:
    """Return the value in nested objects under ``keys``, or ``MISSING`` if a key or an object is missing."""
    for key in keys:
        if not isinstance(value, dict) or key not in value:
            return MISSING
        value = value[key]
    return value


def text_at(value: Json, *keys: str) -> str:
    """Return the text in nested objects under ``keys``, or ``""`` if there is none."""
    found = dig(value, *keys)
    return found if isinstance(found, str) else ""


def texts_at(value: Json, *keys: str) -> tuple[str, ...]:
    """Return the texts in the list in nested objects under ``keys``, or none if there is no list."""
    return tuple(item for item in items(dig(value, *keys)) if isinstance(item, str))


def objects_at(value: Json, *keys: str) -> list[JsonObject]:
    """Return the list in nested objects under ``keys``, with ``{}`` for each item that is not an object."""
    return [mapping(item) for item in items(dig(value, *keys))]


def map_texts(value: Json, change: Callable[[str], str]) -> Json:
    """Return a value with each text in it, keys included, replaced by the result of ``change``."""
    match value:
        case str():
            return change(value)
        case list():
            return [map_texts(item, change) for item in value]
        case dict():
            return {change(key): map_texts(item, change) for key, item in value.items()}
        case _:
            return value


def int64(text: str) -> int | None:
    """Return the integer of a text with an optional sign and digits, ``None`` if it exceeds 64 bits.

    Also ``None`` for text that Go's ``strconv.ParseInt`` rejects. Python's ``int`` fails for texts of more than 4,300
    digits.
    """
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        return None
    spelled = digits.lstrip("0") or "0"
    if len(spelled) > _LONGEST_INT64:
        return None
    value = -int(spelled) if text[0] == "-" else int(spelled)
    return value if -(2**63) <= value < 2**63 else None
