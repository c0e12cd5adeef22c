"""The paths of a typed value, and the paths by which two typed values differ.

Mirrors ``ToFieldSet`` and ``Compare`` of structured-merge-diff 6.3.3, the release in Kubernetes 1.36.3.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from kubectl_applylint.core.values import MISSING, Json, Missing, reuse
from kubectl_applylint.merge.fieldset import EMPTY, Element, FieldSet, field_element
from kubectl_applylint.merge.typed import (
    DEDUCED,
    MergeForm,
    duplicates,
    element_of,
    elements_of,
    form_of,
    item_of,
    member_of,
)
from kubectl_applylint.schema.types import Node

LEAVES: Final = (MergeForm.SCALAR, MergeForm.ATOMIC)
_SCALARS: Final = frozenset({str, int, float, bool})
"""Types of values that are leaves with any schema."""
Side: TypeAlias = Literal["added", "modified", "removed"]


def field_set(node: Node, value: Json) -> FieldSet:
    """Return the paths that an applier of ``value`` owns; raise ``TypedError`` for an element without keys."""
    if form_of(node, value) in LEAVES:
        return EMPTY
    if isinstance(value, dict):
        return _map_fields(node, value)
    return _list_fields(node, value) if isinstance(value, list) else EMPTY


def _map_fields(node: Node, value: Mapping[str, Json]) -> FieldSet:
    members, children, declared = set[Element](), dict[Element, FieldSet](), node.fields
    for name, item in value.items():
        element = field_element(name)
        if type(item) in _SCALARS:
            members.add(element)
            continue
        inner = member_of(node, name) or DEDUCED
        if form_of(inner, item) in LEAVES:
            members.add(element)
            continue
        fields = field_set(inner, item)
        if name not in declared or item is None or item == {}:
            members.add(element)
        if fields:
            children[element] = fields
    return FieldSet(frozenset(members), children)


def _list_fields(node: Node, items: list[Json]) -> FieldSet:
    """Return the paths of a set or keyed list; duplicate elements own nothing below."""
    elements, inner = elements_of(node, items), item_of(node)
    doubles = duplicates(elements)
    fields = ((element, field_set(inner, item)) for element, item in zip(elements, items, strict=True))
    return FieldSet(frozenset(elements), {element: set_ for element, set_ in fields if set_ and element not in doubles})


class Comparison(NamedTuple):
    """The paths by which one object differs from another; no path is in two of the sets."""

    added: FieldSet = EMPTY
    modified: FieldSet = EMPTY
    removed: FieldSet = EMPTY

    def without(self, ignored: FieldSet) -> "Comparison":
        """Return the comparison without some paths and the paths below them."""
        return Comparison(self.added.without(ignored), self.modified.without(ignored), self.removed.without(ignored))

    def __or__(self, other: "Comparison") -> "Comparison":
        """Return the paths of either comparison."""
        return Comparison(self.added | other.added, self.modified | other.modified, self.removed | other.removed)


class _Found(NamedTuple):
    """The difference at one place: ``marks`` for the place itself, ``below`` for its children."""

    marks: frozenset[Side] = frozenset()
    below: Comparison = Comparison()

    def __or__(self, other: "_Found") -> "_Found":
        return _Found(self.marks | other.marks, self.below | other.below)


_SAME: Final = _Found()
_SIDES: Final[tuple[Side, ...]] = ("added", "modified", "removed")
_ADDED: Final[frozenset[Side]] = frozenset({"added"})
_MODIFIED: Final[frozenset[Side]] = frozenset({"modified"})
_REMOVED: Final[frozenset[Side]] = frozenset({"removed"})
_NEW_LEAF: Final = _Found(_ADDED)
_OTHER_LEAF: Final = _Found(_MODIFIED)


def compare(node: Node, old: Json, new: Json) -> Comparison:
    """Return the difference from ``old`` to ``new``; a new map or element counts with everything in it."""
    return _difference(node, old, reuse(old, new)).below


def _difference(node: Node, old: Json | Missing, new: Json | Missing) -> _Found:
    """Return the difference of two values at one place."""
    if old is new:
        return _SAME
    if type(new) in _SCALARS and (old is MISSING or type(old) in _SCALARS):
        return _NEW_LEAF if old is MISSING else _SAME if same(old, new) else _OTHER_LEAF
    if old is MISSING:
        return _Found(_ADDED, Comparison(added=_everything(node, new)))
    if new is MISSING:
        return _Found(_REMOVED, Comparison(removed=_everything(node, old)))
    forms = _forms(node, old, new)
    found = _formed_difference(forms[0], node, old, new)
    for form in forms[1:]:
        found |= _formed_difference(form, node, old, new)
    return found


def _forms(node: Node, old: Json | Missing, new: Json | Missing) -> list[MergeForm]:
    """Return the forms by which two values are compared: more than one without a schema."""
    sides = [side for side in (old, new) if side is not MISSING and side is not None]
    return list(dict.fromkeys(form_of(node, side) for side in sides)) or [form_of(node, None)]


def _formed_difference(form: MergeForm, node: Node, old: Json | Missing, new: Json | Missing) -> _Found:
    if form in LEAVES or (is_bare(old) and is_bare(new)):
        return _SAME if same(old, new) else _OTHER_LEAF
    return _Found(below=_map_difference(node, old, new) if form is MergeForm.MAP else _list_difference(node, old, new))


def _everything(node: Node, value: Json | Missing) -> FieldSet:
    """Return the paths of everything in a value; of duplicate elements only their own."""
    if is_bare(value):
        return EMPTY
    form = form_of(node, value)
    if form is MergeForm.MAP and isinstance(value, dict):
        inner = ((field_element(name), member_of(node, name) or DEDUCED, item) for name, item in value.items())
    elif form in (MergeForm.KEYED, MergeForm.SET) and isinstance(value, list):
        grouped = _by_element(node, value).items()
        inner = ((element, item_of(node), items[0] if len(items) == 1 else MISSING) for element, items in grouped)
    else:
        return EMPTY
    found = {element: EMPTY if type(item) in _SCALARS else _everything(below, item) for element, below, item in inner}
    return FieldSet(frozenset(found), {element: fields for element, fields in found.items() if fields})


def is_bare(value: Json | Missing) -> bool:
    """Return whether a value is absent, null or an empty map or list."""
    return value is MISSING or value is None or value in ({}, [])


def same(left: Json, right: Json) -> bool:
    """Return whether two values are equal for server-side apply, where ``1`` and ``1.0`` are equal."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _map_difference(node: Node, old: Json | Missing, new: Json | Missing) -> Comparison:
    olds, news = (side if isinstance(side, dict) else {} for side in (old, new))
    differing = [name for name, item in news.items() if olds.get(name, MISSING) is not item]
    gone = [name for name in olds if name not in news]
    return _combine(
        (
            field_element(name),
            _difference(member_of(node, name) or DEDUCED, olds.get(name, MISSING), news.get(name, MISSING)),
        )
        for name in (*differing, *gone)
    )


