"""The merge form of values in server-side apply: by field, by key, as a set, or atomic.

Uses the same schema nodes as strategic patches, but other marks: ``x-kubernetes-list-type`` and ``-map-type``, and the
patch strategy only without them. Mirrors ``schemaconv`` of kube-openapi and ``typed`` of structured-merge-diff.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.merge.fieldset import Element, key_element, value_element
from kubectl_applylint.schema.types import Node, Shape


class MergeForm(Enum):
    """How a value merges."""

    SCALAR = "scalar"
    MAP = "map"
    KEYED = "keyed list"
    SET = "set"
    ATOMIC = "atomic"


DEDUCED: Final = Node(Shape.ANY)
"""A value without a schema: its maps merge by key, its lists are atomic."""


class TypedError(Exception):
    """A list element that cannot be identified; the message is the server's."""


def is_open(node: Node) -> bool:
    """Return whether a node accepts any type: it has no schema, or is a custom resource's int-or-string."""
    return node.shape is Shape.ANY or (node.format == "int-or-string" and bool(node.source))


def form_of(node: Node, value: Json | Missing) -> MergeForm:
    """Return the merge form of ``value`` with the schema ``node``; null has the form of the schema."""
    shape = node.shape
    if shape is Shape.OBJECT:
        return MergeForm.ATOMIC if node.map_type == "atomic" else MergeForm.MAP
    if shape is Shape.LIST:
        return _list_form(node)
    return _deduced_form(node, value) if is_open(node) else MergeForm.SCALAR


def _deduced_form(node: Node, value: Json | Missing) -> MergeForm:
    if node.format == "raw":
        return MergeForm.ATOMIC
    if isinstance(value, dict):
        return MergeForm.MAP
    return MergeForm.ATOMIC if isinstance(value, list) else MergeForm.SCALAR


_LIST_FORMS: Final = {"map": MergeForm.KEYED, "set": MergeForm.SET}
"""The forms of ``x-kubernetes-list-type``; lists of any other type are atomic."""


def _list_form(node: Node) -> MergeForm:
    if node.list_type:
        return _LIST_FORMS.get(node.list_type, MergeForm.ATOMIC)
    if node.merges:
        return MergeForm.KEYED if node.merge_key else MergeForm.SET
    return MergeForm.ATOMIC


def keys_of(node: Node) -> tuple[str, ...]:
    """Return the fields that identify an element of a keyed list."""
    return node.map_keys or ((node.merge_key,) if node.merge_key else ())


def member_of(node: Node, name: str) -> Node | None:
    """Return the schema of a map's member, ``None`` if the schema declares no such field."""
    if is_open(node):
        return DEDUCED
    fields = node.load_fields()
    found = fields.get(name) or node.value
    if found is None:
        return DEDUCED if node.preserve_unknown or not fields else None
    return _inherit_preservation(found, node) if node.preserve_unknown else found


def _inherit_preservation(inner: Node, node: Node) -> Node:
    """Return a child node that preserves unknown fields if its parent ``node`` does."""
    return replace(inner, preserve_unknown=True) if node.preserve_unknown and not inner.preserve_unknown else inner


def is_declared(node: Node, name: str) -> bool:
    """Return whether a member is a field of a declared type, not an entry of a map."""
    return name in node.fields


def item_of(node: Node) -> Node:
    """Return the schema of a list's elements."""
    return _inherit_preservation(node.item, node) if node.item is not None else DEDUCED


def element_of(node: Node, item: Json) -> Element:
    """Return the key of an element of a set or keyed list; raise ``TypedError`` if it has none."""
    return _keyed_element(node, item) if form_of(node, None) is MergeForm.KEYED else _set_element(item)


def _keyed_element(node: Node, item: Json) -> Element:
    """Return the key of an element of a keyed list; raise ``TypedError`` with the server's message."""
    if item is None:
        raise TypedError("associative list with keys may not have a null element")
    if not isinstance(item, dict):
        raise TypedError("associative list with keys may not have non-map elements")
    fields = item_of(node).fields
    keys = keys_of(node)
    identity = {key: item.get(key, fields[key].default if key in fields else MISSING) for key in keys}
    known = {key: value for key, value in identity.items() if value is not MISSING}
    if not known:
        quoted = " ".join(f'"{key}"' for key in keys)
        raise TypedError(
            f"associative list with keys has an element that omits all key fields [{quoted}] "
            "(and doesn't have default values for any key fields)"
        )
    return key_element(known)


def _set_element(item: Json) -> Element:
    if isinstance(item, dict):
        raise TypedError("associative list without keys has an element that's a map type")
    if isinstance(item, list):
        raise TypedError("not supported: associative list with lists as elements")
    if item is None:
        raise TypedError("associative list without keys has an element that's an explicit null")
    return value_element(item)


def elements_of(node: Node, items: Iterable[Json]) -> list[Element]:
    """Return the keys of the elements of a set or keyed list; raise ``TypedError`` if one has none."""
    return [element_of(node, item) for item in items]


def duplicates(elements: Sequence[Element]) -> frozenset[Element]:
    """Return the elements that occur more than once."""
    if len(set(elements)) == len(elements):
        return frozenset()
    return frozenset(element for element, count in Counter(elements).items() if count > 1)


def below(node: Node, element: Element) -> Node:
    """Return the schema of the child at a path element."""
    if element.startswith("f:"):
        return member_of(node, element[2:]) or DEDUCED
    return item_of(node)
