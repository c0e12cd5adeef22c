"""Reads the kinds that a CustomResourceDefinition declares.

Supports ``apiextensions.k8s.io/v1``. Malformed parts become nodes without a type, since a broken CRD must not stop the
rest of a run.
"""

from collections.abc import Iterator, Mapping
from functools import cache, partial
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping, text_at, texts_at
from kubectl_applylint.schema.types import Gvk, Kind, Node, Shape

OPENED: Final = "x-applylint-opened"
"""Marks a schema that keeps unknown fields only because other versions of the definition may declare them."""
_SHAPES: Final = {
    "array": Shape.LIST,
    "boolean": Shape.BOOLEAN,
    "integer": Shape.INTEGER,
    "number": Shape.NUMBER,
    "object": Shape.OBJECT,
    "string": Shape.STRING,
}
_DEEPEST: Final = 64
"""The deepest direct nesting of ``items`` and ``additionalProperties``; no real CRD goes beyond 3."""
_DEFINITION: Final = ("apiextensions.k8s.io/v1", "CustomResourceDefinition")
_STRING: Final = Node(Shape.STRING)
_SUBRESOURCES: Final = ("scale", "status")


def kinds_of(crd: Json, *, metadata: Node) -> Mapping[Gvk, Kind]:
    """Return the kinds of each served version of a CRD, none for other values; never raises.

    ``metadata`` is the node of ObjectMeta, which servers use for custom resources as well.
    """
    if (dig(crd, "apiVersion"), dig(crd, "kind")) != _DEFINITION:
        return {}
    group, name, plural = (
        dig(crd, "spec", "group"),
        dig(crd, "spec", "names", "kind"),
        dig(crd, "spec", "names", "plural"),
    )
    if not (isinstance(group, str) and isinstance(name, str) and isinstance(plural, str)):
        return {}
    found = (
        Kind(
            api_version=f"{group}/{version['name']}",
            name=name,
            root=_root(dig(version, "schema", "openAPIV3Schema"), metadata),
            resource=plural,
            namespaced=dig(crd, "spec", "scope") != "Cluster",
            strategic=False,
            subresources=tuple(sub for sub in _SUBRESOURCES if isinstance(dig(version, "subresources", sub), dict)),
            definition=crd,
        )
        for version in _served_versions(crd)
    )
    return {(kind.api_version, kind.name): kind for kind in found}


def _served_versions(crd: JsonObject) -> Iterator[JsonObject]:
    """Yield the served versions of a CRD."""
    versions = dig(crd, "spec", "versions")
    for version in items(versions):
        if isinstance(dig(version, "name"), str) and dig(version, "served") is True:
            yield version


def _root(schema: Json, metadata: Node) -> Node:
    """Return the node of a whole object; without a usable schema, everything except the metadata is free."""
    node = _node(schema, metadata)
    if node.shape is not Shape.OBJECT:
        node = Node(Shape.OBJECT, preserve_unknown=True)
    return replace(node, load_fields=cache(partial(_object_fields, mapping(schema), metadata)))


def _node(schema: Json, metadata: Node, depth: int = 0) -> Node:
    """Return the node of one structural schema."""
    shape = _shape(schema)
    if shape is None or depth > _DEEPEST:
        return Node(Shape.ANY, preserve_unknown=True, source=mapping(schema))
    embedded = schema.get("x-kubernetes-embedded-resource") is True
    fields = _object_fields if embedded else _fields
    return Node(
        shape,
        format=_format(schema),
        item=_node(schema.get("items"), metadata, depth + 1) if shape is Shape.LIST else None,
        value=_value(schema.get("additionalProperties"), metadata, depth + 1),
        load_fields=cache(partial(fields, schema, metadata)),
        required=texts_at(schema, "required"),
        list_type=text_at(schema, "x-kubernetes-list-type"),
        map_keys=texts_at(schema, "x-kubernetes-list-map-keys"),
        map_type=text_at(schema, "x-kubernetes-map-type"),
        default=schema.get("default", MISSING),
        nullable=schema.get("nullable") is True,
        preserve_unknown=schema.get("x-kubernetes-preserve-unknown-fields") is True,
        embedded=embedded,
        source=schema,
    )


def _shape(schema: Json) -> Shape | None:
    """Return the declared shape of a schema, ``None`` if there is no usable one."""
    if not isinstance(schema, dict):
        return None
    if schema.get("x-kubernetes-int-or-string") is True:
        return Shape.STRING
    if "type" not in schema and schema.get("x-kubernetes-preserve-unknown-fields") is True:
        return Shape.ANY
    return _SHAPES.get(text_at(schema, "type"))


def _format(schema: JsonObject) -> str:
    return "int-or-string" if schema.get("x-kubernetes-int-or-string") is True else text_at(schema, "format")


def _value(schema: Json, metadata: Node, depth: int) -> Node | None:
    """Return the node of a map's values. With ``true`` every key stays, but objects among them lose their fields."""
    if schema is True:
        return Node(Shape.ANY)
    return _node(schema, metadata, depth) if isinstance(schema, dict) else None


def _fields(schema: JsonObject, metadata: Node) -> Mapping[str, Node]:
    return {key: _node(value, metadata) for key, value in mapping(schema.get("properties")).items()}


def _object_fields(schema: JsonObject, metadata: Node) -> Mapping[str, Node]:
    """Return the fields of an object with apiVersion, kind and metadata, whose types no CRD can change."""
    declared = mapping(schema.get("properties"))
    own = {"apiVersion": _STRING, "kind": _STRING, "metadata": metadata}
    return dict(_fields(schema, metadata)) | {
        key: replace(node, source=mapping(declared.get(key))) for key, node in own.items()
    }
