"""YAML text as the JSON value that kubectl makes of it, with the node tree that tells where things are written."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import assert_never

from kubectl_applylint.core.nesting import MOST_LEVELS
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, equal, mapping
from kubectl_applylint.sources.system.recursion import USUAL_LEVELS, allow_deep
from kubectl_applylint.sources.text.yaml_events import OwnMark, TextRange, YamlError
from kubectl_applylint.sources.text.yaml_fast_path import read_plain
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
from kubectl_applylint.sources.text.yaml_scalars import Scalar, ScalarError, number

# Whatever may be a reference; an asterisk inside a word or a string only costs the check.
_REFERENCE = regex(r"(?<![^\s,:\[{])\*[0-9A-Za-z_-]")
_CHILD = regex(r"(?:[ \t]*(?:#.*)?\n)*( +)[^\s#-]")
"""The first line of a block that is a map."""
_LARGE = 10_000
"""Characters from which on an entry is looked for by itself."""
_MOST_SECTIONS = 30
"""How many entries of a text are looked for by themselves: each takes about a twentieth of the time for the whole."""
_NOWHERE = TextRange(OwnMark(0, 0, 0), OwnMark(0, 0, 0))
_FEW_DECODED, _MANY_DECODED = 400_000, 4_000_000
_SHARE_OF_FEW, _SHARE_OF_MANY = 0.99, 0.10


def no_section(names: tuple[str, ...]) -> None:
    """Return that only the nodes of the whole document can tell."""


@dataclass(frozen=True, slots=True)
class YamlDocument:
    """The first document of a text: its value, where it is written, and how to get at its nodes.

    A text without a document is null, and has no nodes.
    """

    value: Json
    extent: TextRange
    nodes: Callable[[], Node] = field(repr=False, compare=False)
    may_repeat: bool = False
    """Whether a key may stand in it twice."""
    section: Callable[[tuple[str, ...]], Node | None] = field(repr=False, compare=False, default=no_section)
    """Gives a node with the entry of some names, outermost first, alone; ``None`` where only the whole tells."""


@lru_cache(maxsize=4096)
def load(text: str) -> YamlDocument:
    """Return the first document of ``text``.

    What is rendered for both sides of a comparison, and for several overlays, is mostly the same text, and read once.
    Raises ``BadYaml`` for what kubectl refuses, and for what nests deeper than ``MOST_LEVELS``.
    """
    found = read_plain(text)
    if found is not None:
        section = partial(_section_of_few, text, set()) if len(text) >= _LARGE else no_section
        return YamlDocument(found.value, found.extent, partial(_nodes, text), section=section)
    root = compose(text)
    if root is None:
        return YamlDocument(None, _NOWHERE, partial(_nodes, text))
    # Only references can make a document bigger and deeper than it is written.
    if _REFERENCE.search(text):
        _check_expansion(root)
    return YamlDocument(build(root), TextRange(root.start, root.end), partial(_given, root), may_repeat=True)


@lru_cache(maxsize=8)
def _nodes(text: str) -> Node:
    """Return the nodes of a text that was read before; few documents are asked for theirs, and those repeatedly."""
    root = compose(text)
    assert root is not None, "a text without a document has no nodes"
    return root


def _section_of_few(text: str, asked: set[tuple[str, ...]], names: tuple[str, ...]) -> Node | None:
    """Return what ``_section`` does until many entries were ``asked`` for; ``None`` from then on."""
    asked.add(names)
    return _section(text, names) if len(asked) <= _MOST_SECTIONS else None


@lru_cache(maxsize=8)
def _section(text: str, names: tuple[str, ...]) -> Node | None:
    """Return a node with one entry of the map that a large text is, without reading the others.

    If that is large itself, and there is a second name, it has one entry of that entry alone. They are taken for these
    entries if they say of them what the whole text was read as.
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
    """Return from where to where an entry is written: from its key, where that begins a line, to the next line that is
    not indented more.
    """
    begin = re.compile(rf"^{indent}{re.escape(name)}:", re.MULTILINE).search(text, *within)
    if begin is None:
        return None
    end = re.compile(rf"^ {{0,{len(indent)}}}[^\s#-]", re.MULTILINE).search(text, begin.end(), within[1])
    return begin.start(), end.start() if end else within[1]


def _compose_entry(text: str, parts: Sequence[tuple[int, int]], names: tuple[str, ...]) -> Node | None:
    """Return the node of some parts of a text, in their lines, if it is the entry of these names."""
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
    """Return the JSON value of a node, references and merge keys resolved; raise ``BadYaml``."""
    match node:
        case ScalarNode(value=value):
            return _json_scalar(node, value)
        case MapNode():
            return {name: build(held) for name, (_, held) in entries(node).items()}
        case ListNode(items=items):
            return [build(item) for item in items]
        case AliasNode(target=target):
            return build(target)
        case _:
            assert_never(node)


def _check_expansion(root: Node) -> None:
    """Refuse what go-yaml calls excessive aliasing, and what references make too deep.

    The more values a document has, the fewer of them may come from references: 99 % up to 400,000 values, and down to
    10 % for 4,000,000 and more (go-yaml, ``decoder.unmarshal``).
    """
    decoded, referred = 1, 0
    todo: list[tuple[Node, int, bool]] = [(root, 0, False)]
    while todo:
        node, depth, is_referred = todo.pop()
        decoded, referred = decoded + 1, referred + is_referred
        if referred > 100 and decoded > 1000 and referred / decoded > _allowed_share(decoded):
            raise YamlError("document contains excessive aliasing", node.start)
        if depth == USUAL_LEVELS:
            allow_deep()
        if depth > MOST_LEVELS:
            raise YamlError(TOO_DEEP, node.start)
        todo.extend(_children(node, depth, is_referred))


def _children(node: Node, depth: int, is_referred: bool) -> list[tuple[Node, int, bool]]:
    """Return what go-yaml decodes next, the last one first."""
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


def _allowed_share(decoded: int) -> float:
    passed = min(max(decoded - _FEW_DECODED, 0) / (_MANY_DECODED - _FEW_DECODED), 1.0)
    return _SHARE_OF_FEW - passed * (_SHARE_OF_FEW - _SHARE_OF_MANY)


def _json_scalar(node: ScalarNode, value: Scalar) -> Scalar:
    if value is None or isinstance(value, (bool, str)):
        return value
    try:
        return number(value)
    except ScalarError as error:
        raise YamlError(str(error), node.start) from None
