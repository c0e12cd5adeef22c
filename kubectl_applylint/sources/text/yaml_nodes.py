"""The node tree of a YAML document: values, keys, and their positions.

Nodes have the semantics of go-yaml: see ``yaml_scalars`` for scalars, ``entries`` for merge keys and duplicate keys.
``yaml_dialect`` handles texts that libyaml parses differently than go-yaml.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kubectl_applylint.core.nesting import MOST_LEVELS
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.sources.system.recursion import USUAL_LEVELS, raise_recursion_limit
from kubectl_applylint.sources.text.yaml_dialect import check, max_repairs, may_differ, repair, restore_scalar
from kubectl_applylint.sources.text.yaml_events import (
    MarkedEvent,
    SeenAlias,
    SeenScalar,
    SeenStart,
    TextMark,
    YamlError,
    events,
)
from kubectl_applylint.sources.text.yaml_scalars import STANDARD_TAG, Scalar, ScalarError, key_text, resolve

TOO_DEEP = f"nested deeper than {MOST_LEVELS} levels"

_MERGE_TAG = f"{STANDARD_TAG}merge"


@dataclass(frozen=True, slots=True, eq=False)
class ScalarNode:
    """A scalar with its value."""

    start: TextMark
    end: TextMark
    value: Scalar
    is_merge: bool = False
    """Whether it is the merge key ``<<``."""


@dataclass(frozen=True, slots=True, eq=False)
class ListNode:
    """A sequence."""

    start: TextMark
    end: TextMark
    items: tuple["Node", ...]


@dataclass(frozen=True, slots=True, eq=False)
class MapNode:
    """A mapping with its keys in the order of the text, including merge keys."""

    start: TextMark
    end: TextMark
    pairs: tuple[tuple["Node", "Node"], ...]


@dataclass(frozen=True, slots=True, eq=False)
class AliasNode:
    """A reference to another node; the target is never itself an alias."""

    start: TextMark
    end: TextMark
    target: "ScalarNode | ListNode | MapNode"


Node: TypeAlias = ScalarNode | ListNode | MapNode | AliasNode


@dataclass(slots=True)
class _OpenCollection:
    """A collection whose end has not been parsed yet."""

    start: SeenStart | None
    children: list[Node]


@dataclass(frozen=True, slots=True)
class _Reading:
    """The state of building a node tree from events."""

    text: str
    is_foreign: bool
    """Whether the text may contain constructs that libyaml and go-yaml parse differently."""
    is_repaired: bool
    open: list[_OpenCollection]
    anchors: dict[str, ScalarNode | ListNode | MapNode | _OpenCollection]


def compose(text: str) -> Node | None:
    """Return the node tree of the first document, ``None`` if there is none; raises ``YamlError``."""
    current = text
    for _ in range(max_repairs(text)):
        try:
            return _compose(current, is_repaired=current != text)
        except YamlError as error:
            repaired = repair(current, error)
            if repaired == current:
                raise
        current = repaired
    return _compose(current, is_repaired=current != text)


def _compose(text: str, *, is_repaired: bool) -> Node | None:
    root = _OpenCollection(None, [])
    reading = _Reading(text, may_differ(text), is_repaired, [root], {})
    for event in events(text):
        _HANDLERS[type(event)](event, reading)
    return root.children[0] if root.children else None


def _read_scalar(event: SeenScalar, reading: _Reading) -> None:
    parent = reading.open[-1]
    text = restore_scalar(event.value) if reading.is_repaired else event.value
    tag, plain = event.tag, event.implicit[0]
    if reading.is_foreign:
        check(event, reading.text, in_flow=parent.start is not None and bool(parent.start.flow_style))
    try:
        value = resolve(tag, text, is_plain=plain)
    except ScalarError as error:
        raise YamlError(str(error), event.start_mark) from None
    is_merge = text == "<<" and (plain or tag == _MERGE_TAG)
    node = ScalarNode(event.start_mark, event.end_mark, value, is_merge)
    if event.anchor:
        reading.anchors[event.anchor] = node
    parent.children.append(node)


def _read_alias(event: SeenAlias, reading: _Reading) -> None:
    name = event.anchor
    target = reading.anchors.get(name)
    if target is None:
        raise YamlError(f"unknown anchor '{name}' referenced", event.start_mark)
    if isinstance(target, _OpenCollection):
        raise YamlError(f"anchor '{name}' value contains itself", event.start_mark)
    reading.open[-1].children.append(AliasNode(event.start_mark, event.end_mark, target))


def _start_collection(event: SeenStart, reading: _Reading) -> None:
    collection = _OpenCollection(event, [])
    reading.open.append(collection)
    if event.anchor:
        reading.anchors[event.anchor] = collection
    if len(reading.open) == USUAL_LEVELS:
        raise_recursion_limit()
    if len(reading.open) > MOST_LEVELS + 1:
        raise YamlError(TOO_DEEP, event.start_mark)


def _end_list(event: MarkedEvent, reading: _Reading) -> None:
    collection = reading.open.pop()
    _close(collection, ListNode(*_extent(collection, event), tuple(collection.children)), reading)


def _end_map(event: MarkedEvent, reading: _Reading) -> None:
    collection = reading.open.pop()
    pairs = tuple(zip(collection.children[::2], collection.children[1::2], strict=True))
    for key, value in pairs:
        if not isinstance(key, ScalarNode) or key.is_merge:
            _check_pair(key, value)
    _close(collection, MapNode(*_extent(collection, event), pairs), reading)


def _extent(collection: _OpenCollection, event: MarkedEvent) -> tuple[TextMark, TextMark]:
    """Return the start and end of a collection; a block ends with its last child, not at the next token."""
    assert collection.start is not None
    is_block = not collection.start.flow_style and collection.children
    return collection.start.start_mark, collection.children[-1].end if is_block else event.end_mark


def _close(collection: _OpenCollection, node: ListNode | MapNode, reading: _Reading) -> None:
    anchor = collection.start.anchor if collection.start else None
    # A nested node may have redefined the anchor in the meantime.
    if anchor and reading.anchors[anchor] is collection:
        reading.anchors[anchor] = node
    reading.open[-1].children.append(node)


_HANDLERS: dict[type[Event], Callable[[Any, _Reading], None]] = {
    ScalarEvent: _read_scalar,
    AliasEvent: _read_alias,
    SequenceStartEvent: _start_collection,
    MappingStartEvent: _start_collection,
    SequenceEndEvent: _end_list,
    MappingEndEvent: _end_map,
}


def target(node: Node) -> ScalarNode | ListNode | MapNode:
    """Return the node itself, or the target of an alias."""
    return node.target if isinstance(node, AliasNode) else node


def is_merge(key: Node) -> bool:
    """Return whether ``key`` is the merge key ``<<``."""
    return isinstance(key, ScalarNode) and key.is_merge


def _check_pair(key: Node, value: Node) -> None:
    if not isinstance(target(key), ScalarNode):
        raise YamlError("invalid map key: a map or a list cannot be one", key.start)
    if is_merge(key) and not all(isinstance(target(source), MapNode) for source in merge_sources(value)):
        raise YamlError("map merge requires map or sequence of maps as the value", value.start)


def merge_sources(value: Node) -> tuple[Node, ...]:
    """Return the maps that the value of a merge key refers to, in merge order."""
    return value.items[::-1] if isinstance(value, ListNode) else (value,)


def entries(node: MapNode) -> dict[str, tuple[Node, Node]]:
    """Return the effective key and value nodes: the last one of duplicate keys.

    A merge key overrides the entries before it and is overridden by those after it. Raises ``YamlError`` for a key that
    JSON does not allow.
    """
    found: dict[str, tuple[Node, Node]] = {}
    for key, value in node.pairs:
        if is_merge(key):
            for source in merge_sources(value):
                found.update(_entries_of(source))
        else:
            found[_key_name(key)] = (key, value)
    return found


def _entries_of(source: Node) -> dict[str, tuple[Node, Node]]:
    node = target(source)
    return entries(node) if isinstance(node, MapNode) else {}


def _key_name(key: Node) -> str:
    node = target(key)
    try:
        return key_text(node.value) if isinstance(node, ScalarNode) else ""
    except ScalarError as error:
        raise YamlError(str(error), key.start) from None
