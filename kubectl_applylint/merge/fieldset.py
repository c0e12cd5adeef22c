"""Sets of field paths in the format of managedFields (FieldsV1), with set algebra.

A path element has the text of FieldsV1: ``f:name`` a field or map entry, ``k:{"name":"web"}`` an element of a keyed
list, ``v:"x"`` an element of a set, ``i:0`` a position. The text distinguishes types and needs no conversion. Mirrors
``fieldpath`` of structured-merge-diff.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.paths import ByKey, ByValue, Field, Index, Path, PathStep
from kubectl_applylint.core.values import Json, JsonObject, int64

Element: TypeAlias = str
SELF: Final = "."
"""In FieldsV1, marks that the node itself is a member, besides its children."""
_FIELD: Final = "f:"
_KINDS: Final = (_FIELD, "k:", "v:", "i:")
"""The prefixes of elements, in the order of FieldsV1."""
_REMEMBERED: Final = 4096


def field_element(name: str) -> Element:
    """Return the element of a field or a map entry."""
    return f"f:{name}"


def key_element(keys: JsonObject) -> Element:
    """Return the element of a keyed list's entry."""
    try:
        return _key_element(tuple(keys), *keys.values())
    except TypeError:  # a list or a map, which is not valid as a key
        return f"k:{gotext.encode(plain(dict(keys)))}"


@lru_cache(maxsize=_REMEMBERED, typed=True)
def _key_element(names: tuple[str, ...], *values: Json) -> Element:
    """Return the element of a keyed list's entry with scalar keys; cached, as encoding took a third of an apply."""
    return f"k:{gotext.encode(plain(dict(zip(names, values, strict=True))))}"


def value_element(value: Json) -> Element:
    """Return the element of a set's entry."""
    return f"v:{gotext.encode(plain(value))}"


class FieldSet(NamedTuple):
    """An immutable set of paths: ``members`` are the paths of one element, ``children`` the sets below elements.

    A child is never empty. A tuple because an apply makes fifty of them, and a frozen dataclass takes three times as
    long to make.
    """

    members: frozenset[Element] = frozenset()
    children: Mapping[Element, "FieldSet"] = MappingProxyType({})

    def __bool__(self) -> bool:
        return bool(self.members or self.children)

    def __or__(self, other: "FieldSet") -> "FieldSet":
        """Return the paths of either set."""
        if self is other or not (self.members or self.children):
            return other
        if not (other.members or other.children):
            return self
        shared = {e: child | other.children[e] for e, child in self.children.items() if e in other.children}
        return FieldSet(self.members | other.members, {**self.children, **other.children, **shared})

    def __and__(self, other: "FieldSet") -> "FieldSet":
        """Return the paths of both sets."""
        shared = {e: child & other.children[e] for e, child in self.children.items() if e in other.children}
        return FieldSet(self.members & other.members, _without_empty(shared))

    def __sub__(self, other: "FieldSet") -> "FieldSet":
        """Return the paths of this set that the other does not have; paths below a path of the other stay."""
        if self is other:
            return EMPTY
        if not (other.members or other.children):
            return self
        left = {e: self.children[e] - other.children[e] for e in self.children.keys() & other.children.keys()}
        if self.members.isdisjoint(other.members) and all(left[e] is self.children[e] for e in left):
            return self
        return FieldSet(self.members - other.members, _without_empty({**self.children, **left}))

    def without(self, other: "FieldSet") -> "FieldSet":
        """Return the paths of this set that are neither in the other nor below one of its paths."""
        if not other:
            return self
        kept = {e: child.without(other.below(e)) for e, child in self.children.items() if e not in other.members}
        return FieldSet(self.members - other.members, _without_empty(kept))

    def below(self, element: Element) -> "FieldSet":
        """Return the set below an element."""
        return self.children.get(element, EMPTY)

    def has(self, path: tuple[Element, ...]) -> bool:
        """Return whether a path is in the set."""
        node = self
        for element in path[:-1]:
            node = node.below(element)
        return bool(path) and path[-1] in node.members

    def paths(self, prefix: tuple[Element, ...] = ()) -> Iterator[tuple[Element, ...]]:
        """Yield every path in the server's order: the members of one level, then the paths below each element."""
        yield from ((*prefix, element) for element in in_order(self.members))
        for element in in_order(self.children):
            yield from self.children[element].paths((*prefix, element))

    def to_json(self) -> dict[str, Json]:
        """Return the set as a FieldsV1 object."""
        return {element: self._inner(element) for element in in_order({*self.members, *self.children})}

    def _inner(self, element: Element) -> dict[str, Json]:
        child = self.children.get(element)
        if child is None:
            return {}
        return {SELF: {}, **child.to_json()} if element in self.members else child.to_json()


EMPTY: Final = FieldSet()


