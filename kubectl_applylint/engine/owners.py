"""Owners of the fields of an object, and the changes of ownership by an apply."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias

from kubectl_applylint.core.outcome import Owner, OwnerChange
from kubectl_applylint.core.paths import get
from kubectl_applylint.core.values import MISSING, Json, JsonObject, mapping, objects_at
from kubectl_applylint.merge.fieldset import EMPTY, Element, FieldSet, to_path
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec

Owners: TypeAlias = Mapping[Owner, FieldSet]
_Entries: TypeAlias = Mapping[Owner, list[Json]]


def owners_of(stored: JsonObject) -> Owners:
    """Return the fields of each manager, in the order of managedFields.

    The fields that one manager wrote in several versions are merged.
    """
    codec = ManagedFieldsCodec()
    return {owner: _union(trees, codec) for owner, trees in _entries(stored).items()}


def owner_changes(live: JsonObject, after: JsonObject, codec: ManagedFieldsCodec) -> tuple[OwnerChange, ...]:
    """Return the fields of ``after`` whose owners changed, managers and fields in the server's order.

    ``codec`` is that of the request.
    """
    before, later = _entries(live), _entries(after)
    if before == later:
        return ()
    old = {owner: _union(trees, codec) for owner, trees in before.items()}
    new = {owner: old[owner] if before.get(owner) == trees else _union(trees, codec) for owner, trees in later.items()}
    moved = EMPTY
    for owner in dict.fromkeys((*before, *later)):
        moved |= _difference(old.get(owner, EMPTY), new.get(owner, EMPTY))
    return tuple(_changes(moved, old, new, after)) if moved else ()


def _entries(stored: JsonObject) -> _Entries:
    """Return the FieldsV1 objects of each manager without parsing them."""
    found: dict[Owner, list[Json]] = {}
    for entry in objects_at(stored, "metadata", "managedFields"):
        found.setdefault(_owner(entry), []).append(entry.get("fieldsV1"))
    return found


def _owner(entry: JsonObject) -> Owner:
    name, operation, subresource = (entry.get(key) for key in ("manager", "operation", "subresource"))
    return Owner(str(name or "unknown"), str(operation or ""), str(subresource or ""))


def _union(trees: list[Json], codec: ManagedFieldsCodec) -> FieldSet:
    owned = EMPTY
    for tree in trees:
        owned |= codec.parse(mapping(tree))
    return owned


def _difference(old: FieldSet, new: FieldSet) -> FieldSet:
    return EMPTY if old is new else (old - new) | (new - old)


def _changes(moved: FieldSet, before: Owners, later: Owners, after: JsonObject) -> Iterator[OwnerChange]:
    for elements in moved.paths():
        path = to_path(elements)
        left, right = _owners_with(before, elements), _owners_with(later, elements)
        is_lost = left and not right and not any(_still_holds(owner, elements, before, later) for owner in left)
        # A map whose entries have owners is not a field that stays behind.
        is_lost = is_lost and not any(_below(owned, elements) for owned in later.values())
        if get(after, path) is not MISSING and (right or is_lost):
            yield OwnerChange(path, left, right)


def _still_holds(owner: Owner, elements: tuple[Element, ...], before: Owners, later: Owners) -> bool:
    """Return whether the owner of a value now owns its parts, or the owner of the parts now owns the value.

    This happens after a write in a version in which the same value is atomic, or is not.
    """
    old, new = before.get(owner, EMPTY), later.get(owner, EMPTY)
    if not _below(old, elements) and _below(new, elements):
        return True
    outer = [elements[:length] for length in range(1, len(elements))]
    return any(new.has(path) and not _below(new, path) for path in outer)


def _below(owned: FieldSet, elements: tuple[Element, ...]) -> FieldSet:
    for element in elements:
        owned = owned.below(element)
    return owned


def _owners_with(owners: Owners, elements: tuple[Element, ...]) -> tuple[Owner, ...]:
    return tuple(sorted(owner for owner in owners if owners[owner].has(elements)))
