"""Merges an applied configuration into a typed value, and removes paths from a value.

Mirrors ``Merge``, ``RemoveItems`` and ``EnsureNamedFieldsAreMembers`` of structured-merge-diff 6.3.3, the release in
Kubernetes 1.36.3.
"""

from collections.abc import Iterator, Sequence

from kubectl_applylint.core.values import MISSING, Json, Missing
from kubectl_applylint.merge.fieldset import Element, FieldSet, field_element
from kubectl_applylint.merge.typed import (
    DEDUCED,
    MergeForm,
    below,
    duplicates,
    elements_of,
    form_of,
    is_declared,
    item_of,
    member_of,
)
from kubectl_applylint.merge.typed_walk import LEAVES, is_bare
from kubectl_applylint.schema.types import Node


def merge(node: Node, live: Json | Missing, config: Json | Missing) -> Json | Missing:
    """Return ``live`` with an applied ``config`` merged in; null or empty values keep the live value."""
    if config is MISSING or live is MISSING:
        return live if config is MISSING else config
    form = form_of(node, live if config is None else config)
    if form in LEAVES or (is_bare(live) and is_bare(config)):
        return config
    if form is MergeForm.MAP:
        return _merge_maps(node, live, config)
    return _merge_lists(node, live or [], config or [])


def _merge_maps(node: Node, live: Json, config: Json) -> Json:
    olds, news = (side if isinstance(side, dict) else {} for side in (live, config))
    merged = dict(olds)
    for name, value in news.items():
        merged[name] = merge(member_of(node, name) or DEDUCED, olds[name], value) if name in olds else value
    return merged


def _merge_lists(node: Node, live: list[Json], config: list[Json]) -> list[Json]:
    """Interleave two lists: elements of the config in its order, live-only elements before their successors."""
    olds, news = elements_of(node, live), elements_of(node, config)
    doubles, inner = duplicates(olds), item_of(node)
    known = {element: item for element, item in zip(olds, live, strict=True) if element not in doubles}
    merged = []
    for old, new in _positions(olds, news):
        if new is None:
            merged.append(live[old])
        else:
            merged.append(merge(inner, known.get(news[new], MISSING), config[new]))
    return merged


def _positions(olds: Sequence[Element], news: Sequence[Element]) -> Iterator[tuple[int, int | None]]:
    """Yield the positions of the merged list's elements: in live and ``None``, or in the config."""
    wanted, there = set(news), set(olds)
    shared = iter([element for element in news if element in there])
    next_shared = next(shared, None)
    done: set[Element] = set()
    left, right = 0, 0
    while left < len(olds) or right < len(news):
        old = olds[left] if left < len(olds) else None
        new = news[right] if right < len(news) else None
        if old is not None and old not in wanted:
            yield left, None
            left += 1
        elif new is None or (old is not None and _must_wait(old, new, next_shared)):
            left += 1
        else:
            yield left, right
            left, right = left + (old == new or old in done), right + 1
            done.add(new)
            next_shared = next(shared, None) if new == next_shared else next_shared


def _must_wait(old: Element, new: Element, next_shared: Element | None) -> bool:
    """Return whether a shared live element has to wait for its place in the config."""
    return old != new and next_shared is not None and next_shared != old


def remove(node: Node, value: Json, gone: FieldSet) -> Json:
    """Return ``value`` without the items of a set; a map or list that loses everything becomes null."""
    form = form_of(node, value)
    if form is MergeForm.SCALAR:
        return value
    if form is MergeForm.ATOMIC or not value:
        return None
    if isinstance(value, dict):
        return _remove_from_map(node, value, gone)
    inner = item_of(node)
    kept = [
        _remove_below(inner, item, gone.below(element))
        for element, item in zip(elements_of(node, value), value, strict=True)
        if element not in gone.members
    ]
    return kept or None


def _remove_from_map(node: Node, value: Json, gone: FieldSet) -> Json:
    kept = {
        name: _remove_below(member_of(node, name) or DEDUCED, item, gone.below(field_element(name)))
        for name, item in value.items()
        if field_element(name) not in gone.members
    }
    return kept or None


def _remove_below(node: Node, item: Json, gone: FieldSet) -> Json:
    return remove(node, item, gone) if gone else item


def with_named_fields(node: Node, fields: FieldSet) -> FieldSet:
    """Return the set with every declared field that has members below: a struct is removed with its last field."""
    named = {e for e in fields.children if e.startswith("f:") and is_declared(node, e[2:])}
    children = {element: with_named_fields(below(node, element), inner) for element, inner in fields.children.items()}
    return FieldSet(fields.members | named, children)
