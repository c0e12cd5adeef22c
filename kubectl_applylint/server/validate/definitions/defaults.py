"""The defaults in the schemas of CustomResourceDefinitions, which must satisfy the schema of their place.

Mirrors ``pkg/apiserver/schema/defaulting/validation.go`` of the apiextensions server, except for rules in CEL.
"""

from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.custom.faults import NOWHERE
from kubectl_applylint.server.validate.custom.reading import flag, part, sub
from kubectl_applylint.server.validate.custom.schema import ValidatedValue, check
from kubectl_applylint.server.validate.definitions.parts import Parts, fields, inner, remarkable

_EMBEDDED: Final = "x-kubernetes-embedded-resource"
_OF_RESOURCES: Final = ("apiVersion", "kind", "metadata")
"""Fields that every object has, whatever its schema declares."""


def default_faults(fld: v.FieldContext, parts: Parts) -> v.FieldErrors:
    """Yield the faults of the defaults of a structural schema and of its inner schemas, its ``parts``."""
    return _faults(fld, remarkable(parts, _has_default), is_resource=True)


def _has_default(schema: JsonObject) -> bool:
    return schema.get("default") is not None


def _faults(
    fld: v.FieldContext, looked_at: frozenset[int], *, is_resource: bool, is_metadata: bool = False
) -> v.FieldErrors:
    """Yield the faults of the schema of an object (``is_resource``), of its metadata, or of another value."""
    if fld.sets("default"):
        yield from _default_fault(fld.child("default"), mapping(fld.value), is_metadata=is_metadata)
    metadata = str(fld.child("properties").entry("metadata")) if is_resource else ""
    for schema in (*inner(fld, "items", looked_at), *fields(fld, looked_at)):
        if isinstance(schema.value, dict):
            is_embedded = schema.flag(_EMBEDDED)
            yield from _faults(schema, looked_at, is_resource=is_embedded, is_metadata=str(schema) == metadata)


def _default_fault(fld: v.FieldContext, schema: JsonObject, *, is_metadata: bool) -> v.FieldErrors:
    if not is_metadata and _has_unknown(fld.value, schema):
        yield fld.invalid("must not have unknown fields")
    for refusal in check(ValidatedValue(fld.value, schema, minor=fld.occasion.minor)).refusals:
        inside = "" if refusal.field in ("", NOWHERE) else f".{refusal.field}"
        yield replace(refusal, field=f"{fld}{inside}")


def _has_unknown(value: Json, schema: JsonObject) -> bool:
    """Return whether a value has fields that the schema does not declare and that would be dropped."""
    if isinstance(value, list):
        return any(_has_unknown(item, sub(schema, "items")) for item in value)
    if not isinstance(value, dict) or flag(schema, "x-kubernetes-preserve-unknown-fields"):
        return False
    declared, free = sub(schema, "properties"), schema.get("additionalProperties") not in (None, False)
    known = _OF_RESOURCES if flag(schema, _EMBEDDED) else ()
    own = {name: item for name, item in value.items() if name not in known}
    if any(name not in declared and not free for name in own):
        return True
    return any(_has_unknown(item, part(schema, name)) for name, item in own.items())
