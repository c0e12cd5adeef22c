"""Pod templates, for the checks about restarts of pods."""

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
"""Lists whose order matters: containers start in it, and tools use the first one by default."""
_IDLE: Final = ("affinity", "nodeAffinity", "podAffinity", "podAntiAffinity", "securityContext")
"""Blocks without effect if empty."""


def normal_form(value: Json, node: Node, name: str = "") -> Json:
    """Return a part of a pod template in a normal form: equal for templates with the same effect.

    Entries that merge by a key are sorted unless their order matters, empty blocks without effect are left out, and
    images have a tag.
    """
    if isinstance(value, dict):
        fields = {key: normal_form(inner, descend(node, key) or _UNTYPED, key) for key, inner in value.items()}
        return {key: inner for key, inner in fields.items() if inner or key not in _IDLE}
    if isinstance(value, list):
        items = [normal_form(item, node.item or _UNTYPED) for item in value]
        return items if _order_counts(items, node, name) else sorted(items, key=lambda item: _key(item, node))
    return with_tag(value) if name == "image" and isinstance(value, str) else value


def _order_counts(items: list[Json], node: Node, name: str) -> bool:
    """Return whether the order of a list matters: a variable may refer to those before it."""
    refers = name == "env" and any("$(" in str(mapping(item).get("value", "")) for item in items)
    return not (node.merges and node.merge_key) or name in _ORDERED or refers


def _key(item: Json, node: Node) -> str:
    """Return the merge key of an item as text."""
    return encode(plain(mapping(item).get(node.merge_key)))


def first_difference(one: Json | Missing, other: Json | Missing, node: Node, path: Path) -> Path:
    """Return the first path at which two values differ; for lists with reordered entries, the list.

    Equal values yield ``path`` itself.
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
    """Return the merge keys of items in order."""
    return [_key(item, node) for item in items]
