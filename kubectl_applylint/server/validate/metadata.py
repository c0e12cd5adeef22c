"""The metadata of every kind: names, labels, annotations, owners, finalizers.

Mirrors apimachinery's ``pkg/api/validation/objectmeta.go``, the additions of ``pkg/apis/core/validation``, and the
common checks of the API server's ``BeforeCreate`` and ``BeforeUpdate``.
"""

from typing import Final

from kubectl_applylint.core.values import Json, items
from kubectl_applylint.server.validate.constraints import (
    at_least,
    on_create,
    ratchet,
    required,
    unchangeable,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import Constraint, FieldContext, FieldErrors, Table, always
from kubectl_applylint.server.validate.formats import (
    Format,
    label_value,
    path_segment,
    qualified_name,
    without_dashes_at_the_end,
)

ANNOTATIONS_LIMIT: Final = 262144
"""The maximum number of bytes of the keys and values of all annotations together."""
_ORPHAN: Final = "orphan"
_FOREGROUND: Final = "foregroundDeletion"
_STANDARD_FINALIZERS: Final = ("kubernetes", _ORPHAN, _FOREGROUND)


def well_formed_labels(fld: FieldContext) -> FieldErrors:
    """Require qualified names as keys and label values as values; errors have the path of the whole map."""
    labels = fld.value if isinstance(fld.value, dict) else {}
    for key, value in sorted(labels.items()):
        yield from (fld.invalid(fault, key) for fault in qualified_name(key))
        yield from (fld.invalid(fault, value) for fault in (label_value(value) if isinstance(value, str) else ()))


def well_formed_annotations(fld: FieldContext) -> FieldErrors:
    """Require qualified names in any case as keys, and limit the total size."""
    annotations = fld.value if isinstance(fld.value, dict) else {}
    for key in sorted(annotations):
        yield from (fld.invalid(fault, key) for fault in qualified_name(key.lower()))
    if sum(_bytes(key) + _bytes(value) for key, value in annotations.items()) > ANNOTATIONS_LIMIT:
        yield fld.too_long(ANNOTATIONS_LIMIT)


def _bytes(text: Json) -> int:
    return len(text.encode()) if isinstance(text, str) else 0


def _well_formed_owners(fld: FieldContext) -> FieldErrors:
    """Require complete owner references and at most one controller; error paths do not have the index."""
    for owner in fld.items():
        for name, words in _OWNER_PARTS:
            if not owner.get(name) or not isinstance(owner.get(name), str):
                yield fld.child(name).invalid(words, "")
        if owner.get("apiVersion") == "v1" and owner.get("kind") == "Event":
            yield fld.invalid("/v1, Kind=Event is disallowed from being an owner", owner.value)
    controllers = [owner for owner in fld.items() if owner.get("controller") is True]
    for other in controllers[1:]:
        yield fld.invalid(_two_controllers_message(controllers[0], other))


_OWNER_PARTS: Final = (
    ("apiVersion", "version must not be empty"),
    ("kind", "must not be empty"),
    ("name", "must not be empty"),
    ("uid", "must not be empty"),
)


def _two_controllers_message(first: FieldContext, other: FieldContext) -> str:
    """Return the server's message about two controller references."""
    names = " and ".join(f"{owner.get('kind')}/{owner.get('name')}" for owner in (first, other))
    return f'Only one reference can have Controller set to true. Found "true" in references for {names}'


def _well_formed_finalizers(fld: FieldContext) -> FieldErrors:
    finalizers = [item.value for item in fld.items() if isinstance(item.value, str)]
    for finalizer in finalizers:
        yield from (fld.invalid(fault, finalizer) for fault in qualified_name(finalizer))
    if _ORPHAN in finalizers and _FOREGROUND in finalizers:
        yield fld.invalid(f"finalizer {_ORPHAN} and {_FOREGROUND} cannot be both set")


def standard_or_qualified(fld: FieldContext) -> FieldErrors:
    """Require a known name for a finalizer without a domain."""
    text = fld.value
    if not isinstance(text, str) or "/" in text or text in _STANDARD_FINALIZERS:
        return ()
    return (fld.invalid("name is neither a standard finalizer name nor is it fully qualified"),)


def _none_added_while_deleted(fld: FieldContext) -> FieldErrors:
    """Forbid new finalizers on an object that is being deleted."""
    if fld.creating or fld.up is None or not isinstance(fld.up.old, dict):
        return
    old = items(fld.old)
    added = sorted({item for item in fld.value if item not in old} if isinstance(fld.value, list) else ())
    if added and fld.up.old.get("deletionTimestamp"):
        names = ", ".join(f'"{name}"' for name in added)
        said = (
            f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{names}}}"
        )
        yield fld.forbidden(said)


def _well_formed_managers(fld: FieldContext) -> FieldErrors:
    for entry in fld.items():
        if entry.get("operation") not in ("Apply", "Update"):
            yield entry.child("operation").invalid("must be `Apply` or `Update`")
        if entry.has("fieldsType") and entry.get("fieldsType") != "FieldsV1":
            yield entry.child("fieldsType").invalid("must be `FieldsV1`")


@always
def _unchangeable_name(fld: FieldContext) -> FieldErrors:
    """Reject a changed name. An absent name is taken from the URL."""
    return unchangeable(fld) if fld.there else ()


def table(name: Format) -> Table:
    """Return the constraints of the metadata of a kind whose names have the form ``name``."""
    return {
        "name": [required("name or generateName is required"), on_create(well_formed(name)), _fit_for_urls(name)],
        "generateName": [on_create(well_formed(without_dashes_at_the_end(name)))],
        "namespace": [_unchangeable_name],
        "uid": [_unchangeable_name],
        "generation": [at_least(0)],
        "labels": [well_formed_labels],
        "annotations": [well_formed_annotations],
        "ownerReferences": [_well_formed_owners],
        "finalizers": [_well_formed_finalizers, _none_added_while_deleted],
        "managedFields": [ratchet(_well_formed_managers)],
    }


STANDARD_FINALIZERS: Final[Table] = {"finalizers[*]": [standard_or_qualified]}
"""The constraints of finalizers of built-in kinds, except those of admissionregistration and apiextensions."""


def _fit_for_urls(name: Format) -> Constraint:
    """Require a name that is a path segment; checked on create, and only if there are no other faults."""

    def check(fld: FieldContext) -> FieldErrors:
        text = fld.value
        if not isinstance(text, str) or (fld.creating and name(text)):
            return ()
        return [fld.invalid(fault) for fault in path_segment(text)]

    return check
