"""Custom resources: validation, pruning and defaults by the schema of their definition.

Mirrors ``apiextensions-apiserver``: the structural schema determines the fields that exist, the nulls that are dropped
and the defaults; metadata, also those of embedded objects, are decoded as in any other kind.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items
from kubectl_applylint.schema import crd
from kubectl_applylint.schema.lookup import descend
from kubectl_applylint.schema.served import Standing, standing_in
from kubectl_applylint.schema.types import Gvk, Kind, Node, Schema, Shape
from kubectl_applylint.server.decode import decode_struct
from kubectl_applylint.server.decode_scalars import DecodeMode, UnfitError
from kubectl_applylint.server.encode import encode_struct
from kubectl_applylint.server.faults import Faults, bad_patch, bad_request, explain, strict_error

_METADATA: Final = "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"
"""The type of the metadata of whole and of embedded objects, whatever the definition declares for them."""
_NOTHING: Final = Node(Shape.ANY)
"""A schema that declares no field."""
_ANYTHING: Final = Node(Shape.ANY, preserve_unknown=True)
_KeepsNull: TypeAlias = Callable[[Node | None], bool]
"""Returns whether a null is kept at a place with this schema."""


def decode(value: JsonObject, kind: Kind, *, creating: bool, applied: bool = False) -> JsonObject:
    """Return a custom resource as the server reads it, without defaults; raise ``DecodeError`` if it is invalid.

    An object that is ``applied`` server-side keeps its nulls, because the server does not decode it again after the
    merge.
    """
    try:
        decoded: JsonObject = _read(value, kind.root, "", (lambda node: True) if applied else _keeps_null)
        unknown = sorted(_unknown_fields(value, kind.root, ""))
        message = strict_error([f'unknown field "{path}"' for path in unknown])
    except UnfitError as unfit:
        unknown, message = [""], unfit.message
    if unknown:
        raise bad_request(kind, message) if creating else bad_patch(message)
    return decoded


def apply_defaults(obj: JsonObject, kind: Kind) -> JsonObject:
    """Return the object with the defaults of its schema for absent fields, and for nulls that are not allowed."""
    filled: JsonObject = _fill(obj, kind.root)
    return filled


def through_storage(obj: JsonObject, kind: Kind) -> JsonObject:
    """Return the object that a client reads back in the version that it wrote.

    If objects are stored in another version, fields that this one does not have are lost and its defaults are added.
    Only the conversion that changes nothing but the version is predicted; the effect of a conversion webhook is
    unknown.
    """
    storage = _storage_kind(kind)
    if storage is None:
        return obj
    stored = _fill(prune(obj, storage.root, kind.root), storage.root)
    read: JsonObject = prune(stored, kind.root, storage.root)
    return read


def convert(stored: JsonObject, gvk: Gvk, schema: Schema) -> JsonObject | None:
    """Return a custom resource as a server returns it in another version of its kind, ``None`` for built-in kinds.

    If a webhook converts the objects, or the definition is not known, only the version is assumed to change.
    """
    kind, moved = schema.kind(*gvk), {**stored, "apiVersion": gvk[0]}
    if kind is None:
        return moved if standing_in(schema, gvk) is Standing.UNKNOWN else None
    if not kind.custom:
        return None
    earlier = schema.kind(str(stored.get("apiVersion")), gvk[1])
    read: JsonObject = prune(moved, kind.root, earlier.root if earlier else _NOTHING)
    return apply_defaults(read, kind) if _storage_kind(kind) is None else through_storage(read, kind)


def _storage_kind(kind: Kind) -> Kind | None:
    """Return the kind in the version of storage; ``None`` if it is the same kind or unknown."""
    versions = dig(kind.definition, "spec", "versions")
    stored = [version for version in items(versions) if dig(version, "storage") is True]
    if len(stored) != 1 or dig(stored[0], "name") == kind.api_version.rpartition("/")[2]:
        return None
    spec = {**kind.definition["spec"], "versions": [{**stored[0], "served": True}]}
    kinds = crd.kinds_of({**kind.definition, "spec": spec}, metadata=kind.root.fields["metadata"])
    return next(iter(kinds.values()), None)


def _unknown_fields(value: Json, node: Node, path: str) -> Iterator[str]:
    """Yield the paths of fields that the schema neither declares nor preserves."""
    if node.struct == _METADATA:
        yield from _metadata_faults(value, node, path).unknown
    elif isinstance(value, dict):
        for name, item in value.items():
            inner = f"{path}.{name}" if path else name
            child = descend(node, name)
            if child is not None:
                yield from _unknown_fields(item, child, inner)
            elif not node.preserve_unknown:
                yield inner
    elif isinstance(value, list):
        item_node = _item(node)
        for position, item in enumerate(value):
            yield from _unknown_fields(item, item_node, f"{path}[{position}]")


def _item(node: Node) -> Node:
    """Return the schema of a list's elements; a list that preserves unknown fields does so in its elements as well."""
    if not node.preserve_unknown:
        return node.item or _NOTHING
    return replace(node.item, preserve_unknown=True) if node.item is not None else _ANYTHING


