"""How the strategic merge finds the patch strategy of a field: in OpenAPI, then in the server's Go types."""

from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.schema.types import Node, Shape

OPAQUE = Node(Shape.ANY)
"""A value that no schema describes: its maps merge by key, its lists are replaced."""


def field_of(node: Node, key: str) -> Node:
    """Return the schema of the field ``key``; raise ``MergeError`` if a declared type has no such field.

    Mirrors kubectl's lookup, which matches names exactly in OpenAPI and then without regard to case in Go types.
    """
    if not node.struct:
        return node.value or OPAQUE
    fields = node.fields
    if key in fields:
        return fields[key]
    folded = key.lower()
    found = next((field for name, field in fields.items() if name.lower() == folded), None)
    if found is None and fields:
        type_name = node.struct.rpartition(".")[2]
        raise MergeError(f'unable to find api field in struct {type_name} for the json field "{key}"')
    return found or OPAQUE


def element_of(node: Node) -> Node:
    """Return the schema of a list's elements."""
    return node.item or OPAQUE
