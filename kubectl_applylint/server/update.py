"""The update strategy: fields that a create or an update cannot set, keeps from the stored object, or gets at creation.

Mirrors ``BeforeCreate`` and ``BeforeUpdate`` of apiserver's pkg/registry/rest and ``PrepareForCreate`` and
``PrepareForUpdate`` of each kind's strategy in pkg/registry.
"""

from typing import Final

from kubectl_applylint.core.values import MISSING, JsonObject, mapping
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server import gates
from kubectl_applylint.server.defaults import minor_of
from kubectl_applylint.server.generation import with_generation
from kubectl_applylint.server.kinds import behaviour_of
from kubectl_applylint.server.manifests import in_metadata, with_fields

_SYSTEM: Final = ("selfLink", "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds")


def prepare(new: JsonObject, old: JsonObject | None, kind: Kind, version: str) -> JsonObject:
    """Return the object to store for ``new``, an object with its defaults; ``old`` is the stored object, if any.

    Both are in the version of the request. Validation checks the result, so a value that is dropped here is never
    rejected, and a value that cannot change may be rejected later.
    """
    result = new
    if not kind.custom:
        result = gates.without_disabled(new, old, minor_of(version), kind.root.struct)
    result = _with_status(with_metadata(result, old), old, kind)
    result = behaviour_of(kind).prepare(result, old, minor_of(version))
    return with_generation(result, old, kind, minor_of(version))


def as_read(stored: JsonObject, kind: Kind) -> JsonObject:
    """Return a stored object as clients read it."""
    return behaviour_of(kind).read(stored)


def with_metadata(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """Return the object with the metadata that only the server sets: none at creation, the stored ones later."""
    if old is None:
        return in_metadata(new, dict.fromkeys((*_SYSTEM, "resourceVersion", "managedFields"), MISSING))
    before, after = mapping(old.get("metadata")), mapping(new.get("metadata"))
    kept = {field: before.get(field, MISSING) for field in ("creationTimestamp", "resourceVersion", "managedFields")}
    kept |= {field: before[field] for field in ("deletionTimestamp",) if before.get(field)}
    kept |= {f: before[f] for f in ("uid", "deletionGracePeriodSeconds") if f in before and not after.get(f)}
    return in_metadata(new, kept)


def _with_status(new: JsonObject, old: JsonObject | None, kind: Kind) -> JsonObject:
    """Return the object with the stored status, if the kind has a status that only controllers write."""
    if "status" not in kind.subresources:
        return new
    return new if old is None and kind.name == "Node" else with_stored_status(new, old)


def with_stored_status(new: JsonObject, old: JsonObject | None) -> JsonObject:
    """Return the object with the stored status, none at creation."""
    return with_fields(new, {"status": MISSING if old is None else old.get("status", MISSING)})
