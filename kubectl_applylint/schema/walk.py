"""Going through an object together with its schema."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.schema.lookup import descend
from kubectl_applylint.schema.types import Node


def walk(value: Json, node: Node, path: Path = ()) -> Iterator[tuple[Path, Json, Node]]:
    """Yield ``value`` and everything in it that the schema describes, outer values first, lists by position."""
    yield path, value, node
    if isinstance(value, dict):
        for key, inner in value.items():
            below = descend(node, key)
            if below is not None:
                yield from walk(inner, below, (*path, Field(key)))
    elif isinstance(value, list) and node.item is not None:
        for position, inner in enumerate(value):
            yield from walk(inner, node.item, (*path, Index(position)))


def identity(element: Json, node: Node) -> tuple[Json, ...]:
    """Return what tells an element of the list ``node`` from others in server-side apply, static defaults filled in."""
    item = node.item.fields if node.item else {}
    defaults = {key: item[key].default for key in node.map_keys if key in item}
    return tuple(mapping(element).get(key, defaults.get(key)) for key in node.map_keys)
