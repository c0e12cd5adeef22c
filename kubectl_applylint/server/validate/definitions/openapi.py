"""The schemas of CustomResourceDefinitions: what OpenAPI allows and Kubernetes does not, lists, maps and rules.

Mirrors ``ValidateCustomResourceDefinitionOpenAPISchema`` of the apiextensions server, except for what only a CEL
compiler finds.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, equal, mapping, texts_at
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.cel_names import undeclared_names_message
from kubectl_applylint.server.validate.custom.reading import flag, sub, text
from kubectl_applylint.server.validate.definitions.parts import (
    INT_OR_STRING,
    Parts,
    fields,
    inner,
    parts_of,
    remarkable,
)
from kubectl_applylint.server.validate.definitions.paths import follow

_WHOLE: Final = ".openAPIV3Schema"
_TYPES: Final = ("array", "boolean", "integer", "number", "object", "string")
_REASONS: Final = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")
_NOT_SUPPORTED: Final = ("id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref")
_REMARKABLE: Final = frozenset(
    (
        *_NOT_SUPPORTED,
        *("allOf", "oneOf", "not"),
        "uniqueItems",
        "x-kubernetes-list-map-keys",
        "x-kubernetes-validations",
    )
)
"""The fields that must be examined in every schema."""
_OF_OBJECTS: Final = ("metadata", "kind", "apiVersion")
_LINE_BREAK: Final = regex(r"[\n\r]")
_LIST_TYPES: Final = ("atomic", "set", "map")
_MAP_TYPES: Final = ("atomic", "granular")
_TOP_LEVEL_ALLOWED: Final = frozenset(
    (
        *("description", "type", "format", "title", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"),
        *("maxLength", "minLength", "pattern", "maxItems", "minItems", "uniqueItems", "multipleOf", "required"),
        *("items", "properties", "externalDocs", "example", "x-kubernetes-preserve-unknown-fields"),
        "x-kubernetes-validations",
    )
)
"""The fields that the schema of a whole object may have if the status is a subresource."""


def openapi_faults(fld: v.FieldContext, parts: Parts) -> v.FieldErrors:
    """Yield the faults of a schema and its inner schemas, its ``parts``."""
    looked_at = remarkable(parts, _is_remarkable)
    declared = sub(mapping(fld.value), "properties") if fld.step == _WHOLE else {}
    of_objects = (parts_of(declared[name]) for name in _OF_OBJECTS if name in declared)
    without_defaults = (remarkable(each, _may_have_no_default) for each in of_objects)
    return _faults(fld, "", looked_at.union(*without_defaults))


def _may_have_no_default(schema: JsonObject) -> bool:
    return "default" in schema or _is_remarkable(schema)


def _is_remarkable(schema: JsonObject) -> bool:
    """Return whether a schema's own fields may have faults, in a place where a default is allowed."""
    kind = schema.get("type")
    return (
        not _REMARKABLE.isdisjoint(schema)
        or (kind is not None and kind not in _TYPES)
        or isinstance(schema.get("items"), list)
        or ("anyOf" in schema and not equal(schema["anyOf"], INT_OR_STRING))
        or ("additionalProperties" in schema and "properties" in schema)
        or schema.get("x-kubernetes-preserve-unknown-fields") is False
        or ("x-kubernetes-map-type" in schema and not _is_good_map(schema))
        or ("x-kubernetes-list-type" in schema and not _is_atomic_list(schema))
    )


def _is_good_map(schema: JsonObject) -> bool:
    return schema.get("type") == "object" and schema["x-kubernetes-map-type"] in _MAP_TYPES


def _is_atomic_list(schema: JsonObject) -> bool:
    return schema.get("type") == "array" and schema["x-kubernetes-list-type"] == "atomic"


def _faults(fld: v.FieldContext, no_defaults: str, looked_at: frozenset[int]) -> v.FieldErrors:
    """Yield the faults of a schema and its inner schemas; ``no_defaults`` is why none may have a default."""
    yield from _standard(fld)
    if no_defaults and fld.sets("default"):
        yield fld.child("default").forbidden(f"must not be set {no_defaults}")
    if fld.flag("uniqueItems"):
        words = "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"
        yield fld.child("uniqueItems").forbidden(words)
    if fld.sets("additionalProperties") and fld.has("properties") and fld.get("additionalProperties") is not True:
        words = "additionalProperties and properties are mutual exclusive"
        yield fld.child("additionalProperties").forbidden(words)
    if fld.get("x-kubernetes-preserve-unknown-fields") is False:
        yield fld.child("x-kubernetes-preserve-unknown-fields").invalid("must be true or undefined")
    yield from _map_type(fld)
    yield from _list_type(fld)
    for rule in fld.child("x-kubernetes-validations").items():
        yield from _rule(rule, mapping(fld.value))
    for part, why in _inner_schemas(fld, no_defaults, looked_at):
        yield from _faults(part, why, looked_at)


