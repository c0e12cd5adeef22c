"""managedFields after a write that is not an apply, as the API server updates them.

Ownership is computed on the decoded and defaulted object, before the kind's strategy and the allocators change it.
"""

from functools import partial
from typing import Final

from kubectl_applylint.core.values import Json, JsonObject, items, mapping, reuse
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.fieldset import EMPTY, FieldSet, of_paths
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.merge.manager_compaction import compact
from kubectl_applylint.merge.server_side import Managers, MergeContext, update
from kubectl_applylint.merge.typed import DEDUCED, TypedError
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.server import status
from kubectl_applylint.server.encode import encode
from kubectl_applylint.server.kinds import behaviour_of
from kubectl_applylint.server.versions import convert, root_of

_STATUS: Final = of_paths([("f:status",)])


def context_of(kind: Kind | None, schema: Schema, api_version: str, subresource: str = "") -> MergeContext:
    """Return the properties of a kind that ownership depends on: its schemas, and the fields without owner.

    Without a known schema all types are deduced from the values. ``subresource`` is the one that is written.
    """
    if kind is None:
        return MergeContext(api_version, lambda version: DEDUCED if version == api_version else None)
    known = partial(root_of, kind, schema)
    reset = status.reset_fields(kind) if subresource else reset_fields(kind)
    return MergeContext(kind.api_version, known, reset, convert, outlives_schema=kind.custom, subresource=subresource)


def reset_fields(kind: Kind) -> FieldSet:
    """Return the fields that writers of the main resource never own (``GetResetFields`` of each strategy)."""
    own = None if kind.custom else behaviour_of(kind).resets
    if own is not None:
        return of_paths(own)
    return _STATUS if "status" in kind.subresources else EMPTY


def blank(kind: Kind) -> JsonObject:
    """Return the object of a kind with only the fields that are always written.

    Not cached, because kinds of two versions of Kubernetes may be equal and write different fields.
    """
    identity = {"apiVersion": kind.api_version, "kind": kind.name}
    return identity if kind.custom else encode(identity, kind)


def after_write(
    new: JsonObject,
    live: JsonObject | None,
    empty: JsonObject,
    manager: str,
    *,
    context: MergeContext,
    codec: ManagedFieldsCodec,
) -> Managers:
    """Return the managers after a write that is not an apply.

    ``empty`` is the object of the kind without set fields, with which a new object is compared. An object whose
    managers were cleared stays without any, as does one whose managers the server cannot convert any more.
    """
    managers = {} if _is_reset(new) else codec.read(new) or codec.read(live or {})
    if live is not None and not managers:
        return managers
    before = empty if live is None else without_managed_fields(live)
    try:
        return compact(update(before, without_managed_fields(new), managers, manager, context))
    except (MergeError, TypedError):
        return {}


def _is_reset(new: JsonObject) -> bool:
    """Return whether a write explicitly removes all managers."""
    return mapping(new.get("metadata")).get("managedFields") in ([], [{}])


def without_managed_fields(stored: JsonObject) -> JsonObject:
    """Return an object without its managedFields."""
    if "managedFields" not in mapping(stored.get("metadata")):
        return stored
    metadata = {key: value for key, value in stored["metadata"].items() if key != "managedFields"}
    return {**stored, "metadata": metadata}


def with_managers(stored: JsonObject, managers: Managers, codec: ManagedFieldsCodec) -> JsonObject:
    """Return an object with the managedFields of its managers, or without the field if there are none."""
    bare = without_managed_fields(stored)
    if not managers:
        return bare
    return {**bare, "metadata": {**mapping(bare.get("metadata")), "managedFields": codec.entries(managers)}}


def to_store(owned: JsonObject, live: JsonObject | None) -> JsonObject:
    """Return the object to store: ``live`` itself if at most the times of managers differ.

    Unchanged parts are shared with ``live``.
    """
    if live is None:
        return owned
    before = without_managed_fields(live)
    stored: JsonObject = reuse(before, without_managed_fields(owned))
    managers, earlier = _managers(owned), _managers(live)
    if stored is before and _without_time(managers) == _without_time(earlier):
        return live
    if not managers:
        return stored
    return {**stored, "metadata": {**mapping(stored.get("metadata")), "managedFields": managers}}


def _managers(stored: JsonObject) -> list[Json]:
    return items(mapping(stored.get("metadata")).get("managedFields"))


def _without_time(managers: list[Json]) -> list[JsonObject]:
    return [{name: value for name, value in mapping(entry).items() if name != "time"} for entry in managers]
