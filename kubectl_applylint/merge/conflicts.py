"""Conflicts between a patch and changes by others (``kubectl apply --overwrite=false``)."""

from collections.abc import Sequence

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.outcome import plain
from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.lookup import element_of, field_of
from kubectl_applylint.merge.order import PATCH, check_types, index_of, key_of, sort_by_text
from kubectl_applylint.merge.strategic_diff import EVERYTHING, RETAIN_KEYS, diff
from kubectl_applylint.schema.types import Node


def check_overwrite(patch: JsonObject, original: JsonObject, current: JsonObject, node: Node) -> None:
    """Raise ``MergeError`` if ``patch`` contradicts a change from ``original`` to ``current``."""
    changed = diff(original, current, node, EVERYTHING)
    if _maps_conflict(patch, changed, node):
        ours, theirs = encode(plain(patch)), encode(plain(changed))
        raise MergeError(f"patch:\n{ours}\nconflicts with changes made from original to current:\n{theirs}\n")


def _maps_conflict(left: JsonObject, right: JsonObject, node: Node) -> bool:
    shared = [key for key in left if key in right and key not in (PATCH, RETAIN_KEYS)]
    return any(_conflict(left[key], right[key], key, node) for key in shared)


def _conflict(left: Json, right: Json, key: str, node: Node) -> bool:
    if type(left) is not type(right):
        return True
    if isinstance(left, dict):
        field = field_of(node, key)
        return _directives_differ(left, right) or (not field.replaces and _maps_conflict(left, right, field))
    if isinstance(left, list):
        return _lists_conflict(left, right, field_of(node, key))
    return not equal(left, right)


def _directives_differ(left: JsonObject, right: JsonObject) -> bool:
    return (PATCH in left) != (PATCH in right) or left.get(PATCH) != right.get(PATCH)


def _lists_conflict(left: Sequence[Json], right: Sequence[Json], field: Node) -> bool:
    """Return whether two lists of a patch contradict each other."""
    kind = check_types(left, right)
    if kind is None:
        raise MergeError("no elements in any of the given slices")
    if field.merges:
        return kind is dict and _elements_conflict(left, right, field)
    if len(left) != len(right):
        return True
    if kind is dict:
        return any(
            _directives_differ(*pair) or _maps_conflict(*pair, element_of(field))
            for pair in zip(left, right, strict=True)
        )
    return not all(map(equal, _distinct(left), _distinct(right)))


def _distinct(scalars: Sequence[Json]) -> list[Json]:
    """Return scalars without duplicates, compared by their text."""
    ordered = sort_by_text(scalars, "")
    return [item for position, item in enumerate(ordered) if index_of(ordered, item, "") == position]


def _elements_conflict(left: Sequence[Json], right: Sequence[Json], field: Node) -> bool:
    for element in left:
        place = index_of(right, key_of(element, field.merge_key), field.merge_key)
        if place >= 0 and (
            _directives_differ(element, right[place]) or _maps_conflict(element, right[place], element_of(field))
        ):
            return True
    return False
