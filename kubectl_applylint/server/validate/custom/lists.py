"""Sets and keyed lists of custom resources, whose elements must be distinct.

Mirrors ``ValidateListSetsAndMaps`` of the apiextensions server.
"""

from collections.abc import Sequence

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, equal, items, mapping, texts_at
from kubectl_applylint.server.validate.custom.reading import part, sub
from kubectl_applylint.server.validate.field_context import FieldContext, FieldErrors


def duplicate_faults(fld: FieldContext, schema: JsonObject) -> FieldErrors:
    """Yield the errors for duplicate elements in the lists of a value."""
    if isinstance(fld.value, dict):
        yield from _object_faults(fld, schema)
    elif isinstance(fld.value, list):
        yield from _list_faults(fld, schema)


def _object_faults(fld: FieldContext, schema: JsonObject) -> FieldErrors:
    """Yield the errors for duplicates in the fields of an object."""
    declared = sub(schema, "properties")
    for name in mapping(fld.value):
        if inner := part(schema, name):
            yield from duplicate_faults(fld.child(name) if name in declared else fld.entry(name), inner)


def _list_faults(fld: FieldContext, schema: JsonObject) -> FieldErrors:
    """Yield the errors for duplicates in a list and inside its elements."""
    match schema.get("x-kubernetes-list-type"):
        case "set":
            yield from _duplicates(fld, items(fld.value))
        case "map":
            yield from _keyed_list_faults(fld, texts_at(schema, "x-kubernetes-list-map-keys"))
    if inner := sub(schema, "items"):
        for item in fld.items():
            yield from duplicate_faults(item, inner)


def _keyed_list_faults(fld: FieldContext, keys: Sequence[str]) -> FieldErrors:
    """Yield the errors for elements of a keyed list with the same keys."""
    bad = [item for item in fld.items() if item.value is not None and not isinstance(item.value, dict)]
    if bad:
        yield bad[0].invalid("must be an object for an array of list-type map")
        return
    yield from _duplicates(
        fld, [{key: item[key] for key in keys if key in item} for item in map(mapping, items(fld.value))]
    )


def _duplicates(fld: FieldContext, identities: Sequence[Json]) -> FieldErrors:
    """Yield an error for the first repetition of each element; unknown values differ from all others."""
    for place, identity in enumerate(identities):
        earlier = sum(equal(identity, other) for other in identities[:place])
        if earlier == 1 and not _has_unknown(identity):
            yield FieldContext(identity, step=f"[{place}]", up=fld).duplicate()


def _has_unknown(identity: Json) -> bool:
    """Return whether an identity contains an unknown value."""
    values = identity.values() if isinstance(identity, dict) else [identity]
    return any(isinstance(value, Unknown) for value in values)
