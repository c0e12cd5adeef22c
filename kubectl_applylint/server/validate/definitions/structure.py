"""Structural schemas: what a CustomResourceDefinition must declare of every value, and where.

Mirrors ``pkg/apiserver/schema/validation.go`` and ``complete.go`` of the apiextensions server.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.patterns.linear import Invalid, compile_linear
from kubectl_applylint.core.values import JsonObject, equal, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.custom.reading import flag, sub, text
from kubectl_applylint.server.validate.definitions.parts import INT_OR_STRING, Parts, fields, inner, remarkable

_LACKS_TYPE: Final = {
    "root": "must not be empty at the root",
    "item": "must not be empty for specified array items",
    "field": "must not be empty for specified object fields",
}
_LACKS_FIELDS: Final = (
    "must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields"
)
_REMARKABLE: Final = frozenset(("allOf", "oneOf", "not", "x-kubernetes-embedded-resource"))
"""The fields that must be examined in every schema."""
_NOT_NESTED: Final = {
    "type": "must be empty to be structural",
    "additionalProperties": "must be undefined to be structural",
    "default": "must be undefined to be structural",
    "title": "must be empty to be structural",
    "description": "must be empty to be structural",
    "nullable": "must be false to be structural",
    "x-kubernetes-preserve-unknown-fields": "must be false to be structural",
    "x-kubernetes-embedded-resource": "must be false to be structural",
    "x-kubernetes-int-or-string": "must be false to be structural",
    "x-kubernetes-list-map-keys": "must be empty to be structural",
    "x-kubernetes-list-type": "must be undefined to be structural",
    "x-kubernetes-map-type": "must be undefined to be structural",
    "x-kubernetes-validations": "must be empty to be structural",
}
"""The fields that only the schema of a value itself may have, not the conditions combined with it."""


def structural_faults(fld: v.FieldContext, parts: Parts) -> v.FieldErrors:
    """Yield why a schema is not structural; ``fld`` is the whole schema, ``parts`` are those of its value."""
    yield from _invariants(fld, "root", remarkable(parts, _is_remarkable))
    yield from _completeness(fld, fld)


def _is_remarkable(schema: JsonObject) -> bool:
    """Return whether the own fields of the schema of an item or a field may have faults."""
    kind, is_either = text(schema, "type"), flag(schema, "x-kubernetes-int-or-string")
    is_free = flag(schema, "x-kubernetes-preserve-unknown-fields")
    return (
        not _REMARKABLE.isdisjoint(schema)
        or not (kind or is_either or is_free)
        or (is_either and is_free)
        or (kind == "array" and "items" not in schema)
        or not isinstance(schema.get("items", {}), dict)
        or ("anyOf" in schema and not equal(schema["anyOf"], INT_OR_STRING))
        or ("pattern" in schema and isinstance(compile_linear(text(schema, "pattern")), Invalid))
    )


def _invariants(fld: v.FieldContext, level: str, looked_at: frozenset[int]) -> v.FieldErrors:
    """Yield the faults of a schema that is the ``root``, of an ``item`` or of a ``field``."""
    schema = mapping(fld.value)
    if text(schema, "type") == "array" and not fld.sets("items"):
        yield fld.child("items").required("must be specified")
    if fld.sets("additionalProperties") and level == "root":
        yield fld.child("additionalProperties").forbidden("must not be used at the root")
    if fld.flag("x-kubernetes-int-or-string"):
        for name in ("x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"):
            if fld.flag(name):
                yield fld.child(name).invalid("must be false if x-kubernetes-int-or-string is true")
    yield from _type(fld, level)
    yield from _names(fld, level)
    yield from _conditions(fld)
    for item in _items(fld, looked_at):
        yield from _invariants(item, "item", looked_at)
    for field in (*fields(fld, looked_at), *inner(fld, "additionalProperties", looked_at)):
        yield from _invariants(field, "field", looked_at)


def _items(fld: v.FieldContext, looked_at: frozenset[int]) -> Iterator[v.FieldContext]:
    """Yield the schema of the items, and any other value in its place."""
    if fld.sets("items") and not isinstance(fld.get("items"), dict):
        yield fld.child("items")
    yield from inner(fld, "items", looked_at)


def _type(fld: v.FieldContext, level: str) -> v.FieldErrors:
    """Require a type for every value; the root and embedded objects must be objects."""
    kind, place = fld.text("type"), fld.child("type")
    embedded = fld.flag("x-kubernetes-embedded-resource")
    free = fld.flag("x-kubernetes-int-or-string") or fld.flag("x-kubernetes-preserve-unknown-fields")
    if embedded and kind != "object":
        words = "must be object if x-kubernetes-embedded-resource is true"
        yield place.invalid(words) if kind else place.required(words)
    elif not kind and not free:
        yield place.required(_LACKS_TYPE[level])
    if level == "root" and kind not in ("", "object"):
        yield place.invalid("must be object at the root")
    if embedded and fld.sets("additionalProperties"):
        yield fld.child("additionalProperties").forbidden("must not be used if x-kubernetes-embedded-resource is set")
    if embedded and not free and not fld.has("properties"):
        yield fld.child("properties").required(_LACKS_FIELDS)


def _names(fld: v.FieldContext, level: str) -> v.FieldErrors:
    """Require the fixed types of the fields that identify an object."""
    fields = fld.child("properties")
    whole = level == "root" or fld.flag("x-kubernetes-embedded-resource")
    for name, kind in (("kind", "string"), ("apiVersion", "string"), ("metadata", "object")):
        field = fields.entry(name)
        if whole and field.there and field.text("type") != kind:
            yield field.child("type").invalid(f"must be {kind}", field.text("type"))
    metadata = fields.entry("metadata")
    if level == "root" and metadata.there and not _names_only(mapping(metadata.value)):
        words = "must not specify anything other than name and generateName, but metadata is implicitly specified"
        yield metadata.forbidden(words)


def _names_only(metadata: JsonObject) -> bool:
    others = metadata.keys() - {"type", "default", "properties"}
    return not others and sub(metadata, "properties").keys() <= {"name", "generateName"}


def _conditions(fld: v.FieldContext) -> v.FieldErrors:
    """Yield the faults of the conditions that a schema combines: ``anyOf``, ``allOf``, ``oneOf`` and ``not``."""
    for nested in _subconditions(fld):
        yield from _condition_faults(nested)
    compiled = compile_linear(fld.text("pattern"))
    if isinstance(compiled, Invalid):
        yield fld.child("pattern").invalid(f"must be a valid regular expression, but isn't: {compiled.words}")


def _subconditions(fld: v.FieldContext) -> Iterator[v.FieldContext]:
    """Yield the conditions, except the allowed ones that only declare a value as a number or a text."""
    in_condition = fld.up is not None and fld.step.startswith("[") and fld.up.step in (".anyOf", ".oneOf")
    if in_condition or not equal(fld.get("anyOf"), INT_OR_STRING):
        yield from fld.child("anyOf").items()
    yield from fld.child("allOf").items()
    yield from fld.child("oneOf").items()
    if fld.sets("not"):
        yield fld.child("not")


def _condition_faults(fld: v.FieldContext) -> v.FieldErrors:
    for name, words in _NOT_NESTED.items():
        if fld.has(name) and fld.get(name) is not False:
            yield fld.child(name).forbidden(words)
    yield from _conditions(fld)
    if fld.sets("items"):
        yield from _condition_faults(fld.child("items"))
    for field in fld.child("properties").entries():
        yield from _condition_faults(field)
    if fld.sets("properties", "metadata"):
        yield fld.child("properties").entry("metadata").forbidden("must not be specified in a nested context")


def _completeness(place: v.FieldContext, condition: v.FieldContext) -> v.FieldErrors:
    """Yield the fields in conditions that the schema at ``place`` does not declare itself."""
    lists = (item for name in ("allOf", "anyOf", "oneOf") for item in condition.child(name).items())
    for nested in (*lists, *((condition.child("not"),) if condition.sets("not") else ())):
        yield from _declaration_faults(place, nested)


def _declaration_faults(place: v.FieldContext, condition: v.FieldContext) -> v.FieldErrors:
    if not place.there:
        yield place.required(f"because it is defined in {condition}")
        return
    yield from _completeness(place, condition)
    if condition.sets("items"):
        yield from _declaration_faults(place.child("items"), condition.child("items"))
    for field in condition.child("properties").entries():
        yield from _declaration_faults(place.child("properties").entry(field.step[1:-1]), field)
