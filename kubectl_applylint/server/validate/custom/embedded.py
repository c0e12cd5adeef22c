"""Objects inside custom resources (``x-kubernetes-embedded-resource``), which must have a type and metadata.

Mirrors ``pkg/apiserver/schema/objectmeta`` of the apiextensions server.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.validate import metadata
from kubectl_applylint.server.validate.custom.reading import flag, part, sub
from kubectl_applylint.server.validate.field_context import FieldContext, FieldErrors
from kubectl_applylint.server.validate.formats import path_segment
from kubectl_applylint.server.validate.names import kind_name
from kubectl_applylint.server.validate.walk import inside

_metadata: Final = inside(metadata.table(path_segment))


def embedded_faults(fld: FieldContext, schema: JsonObject) -> FieldErrors:
    """Yield the faults in the types and the metadata of the objects inside a value."""
    if isinstance(fld.value, dict):
        if flag(schema, "x-kubernetes-embedded-resource"):
            yield from _object(fld)
        declared = sub(schema, "properties")
        for name in fld.value:
            inner = fld.child(name) if name in declared else fld.entry(name)
            yield from embedded_faults(inner, part(schema, name))
    elif isinstance(fld.value, list):
        for item in fld.items():
            yield from embedded_faults(item, sub(schema, "items"))


def _object(fld: FieldContext) -> FieldErrors:
    for name, faults in (("apiVersion", _version_faults), ("kind", _kind_faults)):
        place = fld.child(name)
        if name not in mapping(fld.value):
            yield place.required()
        elif isinstance(place.value, str):
            yield from (place.invalid(fault) for fault in faults(place.value))
    if fld.sets("metadata"):
        given = fld.child("metadata")
        # A name may be absent, although the table requires one.
        yield from _metadata(given if given.text("name") else given.with_value({**mapping(given.value), "name": "a"}))


def _version_faults(text: str) -> Iterable[str]:
    if not text:
        return ["must not be empty"]
    return [f"unexpected GroupVersion string: {text}"] if text.count("/") > 1 else []


def _kind_faults(text: str) -> Iterable[str]:
    if not text:
        return ["must not be empty"]
    return kind_name(text)
