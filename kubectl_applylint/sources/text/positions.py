"""Positions of the keys and values of an object in its source text."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import assert_never

from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, PathStep, child
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.sources.text.yaml_events import TextRange
from kubectl_applylint.sources.text.yaml_nodes import ListNode, MapNode, Node, ScalarNode, entries, is_merge, target
from kubectl_applylint.sources.text.yaml_text import unknown_section


@dataclass(frozen=True, slots=True)
class TextPositions:
    """The ``Positions`` of an object, computed on demand.

    ``nodes`` returns the node tree of ``document``, which contains the object at ``base`` (an item of a List);
    ``first_line`` is the number of lines before the document. Values from an alias or a merge key are located where
    they are defined.
    """

    nodes: Callable[[], Node]
    document: Json
    first_line: int = 0
    base: Path = ()
    extent: TextRange | None = None
    """The extent of the document, if known without its nodes."""
    section: Callable[[tuple[str, ...]], Node | None] = unknown_section
    """Returns a node with the entry of some names alone, or ``None`` if only ``nodes`` can locate it."""

    def key(self, path: Path) -> Span | None:
        """Return the position of the last step's key (for a list element: its first character), if it is written."""
        steps = (*self.base, *path)
        if not steps:
            return None
        found = self._find(steps)
        if found is None:
            return None
        span = self._span(found[0])
        return span if isinstance(steps[-1], Field) else replace(span, end_line=span.line, end_column=span.column + 1)

    def value(self, path: Path) -> Span | None:
        """Return the position of the value at ``path``, if it is written: the null of ``key:`` is not."""
        steps = (*self.base, *path)
        if not steps and self.extent is not None:
            return self._between(self.extent)
        found = self._find(steps)
        if found is None or _is_implicit_null(found[1]):
            return None
        return self._span(target(found[1]))

    def _find(self, steps: Path) -> tuple[Node, Node] | None:
        names = [step.name for step in steps[:2] if isinstance(step, Field)]
        part = self.section(tuple(names)) if names and isinstance(steps[0], Field) else None
        return _find(part or self.nodes(), self.document, steps)

    def _span(self, node: Node) -> Span:
        return self._between(TextRange(node.start, node.end))

    def _between(self, extent: TextRange) -> Span:
        start, end = extent.start, extent.end
        return Span(self.first_line + start.line + 1, start.column + 1, self.first_line + end.line + 1, end.column + 1)


def _find(node: Node, value: Json, path: Path) -> tuple[Node, Node] | None:
    """Return the nodes of key and value at ``path``; list elements, and the root, are their own keys."""
    key = node
    for step in path:
        found = _step(target(node), value, step)
        if found is None:
            return None
        key, node = found
        value = child(value, step)
    return key, node


def _is_implicit_null(node: Node) -> bool:
    return isinstance(node, ScalarNode) and (node.start.line, node.start.column) == (node.end.line, node.end.column)


def _step(node: Node, value: Json, step: PathStep) -> tuple[Node, Node] | None:
    match node, step:
        case MapNode(), Field(name):
            return _entries(node).get(name)
        case ListNode(items=items), Index() | ByKey() | ByValue():
            position = _position(value, step)
            return (items[position],) * 2 if position is not None and position < len(items) else None
        case _:
            return None


@lru_cache(maxsize=64)
def _entries(node: MapNode) -> dict[str, tuple[Node, Node]]:
    """Return the entries of a map; cached, as a map is queried repeatedly. Nodes compare by identity."""
    return entries(node)


def _position(value: Json, step: Index | ByKey | ByValue) -> int | None:
    match step:
        case Index(position):
            return position
        case ByKey() | ByValue():
            elements = value if isinstance(value, list) else []
            return next((i for i, element in enumerate(elements) if child([element], step) is not MISSING), None)
        case _:
            assert_never(step)


def duplicate_keys(nodes: Callable[[], Node], first_line: int, base: Path = ()) -> tuple[tuple[Path, int], ...]:
    """Return the keys that an object repeats with different values, each with the line of the first one.

    ``nodes`` returns the node tree of the document, which contains the object at ``base``. Aliases are not followed.
    """
    found = _find(nodes(), MISSING, base)
    twice = _duplicates_below(found[1], ()) if found else ()
    return tuple((path, first_line + key.start.line + 1) for path, key in twice)


def _duplicates_below(node: Node, path: Path) -> Iterator[tuple[Path, Node]]:
    match node:
        case MapNode(pairs=pairs):
            seen: dict[str, tuple[Node, Node]] = {}
            for key, value in pairs:
                name = key.value if isinstance(key, ScalarNode) and isinstance(key.value, str) else ""
                if name in seen and not is_merge(key) and not _is_same(seen[name][1], value):
                    yield (*path, Field(name)), seen[name][0]
                if name:
                    seen[name] = (key, value)
                yield from _duplicates_below(value, (*path, Field(name)))
        case ListNode(items=items):
            for position, item in enumerate(items):
                yield from _duplicates_below(item, (*path, Index(position)))
        case _:
            return


def _is_same(one: Node, other: Node) -> bool:
    return isinstance(one, ScalarNode) and isinstance(other, ScalarNode) and one.value == other.value