def in_order(elements: Iterable[Element]) -> list[Element]:
    """Return elements in the order of FieldsV1: fields, keys, values, positions, numbers before texts."""
    listed = sorted(elements)
    only_fields = not listed or (listed[0].startswith(_FIELD) and listed[-1].startswith(_FIELD))
    return listed if only_fields else sorted(listed, key=_rank)


@lru_cache(maxsize=_REMEMBERED)
def _rank(element: Element) -> tuple[Json, ...]:
    kind, text = element[:2], element[2:]
    if kind == _FIELD:
        return 0, text
    value = gotext.decode(text)
    pairs = sorted(value.items()) if isinstance(value, dict) else [("", value)]
    return _KINDS.index(kind), [(name, *_value_rank(item)) for name, item in pairs]


def _value_rank(value: Json) -> tuple[Json, ...]:
    if isinstance(value, bool):
        return 2, value
    return (0, value) if isinstance(value, (int, float)) else (1, str(value))


def _without_empty(children: Mapping[Element, FieldSet]) -> dict[Element, FieldSet]:
    return {element: child for element, child in children.items() if child.members or child.children}


def parse(fields_v1: JsonObject) -> FieldSet:
    """Return the set that a FieldsV1 object holds; invalid entries are ignored.

    Keys and values are compared by meaning, not by spelling; of two spellings of one element the last counts.
    """
    return parse_spelled(fields_v1)[0]


def parse_spelled(fields_v1: JsonObject) -> tuple[FieldSet, bool]:
    """Return the set, and whether all elements are spelled as the server spells them."""
    respelled: list[Element] = []
    fields = _parse(fields_v1, respelled)
    return fields, not respelled


def _parse(fields_v1: JsonObject, respelled: list[Element]) -> FieldSet:
    """Return the set; elements that the server spells differently are added to ``respelled``."""
    members: set[Element] = set()
    children: dict[Element, FieldSet] = {}
    for found, inner in fields_v1.items():
        element = found if found[:2] == _FIELD else _normal(found)
        if element is None or not isinstance(inner, dict):
            continue
        if element != found:
            respelled.append(element)
        below = _parse(inner, respelled) if inner else EMPTY
        if below is EMPTY or SELF in inner:
            members.add(element)
        if below is not EMPTY:
            children[element] = below
    return FieldSet(frozenset(members), children) if members or children else EMPTY


@lru_cache(maxsize=_REMEMBERED)
def _normal(text: str) -> Element | None:
    """Return a path element as the server spells it: without spaces, its keys sorted, whole numbers as such.

    ``None`` for an unknown kind of element, which newer servers may write; it is ignored.
    """
    try:
        if not text.startswith(_KINDS) or not _rank(text):
            return None
        if text[0] == "i" and int64(text[2:].strip()) is None:
            return None
    except ValueError:
        return None
    return f"{text[:2]}{gotext.encode(_whole_numbers(gotext.decode(text[2:])))}"


def _whole_numbers(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


_Tree: TypeAlias = dict[Element, "tuple[list[None], _Tree]"]


def of_paths(paths: Iterable[tuple[Element, ...]]) -> FieldSet:
    """Return the set of some paths, without the empty path, which is the whole object and in no set."""
    tree: _Tree = {}
    for path in paths:
        marks: list[None] = []
        level = tree
        for element in path:
            marks, level = level.setdefault(element, ([], {}))
        marks.append(None)
    return _freeze(tree)


def _freeze(tree: _Tree) -> FieldSet:
    members = frozenset(element for element, (marks, _) in tree.items() if marks)
    return FieldSet(members, {element: _freeze(inner) for element, (_, inner) in tree.items() if inner})


def to_path(elements: Iterable[Element]) -> Path:
    """Return a path of the set as steps into an object."""
    return tuple(map(_step, elements))


@lru_cache(maxsize=_REMEMBERED)
def _step(element: Element) -> PathStep:
    kind, _, text = element.partition(":")
    if kind == "f":
        return Field(text)
    if kind == "i":
        return Index(int(text))
    value = gotext.decode(text)
    return ByKey(tuple(value.items())) if kind == "k" and isinstance(value, dict) else ByValue(value)


def render(elements: Iterable[Element]) -> str:
    """Return a path as the server prints it in conflicts: ``.spec.ports[port=80,protocol="TCP"].name``."""
    return "".join(map(_render, elements))


def _render(element: Element) -> str:
    """Return one path element as conflicts print it."""
    kind, _, text = element.partition(":")
    if kind == "f":
        return f".{text}"
    if kind == "i":
        return f"[{text}]"
    if kind == "v":
        return f"[={text}]"
    keys = gotext.decode(text)
    return "[" + ",".join(f"{name}={gotext.encode(keys[name])}" for name in sorted(keys)) + "]"
