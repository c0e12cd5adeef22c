"""The parts of a definition's schema that validation has to look at, found over plain data.

Nearly all schemas inside of a schema say nothing that could be wrong. To walk to each of them takes ten times as long
as to see that, and a definition has thousands.
"""

from collections.abc import Callable, Iterator
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from kubectl_applylint.server.validate.field_context import FieldContext

INT_OR_STRING: Final = [{"type": "integer"}, {"type": "string"}]
"""The alternatives that say nothing but that a value is a number or a text."""
_SINGLE: Final = ("items", "additionalProperties", "not")
_COMBINED: Final = ("allOf", "oneOf", "anyOf")
_WITH_PARTS: Final = frozenset(("properties", *_SINGLE, *_COMBINED))


def remarkable(schema: Json, is_remarkable: Callable[[JsonObject], bool]) -> frozenset[int]:
    """Return the ``id`` of each schema that is remarkable by what it says itself, and of those around it.

    Looked at are ``schema`` and all schemas inside of it, at any depth; what is no object there is remarkable.
    """
    found: set[int] = set()

    def visit(part: Json) -> bool:
        is_found = not isinstance(part, dict) or is_remarkable(part)
        for inner in _parts(part):
            if visit(inner):
                is_found = True
        if is_found:
            found.add(id(part))
        return is_found

    visit(schema)
    return frozenset(found)


def _parts(schema: Json) -> list[Json]:
    """Return the schemas directly inside of a schema."""
    if not isinstance(schema, dict) or _WITH_PARTS.isdisjoint(schema):
        return []
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
    """Yield the schema in the field ``name`` of a schema if it is one, and is ``looked_at``."""
    value = schema.get(name)
    return iter((schema.child(name),) if isinstance(value, dict) and id(value) in looked_at else ())
