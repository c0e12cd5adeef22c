"""Walks an object together with its schema."""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.schema.lookup import descend
from kubectl_applylint.schema.types import Node


def walk(value: Json, node: Node, path: Path = ()) -> Iterator[tuple[Path, Json, Node]]:
    """Yield ``value`` and everything in it that the schema describes, outer values first, lists by position."""
    todo = [(path, value, node)]
    while todo:
        path, value, node = here = todo.pop()
        yield here
        if isinstance(value, dict):
            inner = [((*path, Field(key)), held, descend(node, key)) for key, held in value.items()]
            todo += [(place, held, below) for place, held, below in reversed(inner) if below is not None]
        elif isinstance(value, list) and node.item is not None:
            item, last = node.item, len(value) - 1
            todo += [((*path, Index(last - back)), held, item) for back, held in enumerate(reversed(value))]


def merging_lists(value: Json, node: Node) -> Iterator[tuple[list[Json], Node]]:
    """Yield the lists in ``value`` that a strategic patch merges by a key, in no particular order."""
    todo = [(value, node)]
    while todo:
        value, node = todo.pop()
        if isinstance(value, dict):
            nested = ((held, descend(node, key)) for key, held in value.items() if isinstance(held, (dict, list)))
            todo += [(held, below) for held, below in nested if below is not None]
        elif isinstance(value, list):
            if node.merges and node.merge_key:
                yield value, node
            todo += [(held, node.item) for held in value] if node.item is not None else []


def identity(element: Json, node: Node) -> tuple[Json, ...]:
    """Return the identity of an element of the list ``node`` in server-side apply, with static defaults filled in."""
    item = node.item.fields if node.item else {}
    defaults = {key: item[key].default for key in node.map_keys if key in item}
    return tuple(mapping(element).get(key, defaults.get(key)) for key in node.map_keys)
