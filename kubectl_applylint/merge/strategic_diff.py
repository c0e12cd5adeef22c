"""The difference of two objects as a strategic merge patch, as kubectl computes it.

Mirrors the diff half of apimachinery's ``strategicpatch``: the patch of each field depends on its patch strategy.
"""

from collections.abc import Sequence

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, equal
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.lookup import element_of, field_of
from kubectl_applylint.merge.order import PATCH, check_types, index_of, key_of, sort_by_order, sort_by_text
from kubectl_applylint.schema.types import Node

RETAIN_KEYS = "$retainKeys"
SET_ORDER = "$setElementOrder/"
DELETE_FROM = "$deleteFromPrimitiveList/"


@dataclass(frozen=True, slots=True)
class DiffParts:
    """Which half of a difference is computed, and whether it includes the order of lists."""

    changes: bool
    deletions: bool
    order: bool = True


CHANGES = DiffParts(changes=True, deletions=False)
DELETIONS = DiffParts(changes=False, deletions=True)
EVERYTHING = DiffParts(changes=True, deletions=True, order=False)
"""Changes and deletions without the order: kubectl only searches such a difference for contradictions."""


def diff(old: JsonObject, new: JsonObject, node: Node, ask: DiffParts, *, retain: bool = False) -> dict[str, Json]:
    """Return the patch from ``old`` to ``new``, ``{}`` if they are equal; raise ``MergeError`` as kubectl does.

    ``retain`` states that the map itself has the strategy ``$retainKeys``.
    """
    patch: dict[str, Json] = {}
    for key in sorted(new):
        value = new[key]
        if type(value) is not str or old.get(key) != value:  # most fields are texts that are equal
            patch.update(_field(key, old, new, node, ask))
    if ask.deletions:
        patch.update({key: None for key in old if key not in new})
    return {**patch, **_retain_keys(old, new, patch)} if retain else patch


def _field(key: str, old: JsonObject, new: JsonObject, node: Node, ask: DiffParts) -> dict[str, Json]:
    """Return the entry of the patch for one key of ``new``."""
    if key not in old:
        return {key: new[key]} if ask.changes else {}
    left, right = old[key], new[key]
    if key == PATCH:
        if not isinstance(left, str) or not isinstance(right, str):
            raise MergeError(f"invalid value for special key: {PATCH}")
        return {PATCH: right} if left != right else {}
    if type(left) is not type(right):
        return {key: right} if ask.changes else {}
    if isinstance(right, dict):
        return _map_field(key, left, right, node, ask)
    if isinstance(right, list):
        return _list_field(key, left, right, node, ask)
    return {key: right} if ask.changes and not equal(left, right) else {}


def _known_field(key: str, left: Json, right: Json, node: Node) -> Node | None:
    """Return the schema of a field that differs; ``None`` for an unknown field if both sides are equal."""
    try:
        return field_of(node, key)
    except MergeError:
        if equal(left, right):
            return None
        raise


def _map_field(key: str, left: JsonObject, right: JsonObject, node: Node, ask: DiffParts) -> dict[str, Json]:
    field = _known_field(key, left, right, node)
    if field is None:
        return {}
    if field.replaces:
        return {key: right} if ask.changes else {}
    inner = diff(left, right, field, ask, retain=field.retains_keys)
    return {key: inner} if inner else {}


def _list_field(key: str, left: list[Json], right: list[Json], node: Node, ask: DiffParts) -> dict[str, Json]:
    """Return the patch entries for a list: the list, its order directive and its deletions."""
    field = _known_field(key, left, right, node)
    if field is None:
        return {}
    if not field.merges:
        return {key: right} if ask.changes and not equal(left, right) else {}
    if not left:
        return {key: right} if right and ask.changes else {}
    if check_types(left, right) is dict:
        return _object_list(key, left, right, field, ask)
    return _scalar_list(key, left, right, ask)


def _retain_keys(old: JsonObject, new: JsonObject, patch: JsonObject) -> dict[str, Json]:
    """Return the directive that drops the other members of a union, if it is needed."""
    keep = sorted(key for key, value in new.items() if value is not None)
    dropped = any(value is not None and key not in new for key, value in old.items())
    return {RETAIN_KEYS: keep} if keep and (patch or dropped) else {}


def _object_list(key: str, left: Sequence[Json], right: list[Json], field: Node, ask: DiffParts) -> dict[str, Json]:
    merge_key = field.merge_key
    changed, deleted = _pair_off(left, right, field, ask)
    elements = sort_by_order(changed, right, merge_key) + deleted
    reordered = not _same_keys(left, right, merge_key) and ask.changes
    is_due = ask.order and (elements or reordered)
    order = [{merge_key: key_of(element, merge_key)} for element in right] if is_due else []
    return {k: v for k, v in ((key, elements), (SET_ORDER + key, order)) if v}


def _pair_off(
    left: Sequence[Json], right: Sequence[Json], field: Node, ask: DiffParts
) -> tuple[list[Json], list[Json]]:
    """Return the elements to write and the deletions, by a walk over both lists sorted by key."""
    merge_key = field.merge_key
    olds, news = sort_by_text(left, merge_key), sort_by_text(right, merge_key)
    changed: list[Json] = []
    deleted: list[Json] = []
    while olds or news:
        side = _compare(olds, news, merge_key)
        if side == 0:
            changed += _pair(olds.pop(0), news.pop(0), field, ask)
        elif side < 0:
            gone = key_of(olds.pop(0), merge_key)
            deleted += [{PATCH: "delete", merge_key: gone}] if ask.deletions else []
        else:
            added = news.pop(0)
            changed += [added] if ask.changes else []
    return changed, deleted


def _compare(olds: Sequence[Json], news: Sequence[Json], merge_key: str) -> int:
    """Return which element comes next: -1 the old list's, 1 the new one's, 0 both, by the text of the keys."""
    if not olds or not news:
        return -1 if olds else 1
    old, new = gotext.show(key_of(olds[0], merge_key)), gotext.show(key_of(news[0], merge_key))
    return (old > new) - (old < new)


def _pair(old: JsonObject, new: JsonObject, field: Node, ask: DiffParts) -> list[Json]:
    inner = diff(old, new, element_of(field), ask, retain=field.retains_keys)
    return [{**inner, field.merge_key: new[field.merge_key]}] if inner else []


def _same_keys(left: Sequence[Json], right: Sequence[Json], merge_key: str) -> bool:
    return len(left) == len(right) and all(
        equal(key_of(old, merge_key), key_of(new, merge_key)) for old, new in zip(left, right, strict=True)
    )


def _scalar_list(key: str, left: Sequence[Json], right: list[Json], ask: DiffParts) -> dict[str, Json]:
    """Compare lists of scalars as multisets; the old list is sorted first, so an unsorted one is re-ordered."""
    olds, news = sort_by_text(left, ""), sort_by_text(right, "")
    sorted_left = list(olds)
    added: list[Json] = []
    deleted: list[Json] = []
    while olds or news:
        side = _compare(olds, news, "")
        old = olds.pop(0) if side <= 0 else None
        new = news.pop(0) if side >= 0 else None
        if side < 0 and ask.deletions and index_of(deleted, old, "") < 0:
            deleted.append(old)
        if side > 0 and ask.changes:
            added.append(new)
    reordered = (ask.deletions and bool(deleted)) or (ask.changes and not equal(sorted_left, right))
    order = right if reordered and ask.order else []
    parts = ((key, sort_by_order(added, right, "")), (DELETE_FROM + key, deleted), (SET_ORDER + key, order))
    return {name: value for name, value in parts if value}