def prune(value: Json, node: Node, converted: Node = _NOTHING) -> Json:
    """Return a value without the fields that its schema neither declares nor preserves.

    ``converted`` is the schema of the version that the value is converted from. If other versions of the definition
    may declare more fields than ``node``, only those are lost that ``converted`` declares.
    """
    if node.struct == _METADATA:
        return value
    if isinstance(value, dict):
        known = ((name, item, descend(node, name), descend(converted, name)) for name, item in value.items())
        return {
            name: item if child is None else prune(item, child, earlier or _NOTHING)
            for name, item, child, earlier in known
            if child is not None or _keeps_unknown(node, earlier)
        }
    if isinstance(value, list):
        item_node, earlier_item = _item(node), converted.item or _NOTHING
        return [prune(item, item_node, earlier_item) for item in value]
    return value


def _keeps_unknown(node: Node, earlier: Node | None) -> bool:
    """Return whether an object keeps a field that it does not declare; ``earlier`` is the field before conversion."""
    return node.preserve_unknown and (earlier is None or crd.OPENED not in node.source)


def _read(value: Json, node: Node, path: str, keeps: _KeepsNull) -> Json:
    """Return the value without nulls that are not kept; nulls of fields with a default stay until defaulting."""
    if node.struct == _METADATA:
        return _read_metadata(value, node, path)
    if isinstance(value, dict):
        children = ((name, item, descend(node, name)) for name, item in value.items())
        return {
            name: _read_field(name, item, (node, child), f"{path}.{name}", keeps)
            for name, item, child in children
            if item is not None or keeps(child) or _is_type_field(name, node)
        }
    if isinstance(value, list):
        return [_read(item, node.item or _NOTHING, path, keeps) for item in value]
    return value


def _keeps_null(node: Node | None) -> bool:
    return node is None or node.nullable or _has_default(node) or node.struct == _METADATA


def _is_type_field(name: str, node: Node) -> bool:
    """Return whether a field is ``apiVersion`` or ``kind`` of an embedded object."""
    return node.embedded and name in ("apiVersion", "kind")


def _read_field(name: str, value: Json, nodes: tuple[Node, Node | None], path: str, keeps: _KeepsNull) -> Json:
    """Return a field of an object; ``nodes`` holds the schemas of the object and of the field."""
    node, child = nodes
    if child is None:
        return value
    if _is_type_field(name, node) and not isinstance(value, str):
        raise UnfitError(f"{path[1:]}: Invalid value: {gotext.encode(value)}: must be a string")
    return _read(value, child, path, keeps)


def _has_default(node: Node) -> bool:
    return node.default is not MISSING and node.default is not None


def _read_metadata(value: Json, node: Node, path: str) -> Json:
    """Return decoded metadata; raise ``UnfitError`` with the server's message."""
    error, embedded = _metadata_faults(value, node, path).error, path.count(".") > 1
    if error:
        raise UnfitError(f"{path[1:]}: Invalid value: {gotext.encode(value)}: {error}" if embedded else error)
    metadata = encode_struct(decode_struct(_null_as_empty(value), node, DecodeMode.LOOSE), node)
    return {key: item for key, item in metadata.items() if item is not None or not embedded}


def _null_as_empty(value: Json) -> Json:
    return {} if value is None else value


def _metadata_faults(value: Json, node: Node, path: str) -> Faults:
    try:
        decode_struct(_null_as_empty(value), node, DecodeMode.CREATE)
    except UnfitError:
        return explain(value, node, path)
    return Faults()


def _fill(value: Json, node: Node) -> Json:
    """Return a value with the defaults of its schema at all depths."""
    if node.struct == _METADATA:
        return value
    if isinstance(value, dict):
        return {
            name: _fill_child(item, descend(node, name)) for name, item in {**value, **_defaults(value, node)}.items()
        }
    if isinstance(value, list) and node.item is not None:
        return [_fill_child(item, node.item) for item in value]
    return value


def _defaults(value: JsonObject, node: Node) -> JsonObject:
    return {name: child.default for name, child in node.fields.items() if _has_default(child) and name not in value}


def _fill_child(value: Json, node: Node | None) -> Json:
    """Return a value with its defaults; a null that is not nullable becomes the default of its place."""
    if node is None:
        return value
    if value is None and not node.nullable and _has_default(node):
        return _fill(node.default, node)
    return _fill(value, node)
