"""Merging lists element by element, with the server's order of the result."""

from collections.abc import Callable, Sequence

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal
from kubectl_applylint.merge.errors import MergeError, bad_patch_type, bad_type, no_merge_key
from kubectl_applylint.merge.order import PATCH, check_types, index_of, interleave, is_deletion, key_of


@dataclass(frozen=True, slots=True)
class ListRules:
    """How one list merges; ``merge_element`` merges a patch element into the live element of the same key."""

    merges: bool
    merge_key: str
    merge_element: Callable[[JsonObject, JsonObject], JsonObject]


@dataclass(frozen=True, slots=True)
class Merged:
    """A merged list, and the list that the server uses as its earlier order (``Backing``)."""

    elements: list[Json]
    before: list[Json]


@dataclass(frozen=True, slots=True)
class Backing:
    """The memory of a live list while the server edits it: deletions shift it, additions reuse the free cells.

    The server compares positions in this memory. Elements added after a deletion thus count as being at the end of the
    live list; those added without one count as absent from it.
    """

    cells: tuple[Json, ...]
    used: int
    shared: bool = True

    def without(self, position: int) -> "Backing":
        """Return the memory after the element at ``position`` is deleted; the last cell keeps its stale content."""
        cells = self.cells[:position] + self.cells[position + 1 : self.used] + self.cells[self.used - 1 :]
        return Backing(cells, self.used - 1)

    def append(self, element: Json) -> "Backing":
        """Return the memory after an element is appended; it stays the same once an element does not fit."""
        if not self.shared or self.used >= len(self.cells):
            return Backing(self.cells, self.used, shared=False)
        return Backing((*self.cells[: self.used], element, *self.cells[self.used + 1 :]), self.used + 1)


def merge_list(old: list[Json], new: list[Json], rules: ListRules) -> Merged:
    """Return ``old`` with the patch list ``new`` merged in; a list that does not merge is replaced."""
    if not rules.merges:
        return Merged(new, old)
    kind = check_types(old, new)
    if kind is None:
        return Merged(old, old)
    if kind is not dict:
        return Merged(interleave(_unique([*old, *new]), new, old, ""), old)
    if not rules.merge_key:
        raise MergeError(f"cannot merge lists without merge key for {gotext.show(new)}")
    kept, additions, backing = _apply_directives(old, new, rules.merge_key)
    merged = list(kept)
    for element in additions:
        place = index_of(merged, key_of(element, rules.merge_key), rules.merge_key)
        if place >= 0:
            merged[place] = rules.merge_element(merged[place], element)
        else:
            merged.append(element)
            backing = backing.append(element)
    return Merged(interleave(merged, additions, kept, rules.merge_key), list(backing.cells))


def _unique(elements: Sequence[Json]) -> list[Json]:
    return [element for place, element in enumerate(elements) if index_of(elements[:place], element, "") < 0]


def _apply_directives(old: list[Json], new: list[Json], merge_key: str) -> tuple[list[Json], list[Json], Backing]:
    """Return the rest of ``old``, the plain elements of ``new``, and the memory of ``old`` after the deletions."""
    plain = [element for element in new if PATCH not in element]
    backing = Backing(tuple(old), len(old))
    for element in new:
        if is_deletion(element):
            backing = _delete(backing, element, merge_key)
        elif PATCH in element:
            _check_directive(element)
    if any(element.get(PATCH) == "replace" for element in new):
        return plain, [], backing
    return list(backing.cells[: backing.used]), plain, backing


def _delete(backing: Backing, directive: JsonObject, merge_key: str) -> Backing:
    if merge_key not in directive:
        raise no_merge_key(directive, merge_key)
    while (place := index_of(backing.cells[: backing.used], directive[merge_key], merge_key)) >= 0:
        backing = backing.without(place)
    return backing


def _check_directive(element: JsonObject) -> None:
    if element[PATCH] == "merge":
        raise MergeError("merging lists cannot yet be specified in the patch")
    if element[PATCH] != "replace":
        raise bad_patch_type(element[PATCH], element)


def ordered_list(old: Json | Missing, new: Json | Missing, order: Json, rules: ListRules) -> list[Json] | None:
    """Return the list after a patch that has an order directive; ``None`` if neither side has the list."""
    wanted, live, patch = _as_list(order) or [], _as_list(old), _as_list(new)
    _check_order(patch or [], wanted, rules.merge_key)
    if live is None and patch is None:
        return None
    merged = _merge_optional(live, patch, rules)
    if check_types(live or [], patch or []) is None:
        raise MergeError("no elements in any of the given slices")
    return interleave(merged.elements, wanted, merged.before, rules.merge_key)


def _as_list(value: Json | Missing) -> list[Json] | None:
    """Return a list, ``None`` for an absent one; raise ``MergeError`` for anything else, including null."""
    if value is MISSING:
        return None
    if not isinstance(value, list):
        raise bad_type("[]interface {}", value)
    return value


def _merge_optional(live: list[Json] | None, patch: list[Json] | None, rules: ListRules) -> Merged:
    if patch is None:
        return Merged(live or [], live or [])
    if live is None:
        return Merged([element for element in map(without_directives, patch) if element is not MISSING], [])
    return merge_list(live, patch, rules)


def _check_order(new: list[Json], order: list[Json], merge_key: str) -> None:
    """Raise an error unless the plain elements of the patch list have the order of the directive."""
    if not new or not order:
        return
    places = iter(order)
    for element in new:
        if isinstance(element, dict) and PATCH in element:
            continue
        key = key_of(element, merge_key)
        if not any(equal(key, key_of(place, merge_key)) for place in places):
            text = f"The order in patch list:\n{gotext.show(new)}\n doesn't match $setElementOrder list:\n"
            raise MergeError(f"{text}{gotext.show(order)}\n")


def without_directives(value: Json) -> Json | Missing:
    """Return ``value`` without maps with a ``$patch`` directive; ``MISSING`` if it is one itself."""
    if isinstance(value, dict):
        if PATCH in value:
            return MISSING
        cleaned = {key: without_directives(item) for key, item in value.items()}
        return {key: item for key, item in cleaned.items() if item is not MISSING}
    if isinstance(value, list):
        return [item for item in map(without_directives, value) if item is not MISSING]
    return value
