"""Pod templates, for the checks about what restarts pods."""

from typing import Final

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.values import MISSING, Json, Missing, equal, mapping
from kubectl_applylint.schema.lookup import descend
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.server.defaults.images import with_tag

TEMPLATE: Final = ("spec", "template")
_UNTYPED: Final = Node(Shape.ANY)
_ORDERED: Final = ("containers", "initContainers")
"""Lists whose order counts: containers start in it, and tools take the first one if none is named."""
_IDLE: Final = ("affinity", "nodeAffinity", "podAffinity", "podAntiAffinity", "securityContext")
"""Blocks that say nothing when they are empty."""


def meaning(value: Json, node: Node, name: str = "") -> Json:
    """Return a part of a pod template in a form that is the same for all that means the same to pods.

    Entries that merge by a key are sorted unless their order counts, empty blocks that say nothing are left out, and
    images have their tag.
    """
    if isinstance(value, dict):
        fields = {key: meaning(inner, descend(node, key) or _UNTYPED, key) for key, inner in value.items()}
        return {key: inner for key, inner in fields.items() if inner or key not in _IDLE}
    if isinstance(value, list):
        items = [meaning(item, node.item or _UNTYPED) for item in value]
        return items if _order_counts(items, node, name) else sorted(items, key=lambda item: _key(item, node))
    return with_tag(value) if name == "image" and isinstance(value, str) else value


def _order_counts(items: list[Json], node: Node, name: str) -> bool:
    """Tell whether a list says something by its order: a variable may refer to those before it."""
    refers = name == "env" and any("$(" in str(mapping(item).get("value", "")) for item in items)
    return not (node.merges and node.merge_key) or name in _ORDERED or refers


def _key(item: Json, node: Node) -> str:
    return encode(plain(mapping(item).get(node.merge_key)))


def first_difference(one: Json | Missing, other: Json | Missing, node: Node, path: Path) -> Path:
    """Return where two values first differ; for lists of the same entries in another order, the list.

    ``path`` itself for values that are equal.
    """
    if equal(one, other):
        return path
    if isinstance(one, dict) and isinstance(other, dict):
        names = [key for key in {**one, **other} if not equal(one.get(key, MISSING), other.get(key, MISSING))]
        inner = descend(node, names[0]) or _UNTYPED
        return first_difference(
            one.get(names[0], MISSING), other.get(names[0], MISSING), inner, (*path, Field(names[0]))
        )
    if isinstance(one, list) and isinstance(other, list) and _keys(one, node) == _keys(other, node):
        position = next(number for number, item in enumerate(one) if not equal(item, other[number]))
        return first_difference(one[position], other[position], node.item or _UNTYPED, (*path, Index(position)))
    return path


def _keys(items: list[Json], node: Node) -> list[str]:
    return [_key(item, node) for item in items]
