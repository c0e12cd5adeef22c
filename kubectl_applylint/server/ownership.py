"""Who owns which field after a write: managedFields, kept as the API server keeps them.

Ownership is settled on the decoded and defaulted object, before the kind's strategy and the allocators touch it.
"""

from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, of_paths
from kubectl_applylint.merge.managed_fields import entries, read
from kubectl_applylint.merge.server_side import Context, Managers, update
from kubectl_applylint.merge.typed import TypedError
from kubectl_applylint.schema.types import Kind, Node, Schema
from kubectl_applylint.values import JsonObject, mapping


def context_of(kind: Kind, schema: Schema) -> Context:
    """Return what ownership needs to know of a kind: its schema by version, and the fields that nobody owns."""

    def root_of(api_version: str) -> Node | None:
        found = schema.kind(api_version, kind.name)
        return found.root if found else None

    return Context(kind.api_version, root_of, reset_fields(kind))


def reset_fields(kind: Kind) -> FieldSet:
    """Return the fields that writers of the main resource never own (``GetResetFields`` of each strategy)."""
    if kind.name == "CertificateSigningRequest":
        return of_paths([("f:spec",), ("f:status",)])
    return of_paths([("f:status",)]) if "status" in kind.subresources else EMPTY


def after_write(
    new: JsonObject, live: JsonObject | None, blank: JsonObject, *, manager: str, context: Context
) -> Managers:
    """Return the managers after a write that is no apply.

    ``blank`` is the object of the kind in which nothing is set: what a new object is compared with. An object whose
    managers were cleared stays without any, and one with a list element that cannot be identified loses them.
    """
    managers = read(live or {})
    if live is not None and not managers:
        return managers
    before = blank if live is None else without_managed_fields(live)
    try:
        return update(before, without_managed_fields(new), managers, manager, context)
    except TypedError:
        return {}


def without_managed_fields(stored: JsonObject) -> JsonObject:
    """Return an object without its managedFields."""
    if "managedFields" not in mapping(stored.get("metadata")):
        return stored
    metadata = {key: value for key, value in stored["metadata"].items() if key != "managedFields"}
    return {**stored, "metadata": metadata}


def with_managers(stored: JsonObject, managers: Managers) -> JsonObject:
    """Return an object with the managedFields of its managers, without any if there are none."""
    bare = without_managed_fields(stored)
    if not managers:
        return bare
    return {**bare, "metadata": {**mapping(bare.get("metadata")), "managedFields": entries(managers)}}