def _list_difference(node: Node, old: Json | Missing, new: Json | Missing) -> Comparison:
    olds, news = _by_element(node, old), _by_element(node, new)
    inner = item_of(node)
    return _combine(
        (element, _item_difference(inner, olds.get(element, []), news.get(element, [])))
        for element in dict.fromkeys((*olds, *news))
    )


def _by_element(node: Node, value: Json | Missing) -> dict[Element, list[Json]]:
    found: dict[Element, list[Json]] = {}
    for item in value if isinstance(value, list) else ():
        found.setdefault(element_of(node, item), []).append(item)
    return found


def _item_difference(node: Node, before: list[Json], after: list[Json]) -> _Found:
    """Compare the values under one element; duplicate elements count as one opaque value."""
    if len(before) > 1 and len(after) > 1:
        return _SAME if same(before, after) else _Found(_MODIFIED)
    old = before[0] if len(before) == 1 else MISSING
    new = after[0] if len(after) == 1 else MISSING
    doubled: set[Side] = set()
    if len(before) > 1:
        doubled.add("removed")
    if len(after) > 1:
        doubled.add("added")
    return _difference(node, old, new) | _Found(frozenset(doubled))


def _combine(found: Iterable[tuple[Element, _Found]]) -> Comparison:
    """Return the comparison of a map or list from those of its children."""
    members: tuple[list[Element], ...] = ([], [], [])
    children: tuple[dict[Element, FieldSet], ...] = ({}, {}, {})
    for element, (marks, comparison) in found:
        for side in marks:
            members[_SIDES.index(side)].append(element)
        if comparison is not _SAME.below:
            _put(children, element, comparison)
    if not any(members) and not any(children):
        return _SAME.below
    return Comparison(*map(_set_of, members, children))


def _put(children: Iterable[dict[Element, FieldSet]], element: Element, comparison: Comparison) -> None:
    for inner, fields in zip(children, comparison, strict=True):
        if fields.members or fields.children:
            inner[element] = fields


def _set_of(members: list[Element], children: dict[Element, FieldSet]) -> FieldSet:
    return FieldSet(frozenset(members), children) if members or children else EMPTY
