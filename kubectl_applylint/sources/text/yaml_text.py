"""Parses YAML text into the JSON value that kubectl sees, with access to its node tree for positions."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import assert_never

from kubectl_applylint.core.nesting import MOST_LEVELS
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, equal, mapping
from kubectl_applylint.sources.system.recursion import USUAL_LEVELS, raise_recursion_limit
from kubectl_applylint.sources.text.yaml_events import OwnMark, TextRange, YamlError
from kubectl_applylint.sources.text.yaml_fast_path import forget_blocks, read_plain
from kubectl_applylint.sources.text.yaml_nodes import (
    TOO_DEEP,
    AliasNode,
    ListNode,
    MapNode,
    Node,
    ScalarNode,
    compose,
    entries,
    is_merge,
    merge_sources,
)
from kubectl_applylint.sources.text.yaml_scalars import ScalarError, number

# A possible reference; an asterisk in a word or a string only costs the check.
_REFERENCE = regex(r"(?<![^\s,:\[{])\*[0-9A-Za-z_-]")
_CHILD = regex(r"(?:[ \t]*(?:#.*)?\n)*( +)[^\s#-]")
"""The first line of a block that is a map."""
_LARGE = 10_000
"""Minimum size of a text, in characters, for parsing an entry separately."""
_SMALL = 2_000
"""Maximum size of a text, in characters, whose nodes are kept with those of many others: 1 to 20 KB each."""
_MOST_SECTIONS = 30
"""Maximum number of entries of a text that are parsed separately: each takes about 5 % of the time for the whole.
"""
_NOWHERE = TextRange(OwnMark(0, 0, 0), OwnMark(0, 0, 0))
_FEW_DECODED, _MANY_DECODED = 400_000, 4_000_000
_SHARE_OF_FEW, _SHARE_OF_MANY = 0.99, 0.10


def unknown_section(names: tuple[str, ...]) -> None:
    """Return ``None``: only the nodes of the whole document have the position."""


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """The first document of a text: its value, its extent, and access to its nodes.

    A text without a document is null, and has no nodes.
    """

    value: Json
    extent: TextRange
    nodes: Callable[[], Node] = field(repr=False, compare=False)
    may_repeat: bool = False
    """Whether it may have duplicate keys."""
    section: Callable[[tuple[str, ...]], Node | None] = field(repr=False, compare=False, default=unknown_section)
    """Returns a node with the entry of some names (outermost first) alone, or ``None`` if not possible.
    """


@lru_cache(maxsize=4096)
def load(text: str) -> YamlDocument:
    """Return the first document of ``text``.

    Cached, as both sides of a comparison, and several overlays, mostly render the same text. Raises ``YamlError`` for
    what kubectl rejects, and for nesting deeper than ``MOST_LEVELS``.
    """
    found = read_plain(text)
    if found is not None:
        section = partial(_limited_section, text, set()) if len(text) >= _LARGE else unknown_section
        return YamlDocument(found.value, found.extent, partial(_nodes, text), section=section)
    root = compose(text)
    if root is None:
        return YamlDocument(None, _NOWHERE, partial(_nodes, text))
    # Only references can make a document larger and deeper than its text.
    if _REFERENCE.search(text):
        _check_expansion(root)
    return YamlDocument(build(root), TextRange(root.start, root.end), partial(_given, root), may_repeat=True)


def forget_texts() -> None:
    """Release the cached documents, for a program that reads many versions of a text."""
    load.cache_clear()
    _nodes_of_small.cache_clear()
    forget_blocks()


def _nodes(text: str) -> Node:
    """Return the nodes of a text that was read before; cached, as few documents need them, but repeatedly.

    The graph of a repository locates a field of each of its small declarations, several times.
    """
    return _nodes_of_small(text) if len(text) < _SMALL else _nodes_of_large(text)


def _root_node(text: str) -> Node:
    root = compose(text)
    assert root is not None, "a text without a document has no nodes"
    return root


_nodes_of_small = lru_cache(maxsize=512)(_root_node)
_nodes_of_large = lru_cache(maxsize=8)(_root_node)


def _limited_section(text: str, requested: set[tuple[str, ...]], names: tuple[str, ...]) -> Node | None:
    """Return the result of ``_section`` until many entries were ``requested`` for; ``None`` from then on."""
    requested.add(names)
    return _section(text, names) if len(requested) <= _MOST_SECTIONS else None


@lru_cache(maxsize=8)
def _section(text: str, names: tuple[str, ...]) -> Node | None:
    """Return a node with one entry of the map in a large text, without parsing the others.

    If that entry is large itself, and there is a second name, the node has one entry of that entry alone. It is
    accepted if its value equals that in the whole document.
    """
    outer = _lines_of(text, names[0], "", (0, len(text)))
    if outer is None:
        return None
    first = text.find("\n", *outer) + 1
    child = _CHILD.match(text, first, outer[1]) if len(names) > 1 and outer[1] - outer[0] >= _LARGE else None
    inner = _lines_of(text, names[1], child[1], (first, outer[1])) if child else None
    narrow = _compose_entry(text, [(outer[0], first), inner], names) if inner else None
    return narrow or _compose_entry(text, [outer], names[:1])


def _lines_of(text: str, name: str, indent: str, within: tuple[int, int]) -> tuple[int, int] | None:
    """Return the start and end of an entry: from its key to the next line that is not indented more."""
    begin = re.compile(rf"^{indent}{re.escape(name)}:", re.MULTILINE).search(text, *within)
    if begin is None:
        return None
    end = re.compile(rf"^ {{0,{len(indent)}}}[^\s#-]", re.MULTILINE).search(text, begin.end(), within[1])
    return begin.start(), end.start() if end else within[1]


def _compose_entry(text: str, parts: Sequence[tuple[int, int]], names: tuple[str, ...]) -> Node | None:
    """Return the node of some parts of a text, on their lines, if its value is that of the entry."""
    lines, last = "", 0
    for begin, end in parts:
        lines += "\n" * text.count("\n", last, begin) + text[begin:end]
        last = end
    try:
        root = compose(lines)
        is_same = root is not None and equal(build(root), _entry(load(text).value, names))
    except YamlError:
        return None
    return root if is_same else None


def _entry(value: Json, names: tuple[str, ...]) -> Json:
    """Return a value with nothing but the entry of some names."""
    return {names[0]: _entry(mapping(value).get(names[0]), names[1:])} if names else value


def _given(root: Node) -> Node:
    return root


def build(node: Node) -> Json:
    """Return the JSON value of a node, with references and merge keys resolved; raises ``YamlError``."""
    match node:
        case ScalarNode(value=value):
            if value is None or isinstance(value, (bool, str)):
                return value
            try:
                return number(value)
            except ScalarError as error:
                raise YamlError(str(error), node.start) from None
        case MapNode():
            return {name: build(held) for name, (_, held) in entries(node).items()}
        case ListNode(items=items):
            return [build(item) for item in items]
        case AliasNode(target=target):
            return build(target)
        case _:
            assert_never(node)


def _check_expansion(root: Node) -> None:
    """Reject what go-yaml calls excessive aliasing, and references that nest too deep.

    The more values a document has, the fewer of them may come from references: 99 % up to 400,000 values, and down to
    10 % for 4,000,000 and more (go-yaml, ``decoder.unmarshal``).
    """
    decoded, referred = 1, 0
    todo: list[tuple[Node, int, bool]] = [(root, 0, False)]
    while todo:
        node, depth, is_referred = todo.pop()
        decoded, referred = decoded + 1, referred + is_referred
        if referred > 100 and decoded > 1000 and referred / decoded > _allowed_alias_ratio(decoded):
            raise YamlError("document contains excessive aliasing", node.start)
        if depth == USUAL_LEVELS:
            raise_recursion_limit()
        if depth > MOST_LEVELS:
            raise YamlError(TOO_DEEP, node.start)
        todo.extend(_children(node, depth, is_referred))


def _children(node: Node, depth: int, is_referred: bool) -> list[tuple[Node, int, bool]]:
    """Return the children in go-yaml's decoding order, reversed."""
    match node:
        case ScalarNode():
            return []
        case AliasNode(target=target):
            return [(target, depth, True)]
        case ListNode(items=items):
            return [(item, depth + 1, is_referred) for item in reversed(items)]
        case MapNode(pairs=pairs):
            parts = (merge_sources(value) if is_merge(key) else (key, value) for key, value in pairs)
            return [(part, depth + 1, is_referred) for part in reversed([part for pair in parts for part in pair])]
        case _:
            assert_never(node)


def _allowed_alias_ratio(decoded: int) -> float:
    passed = min(max(decoded - _FEW_DECODED, 0) / (_MANY_DECODED - _FEW_DECODED), 1.0)
    return _SHARE_OF_FEW - passed * (_SHARE_OF_FEW - _SHARE_OF_MANY)
