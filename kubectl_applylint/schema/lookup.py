"""Finds the node of a field, a map entry or a list element below another node."""

from typing import assert_never

from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, PathStep
from kubectl_applylint.core.spelling import nearest
from kubectl_applylint.schema.types import Node, Shape


def descend(node: Node, key: str) -> Node | None:
    """Return the node of the field or map entry ``key``, or ``None`` if the schema does not describe it."""
    return node.fields.get(key, node.value)


def at(root: Node, path: Path) -> Node | None:
    """Return the node at ``path`` below ``root``, or ``None`` if the schema ends before."""
    node: Node | None = root
    for step in path:
        if node is None:
            return None
        node = _child_node(node, step)
    return node


def _child_node(node: Node, step: PathStep) -> Node | None:
    """Return the node that one step leads to."""
    match step:
        case Field(name):
            return descend(node, name)
        case Index() | ByKey() | ByValue():
            return node.item
        case _:
            assert_never(step)


def similar_field(root: Node, path: Path, *, likeness: float = 0.75) -> str:
    """Return the declared field that resembles the last step of a path; empty if that is declared or none does.

    ``likeness`` is that of ``nearest``.
    """
    around = at(root, path[:-1])
    if around is None or not path or not isinstance(path[-1], Field) or path[-1].name in around.fields:
        return ""
    return nearest(path[-1].name, around.fields, likeness=likeness)


def is_struct(node: Node) -> bool:
    """Return whether the keys of an object are fields that a type declares, not free keys of a map."""
    return node.shape is Shape.OBJECT and node.value is None


def declared_type_name(node: Node) -> str:
    """Return the short name of a declared type, for example ``DeploymentSpec``; empty if none is declared."""
    return node.struct.rpartition(".")[2]