def _inner_schemas(
    fld: v.FieldContext, no_defaults: str, looked_at: frozenset[int]
) -> Iterator[tuple[v.FieldContext, str]]:
    """Yield the inner schemas that need checks, each with the reason why it may have no default."""
    whole = fld.step == _WHOLE
    for field in fields(fld, looked_at):
        name = field.step[1:-1]
        yield field, no_defaults or (f"in top-level {name}" if whole and name in _OF_OBJECTS else "")
    for name in ("not", "items", "additionalProperties"):
        yield from ((part, no_defaults) for part in inner(fld, name, looked_at))
    for name in ("allOf", "oneOf", "anyOf"):
        yield from ((item, no_defaults) for item in fld.child(name).items())


def _standard(fld: v.FieldContext) -> v.FieldErrors:
    """Yield the fields that Kubernetes does not support."""
    kind = fld.text("type")
    if kind and kind not in _TYPES:
        yield fld.child("type").not_supported(_TYPES)
    if kind == "null":
        yield fld.child("type").forbidden("type cannot be set to null, use nullable as an alternative")
    for name in _NOT_SUPPORTED:
        if fld.has(name):
            yield fld.child(name).forbidden(f"{name} is not supported")
    if isinstance(fld.get("items"), list):
        yield fld.child("items").forbidden("items must be a schema object and not an array")


def _map_type(fld: v.FieldContext) -> v.FieldErrors:
    if not fld.sets("x-kubernetes-map-type"):
        return
    yield from _require_type(fld, "object", "x-kubernetes-map-type")
    if fld.text("x-kubernetes-map-type") not in _MAP_TYPES:
        yield fld.child("x-kubernetes-map-type").not_supported(_MAP_TYPES)


def _require_type(fld: v.FieldContext, kind: str, name: str) -> v.FieldErrors:
    """Yield the error for a schema that is not of the type that an extension needs."""
    if fld.text("type") != kind:
        words = f"must be {kind} if {name} is specified"
        place = fld.child("type")
        yield place.invalid(words) if fld.text("type") else place.required(words)


def _list_type(fld: v.FieldContext) -> v.FieldErrors:
    """Require atomic elements for sets, and objects with the keys for keyed lists."""
    kind, place = fld.get("x-kubernetes-list-type"), fld.child("x-kubernetes-list-type")
    if isinstance(kind, str):
        yield from _require_type(fld, "array", "x-kubernetes-list-type")
        if kind not in _LIST_TYPES:
            yield place.not_supported(_LIST_TYPES)
    if fld.has("x-kubernetes-list-map-keys") and kind != "map":
        words = "must be map if x-kubernetes-list-map-keys is non-empty"
        yield place.invalid(words) if isinstance(kind, str) else place.required(words)
    if kind == "map":
        yield from _keyed_list(fld)
    if kind == "set" and fld.text("type") == "array":
        yield from _set(fld)
    if kind in ("set", "map") and fld.flag("items", "nullable"):
        yield fld.at("items", "nullable").forbidden(f"cannot be nullable when x-kubernetes-list-type is {kind}")


def _set(fld: v.FieldContext) -> v.FieldErrors:
    items, words = fld.child("items"), "must be atomic as item of a list with x-kubernetes-list-type=set"
    if items.text("type") == "array" and items.get("x-kubernetes-list-type") in ("set", "map"):
        yield items.child("x-kubernetes-list-type").invalid(words)
    if items.text("type") == "object" and items.get("x-kubernetes-map-type") != "atomic":
        yield items.child("x-kubernetes-map-type").invalid(words)


def _keyed_list(fld: v.FieldContext) -> v.FieldErrors:
    keys, items = texts_at(fld.value, "x-kubernetes-list-map-keys"), fld.child("items")
    place = fld.child("x-kubernetes-list-map-keys")
    if not keys:
        yield place.required("must not be empty if x-kubernetes-list-type is map")
    if not items.there:
        yield items.required("must have a schema if x-kubernetes-list-type is map")
    elif items.text("type") != "object":
        words = "must be object if parent array's x-kubernetes-list-type is map"
        yield items.child("type").invalid(words, items.text("type"))
    else:
        for number, key in enumerate(keys):
            yield from _key(items, key, place)
            if key in keys[:number]:
                yield place.invalid("must not contain duplicate entries")


