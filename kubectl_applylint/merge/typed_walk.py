"""What server-side apply does with typed values: which paths they own, how two differ, merge, and lose items.

Mirrors ``typed`` of structured-merge-diff 6.3.3, the release in Kubernetes 1.36.3.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kubectl_applylint.merge.fieldset import Element, FieldSet, field_element, of_paths
from kubectl_applylint.merge.typed import (
    DEDUCED,
    Form,
    element_of,
    form_of,
    is_declared,
    item_of,
    member_of,
    members,
    repeated,
)
from kubectl_applylint.schema.types import Node
from kubectl_applylint.values import MISSING, Json, Missing

Trail = tuple[Element, ...]
_LEAVES = (Form.SCALAR, Form.ATOMIC)


def field_set(node: Node, value: Json) -> FieldSet:
    """Return the paths that a manager owns who applies ``value``."""
    return of_paths(_owned(node, value, ()))


def _owned(node: Node, value: Json, trail: Trail) -> Iterator[Trail]:
    if form_of(node, value) in _LEAVES:
        yield trail
        return
    elements = [member.element for member in members(node, value)]
    doubles = repeated(elements) if isinstance(value, list) else frozenset()
    yield from ((*trail, element) for element in sorted(doubles))
    for member in members(node, value):
        if member.element in doubles:
            continue
        inner = (*trail, member.element)
        if isinstance(value, list) or not member.declared or member.value is None or member.value == {}:
            yield inner
        yield from _owned(member.node, member.value, inner)


@dataclass(frozen=True, slots=True)
class Comparison:
    """The paths by which one object differs from another; no path is in two of the sets."""

    added: FieldSet
    modified: FieldSet
    removed: FieldSet

    def without(self, ignored: FieldSet) -> "Comparison":
        """Return the comparison without some paths and what lies below them."""
        return Comparison(self.added.without(ignored), self.modified.without(ignored), self.removed.without(ignored))


def compare(node: Node, old: Json, new: Json) -> Comparison:
    """Return how ``new`` differs from ``old``; a new map or element counts itself and everything in it."""
    found: dict[str, list[Trail]] = {"added": [], "modified": [], "removed": []}
    for side, trail in _differences(node, old, new, ()):
        found[side].append(trail)
    return Comparison(of_paths(found["added"]), of_paths(found["modified"]), of_paths(found["removed"]))


def _differences(node: Node, old: Json | Missing, new: Json | Missing, trail: Trail) -> Iterator[tuple[str, Trail]]:
    if old is new:
        return
    form = form_of(node, old if new is MISSING or new is None else new)
    if form in _LEAVES or (_is_bare(old) and _is_bare(new)):
        if old is MISSING or new is MISSING or not same(old, new):
            yield _side(old, new), trail
        return
    if form is Form.MAP:
        yield from _map_differences(node, old, new, trail)
    else:
        yield from _list_differences(node, old, new, trail)
    if old is MISSING or new is MISSING:
        yield _side(old, new), trail


def _side(old: Json | Missing, new: Json | Missing) -> str:
    if old is MISSING:
        return "added"
    return "removed" if new is MISSING else "modified"


def _is_bare(value: Json | Missing) -> bool:
    """Tell whether a value is absent, null or an empty map or list."""
    return value is MISSING or value is None or value in ({}, [])


def same(left: Json, right: Json) -> bool:
    """Tell whether two values are equal for server-side apply, where ``1`` and ``1.0`` are."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def _map_differences(node: Node, old: Json, new: Json, trail: Trail) -> Iterator[tuple[str, Trail]]:
    olds, news = (side if isinstance(side, dict) else {} for side in (old, new))
    for name in dict.fromkeys((*olds, *news)):
        inner = member_of(node, name) or DEDUCED
        yield from _differences(inner, olds.get(name, MISSING), news.get(name, MISSING), (*trail, field_element(name)))


def _list_differences(node: Node, old: Json, new: Json, trail: Trail) -> Iterator[tuple[str, Trail]]:
    olds, news = _by_element(node, old), _by_element(node, new)
    for element in dict.fromkeys((*olds, *news)):
        before, after = olds.get(element, []), news.get(element, [])
        yield from _item_differences(item_of(node), before, after, (*trail, element))


def _by_element(node: Node, value: Json | Missing) -> dict[Element, list[Json]]:
    found: dict[Element, list[Json]] = {}
    for item in value if isinstance(value, list) else ():
        found.setdefault(element_of(node, item), []).append(item)
    return found


