"""The parts of a definition's schema that need validation, found in plain data.

Nearly all inner schemas have nothing that could be invalid. Visiting each takes ten times as long as finding that out,
and a definition has thousands.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from kubectl_applylint.server.validate.field_context import FieldContext

INT_OR_STRING: Final = [{"type": "integer"}, {"type": "string"}]
"""The alternatives that only declare a value as a number or a text."""
_SINGLE: Final = ("items", "additionalProperties", "not")
_COMBINED: Final = ("allOf", "oneOf", "anyOf")
_WITH_PARTS: Final = frozenset(("properties", *_SINGLE, *_COMBINED))


_HARMLESS: Final = frozenset(
    ("description", "type", "format", "enum", "nullable", "title", "minimum", "maximum", "minLength", "maxLength")
)
_PLAIN_TYPES: Final = ("string", "integer", "boolean", "object", "number")


Parts: TypeAlias = Sequence[tuple[Json, int]]
"""A schema and its inner schemas that may matter, at any depth, each with the index of the one around it."""


def parts_of(schema: Json) -> Parts:
    """Return a schema with its inner schemas, without those that only have a known type and harmless fields."""
    parts: list[tuple[Json, int]] = [(schema, 0)]
    for place, (part, _) in enumerate(parts):
        if isinstance(part, dict) and not _WITH_PARTS.isdisjoint(part):
            parts += [(each, place) for each in _inner_schemas(part) if not _is_harmless(each)]
    return parts


def remarkable(parts: Parts, is_remarkable: Callable[[JsonObject], bool]) -> frozenset[int]:
    """Return the ``id`` of each schema whose own fields are remarkable, and of those around it.

    Values that are not objects are remarkable.
    """
    found: set[int] = set()
    is_around = bytearray(len(parts))
    for place in range(len(parts) - 1, -1, -1):
        part, around = parts[place]
        if is_around[place] or not isinstance(part, dict) or is_remarkable(part):
            found.add(id(part))
            is_around[around] = True
    return frozenset(found)


def _is_harmless(schema: Json) -> bool:
    return isinstance(schema, dict) and schema.keys() <= _HARMLESS and schema.get("type") in _PLAIN_TYPES


def _inner_schemas(schema: JsonObject) -> list[Json]:
    """Return the schemas directly inside a schema."""
    found = [*mapping(schema.get("properties")).values()]
    found += [schema[name] for name in _SINGLE if name in schema and isinstance(schema[name], dict)]
    found += [each for name in _COMBINED if name in schema for each in items(schema[name])]
    return found


def fields(schema: FieldContext, looked_at: frozenset[int]) -> Iterator[FieldContext]:
    """Yield the schemas of the fields of a schema that are ``looked_at`` (see ``remarkable``), sorted by name."""
    properties = schema.child("properties")
    declared = mapping(properties.value)
    return (properties.entry(name) for name in sorted(declared) if id(declared[name]) in looked_at)


def inner(schema: FieldContext, name: str, looked_at: frozenset[int]) -> Iterator[FieldContext]:
    """Yield the schema in the field ``name`` of a schema if it is one that is ``looked_at``."""
    value = schema.get(name)
    return iter((schema.child(name),) if isinstance(value, dict) and id(value) in looked_at else ())