def _key(items: v.FieldContext, key: str, place: v.FieldContext) -> v.FieldErrors:
    """Require that a key of a list is a required field of its elements, or has a default."""
    declared = sub(mapping(items.value), "properties")
    field = items.child("properties").entry(key)
    if key not in declared:
        yield place.invalid("entries must all be names of item properties")
        return
    if field.text("type") in ("array", "object"):
        words = "must be a scalar type if parent array's x-kubernetes-list-type is map"
        yield field.child("type").invalid(words, items.text("type"))
    required = items.child("required")
    may_be_required = key in texts_at(items.value, "required") or not all(
        v.is_known(one.value) for one in required.items()
    )
    if not may_be_required and not field.sets("default"):
        words = "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property"
        yield field.child("default").required(words)
    if field.flag("nullable"):
        words = "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"
        yield field.child("nullable").forbidden(words)


_STRUCT: Final = {
    "rule": "",
    "message": "",
    "messageExpression": "",
    "reason": None,
    "fieldPath": "",
    "optionalOldSelf": None,
}
"""The fields of a rule in the order of Go's struct, with their zero values."""
_EXPRESSIONS: Final = {"rule": "compilation failed", "messageExpression": "messageExpression compilation failed"}


def _shown(rule: JsonObject) -> str:
    """Return a rule as the server shows it, which is Go's struct."""
    fields = (f'"{name[0].upper()}{name[1:]}":{gotext.encode(rule.get(name, zero))}' for name, zero in _STRUCT.items())
    return "{" + ",".join(fields) + "}"


def _rule(fld: v.FieldContext, schema: JsonObject) -> v.FieldErrors:
    """Yield the faults of the texts around the expression of a rule of ``schema``."""
    rule, message = fld.text("rule").strip(), fld.text("message").strip()
    if not rule:
        yield fld.child("rule").required("rule is not specified")
    elif fld.text("message") and not message:
        yield fld.child("message").invalid("must be non-empty if specified")
    elif _LINE_BREAK.search(message):
        yield fld.child("message").invalid("must not contain line breaks")
    elif _LINE_BREAK.search(rule) and not message:
        yield fld.child("message").required("message must be specified if rule contains line breaks")
    if fld.text("messageExpression") and not fld.text("messageExpression").strip():
        yield fld.child("messageExpression").required("messageExpression must be non-empty if specified")
    for name, words in _EXPRESSIONS.items():
        fault = undeclared_names_message(fld.text(name), ("oldSelf", "self"))
        if fault:
            message = f"Invalid value: {_shown(mapping(fld.value))}: {words}: {fault}"
            yield v.FieldError(str(fld.child(name)), "FieldValueInvalid", message)
    if fld.sets("reason") and fld.text("reason") not in _REASONS:
        yield fld.child("reason").not_supported(_REASONS)
    yield from _field_path(fld.child("fieldPath"), schema) if fld.text("fieldPath") else ()


def _field_path(fld: v.FieldContext, schema: JsonObject) -> v.FieldErrors:
    if not fld.text().strip():
        yield fld.invalid("must be non-empty if specified")
    if _LINE_BREAK.search(fld.text()):
        yield fld.invalid("must not contain line breaks")
    if isinstance(follow(schema, fld.text()), str):
        yield fld.invalid("must be a valid path")


def root_faults(fld: v.FieldContext, *, has_status: bool) -> v.FieldErrors:
    """Yield the forbidden fields of the schema of a whole object, above all if its status is a subresource."""
    schema = mapping(fld.value)
    if flag(schema, "nullable"):
        yield fld.with_step(".openAPIV3Schema.nullable").forbidden("nullable cannot be true at the root")
    if not has_status:
        return
    if text(schema, "type") not in ("", "object"):
        words = 'only "object" is allowed as the type at the root of the schema if the status subresource is enabled'
        yield fld.with_step(".openAPIV3Schema.type").invalid(words, text(schema, "type"))
    elif {name for name, value in schema.items() if value not in (None, False)} - _TOP_LEVEL_ALLOWED:
        words = "fields are allowed at the root of the schema if the status subresource is enabled"
        yield fld.invalid(f"only {sorted(_TOP_LEVEL_ALLOWED)} {words}")