def _item_differences(node: Node, before: list[Json], after: list[Json], trail: Trail) -> Iterator[tuple[str, Trail]]:
    """Compare what stands under one element; elements that stand there twice count as one opaque thing."""
    if len(before) > 1 and len(after) > 1:
        if not same(before, after):
            yield "modified", trail
        return
    old = before[0] if len(before) == 1 else MISSING
    new = after[0] if len(after) == 1 else MISSING
    yield from _differences(node, old, new, trail)
    if len(before) > 1:
        yield "removed", trail
    if len(after) > 1:
        yield "added", trail


def merge(node: Node, live: Json | Missing, config: Json | Missing) -> Json | Missing:
    """Return ``live`` with an applied ``config`` merged in; null or empty over something keeps what is there."""
    if config is MISSING or live is MISSING:
        return live if config is MISSING else config
    form = form_of(node, live if config is None else config)
    if form in _LEAVES or (_is_bare(live) and _is_bare(config)):
        return config
    if form is Form.MAP:
        return _merge_maps(node, live, config)
    return _merge_lists(node, live or [], config or [])


def _merge_maps(node: Node, live: Json, config: Json) -> Json:
    olds, news = (side if isinstance(side, dict) else {} for side in (live, config))
    merged = {
        name: merge(member_of(node, name) or DEDUCED, olds.get(name, MISSING), news.get(name, MISSING))
        for name in dict.fromkeys((*olds, *news))
    }
    return {name: value for name, value in merged.items() if value is not MISSING}


def _merge_lists(node: Node, live: list[Json], config: list[Json]) -> list[Json]:
    """Interleave two lists: the config's order for what it names, live-only elements before what they preceded."""
    olds = [element_of(node, item) for item in live]
    news = [element_of(node, item) for item in config]
    wanted = dict(zip(news, config, strict=True))
    known = {element: item for element, item in zip(olds, live, strict=True) if element not in repeated(olds)}
    merged: list[Json] = []
    for element in _interleaved(olds, news):
        if element in wanted:
            merged.append(merge(item_of(node), known.get(element, MISSING), wanted[element]))
        else:
            merged.append(live[olds.index(element)])
            olds[olds.index(element)] = ""  # the next of its likes is another one
    return merged


def _interleaved(olds: Sequence[Element], news: Sequence[Element]) -> Iterator[Element]:
    """Yield every element of the merged list; elements that only live has may come more than once."""
    shared = [element for element in news if element in olds]
    done: set[Element] = set()
    left, right = 0, 0
    while left < len(olds) or right < len(news):
        old = olds[left] if left < len(olds) else None
        if old is not None and old not in news:
            yield old
            left += 1
        elif old is not None and (old in done or _is_out_of_turn(old, news, right, shared)):
            left += 1
        else:
            new = news[right]
            yield new
            done.add(new)
            shared = [element for element in shared if element != new]
            left, right = left + (old == new), right + 1


def _is_out_of_turn(old: Element, news: Sequence[Element], right: int, shared: Sequence[Element]) -> bool:
    """Tell whether a shared element of live has to wait for its place in the config."""
    return right < len(news) and old != news[right] and bool(shared) and shared[0] != old


def remove(node: Node, value: Json, gone: FieldSet) -> Json:
    """Return ``value`` without the items of a set; a map or list that loses everything becomes null."""
    form = form_of(node, value)
    if form is Form.SCALAR:
        return value
    if form is Form.ATOMIC or not value:
        return None
    if form is Form.MAP:
        return _remove_from_map(node, value, gone)
    return _remove_from_list(node, value, gone)


def _remove_from_map(node: Node, value: Json, gone: FieldSet) -> Json:
    kept = {
        name: _remove_below(member_of(node, name) or DEDUCED, item, gone.below(field_element(name)))
        for name, item in value.items()
        if field_element(name) not in gone.members
    }
    return kept or None


def _remove_from_list(node: Node, value: Json, gone: FieldSet) -> Json:
    elements = [element_of(node, item) for item in value]
    kept = [
        _remove_below(item_of(node), item, gone.below(element))
        for element, item in zip(elements, value, strict=True)
        if element not in gone.members
    ]
    return kept or None


def _remove_below(node: Node, item: Json, gone: FieldSet) -> Json:
    return remove(node, item, gone) if gone else item


def with_named_fields(node: Node, fields: FieldSet) -> FieldSet:
    """Return the set with every declared field that it holds something below: so a struct goes with its last field."""
    named = {e for e in fields.children if e.startswith("f:") and is_declared(node, e[2:])}
    children = {element: with_named_fields(below(node, element), inner) for element, inner in fields.children.items()}
    return FieldSet(fields.members | named, children)


def below(node: Node, element: Element) -> Node:
    """Return the schema of what a path element leads to."""
    if element.startswith("f:"):
        return member_of(node, element[2:]) or DEDUCED
    return item_of(node)
