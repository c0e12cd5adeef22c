"""Paths through the schemas of CustomResourceDefinitions (``.spec.replicas``, ``['a.b']``).

Mirrors ``ValidFieldPath`` of the apiextensions server.
"""

import re
from collections.abc import Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.custom.reading import sub, text

PathResult: TypeAlias = JsonObject | str
"""The schema at the end of a path, or why there is none."""

_TOKEN: Final = regex(r"'(?:.*?[^\\])?'|[.\[\]]|[^.\[\]]+", re.DOTALL)
_ESCAPE: Final = regex(r"\\(.)")
_ESCAPES: Final = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "'": "'", "\\": "\\"}
_NOWHERE: Final = "does not refer to a valid field"
_SHORT: Final = "unexpected end of JSON path"
_SELECTABLE_TYPES: Final = ("string", "boolean", "integer")
_MOST_SELECTABLE: Final = 8


def follow(schema: JsonObject, path: str, *, brackets: bool = True) -> PathResult:
    """Return the schema that a path leads to; ``brackets`` allows names in brackets."""
    tokens = iter(_TOKEN.findall(path))
    place: PathResult = schema
    for token in tokens:
        if token == ".":
            place = _follow_step(place, next(tokens, None))
        elif token == "[" and brackets:
            place = _follow_bracket_step(place, tokens)
        else:
            return f"expected [ or . but got: {token}" if token != "[" else "array notation is not allowed"
        if isinstance(place, str):
            return place
    return place


def _follow_step(schema: PathResult, name: str | None) -> PathResult:
    """Return the schema of a field, or why there is none."""
    if name is None or isinstance(schema, str):
        return _SHORT
    fields = sub(schema, "properties")
    if fields:
        return mapping(fields[name]) if name in fields else _NOWHERE
    return sub(schema, "additionalProperties") if schema.get("additionalProperties") else _NOWHERE


def _follow_bracket_step(schema: PathResult, tokens: Iterator[str]) -> PathResult:
    """Return the schema of a field in brackets, or why there is none."""
    quoted = next(tokens, None)
    if quoted is None:
        return _SHORT
    if len(quoted) < 2 or quoted[0] != "'" or quoted[-1] != "'":
        return f"expected single quoted string but got {quoted}"
    unknown = next((found[0] for found in _ESCAPE.finditer(quoted) if found[1] not in _ESCAPES), "")
    if unknown:
        return f"invalid string literal: invalid escape char {unknown}"
    place = _follow_step(schema, _ESCAPE.sub(lambda found: _ESCAPES[found[1]], quoted[1:-1]))
    end = next(tokens, None)
    if isinstance(place, str) or end == "]":
        return place
    return _SHORT if end is None else f"expected ] but got {end}"


def selectable_faults(fld: v.FieldContext, schema: JsonObject, *, is_stored: bool) -> v.FieldErrors:
    """Yield the faults of selectable fields: they must be few, distinct, and scalars of the schema.

    There may be as many as are stored already.
    """
    paths = [item.text("jsonPath") for item in fld.items()]
    for number, item in enumerate(fld.items()):
        path, place = item.text("jsonPath"), item.child("jsonPath")
        found = follow(schema, path, brackets=False)
        if not path:
            yield place.required()
        elif isinstance(found, str):
            yield place.invalid(f"is an invalid path: {found}")
        else:
            yield from _selectable_faults(place, found)
            if path in paths[:number]:
                yield place.duplicate()
    if len(set(paths)) > _MOST_SELECTABLE and not is_stored:
        yield fld.too_many(_MOST_SELECTABLE)


def _selectable_faults(place: v.FieldContext, schema: JsonObject) -> v.FieldErrors:
    if place.text().startswith(".metadata"):
        yield place.invalid("must not point to fields in metadata")
    if text(schema, "type") not in _SELECTABLE_TYPES:
        words = "must point to a field of type string, boolean or integer. Enum string fields and strings with formats"
        yield place.invalid(f"{words} are allowed.")
