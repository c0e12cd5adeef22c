"""The order of merged lists: kubectl's ``$setElementOrder`` and the server's interleaving."""

from collections.abc import Sequence

from kubectl_applylint.core import gotext
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.merge.errors import MergeError, no_merge_key

PATCH = "$patch"
DELETE = "delete"


def key_of(element: Json, merge_key: str) -> Json:
    """Return what identifies an element: the value of its merge key, or the scalar itself."""
    if not merge_key:
        return element
    if merge_key not in element:
        raise no_merge_key(element, merge_key)
    return element[merge_key]


def index_of(elements: Sequence[Json], wanted: Json, merge_key: str) -> int:
    """Return the position of the first element identified by ``wanted`` (typed equality), -1 if there is none."""
    for position, element in enumerate(elements):
        if equal(key_of(element, merge_key), wanted):
            return position
    return -1


def is_deletion(element: Json) -> bool:
    """Return whether a list element is a directive to delete the element with its key."""
    return isinstance(element, dict) and element.get(PATCH) == DELETE


def check_types(*lists: Sequence[Json]) -> type | None:
    """Return the one type of all elements, ``None`` if there are none; raise ``MergeError`` if types mix."""
    elements = [element for each in lists for element in each]
    if not elements:
        return None
    first = type(elements[0])
    if first is list:
        raise MergeError("lists of lists are not supported", status=422)
    if first is type(None) or any(type(element) is not first for element in elements):
        raise MergeError(f"list element types are not identical: {gotext.show([list(each) for each in lists])}")
    return first


def sort_by_text(elements: Sequence[Json], merge_key: str) -> list[Json]:
    """Return the elements sorted by the text of their keys, equal ones in reverse, as kubectl compares lists.

    Up to 12 elements Go sorts by insertion, which reverses equal elements. Beyond that its order of equal keys is not
    defined; they are reversed here as well.
    """
    turned = list(reversed(elements))
    return sorted(turned, key=lambda element: gotext.show(key_of(element, merge_key)))


def sort_by_order(elements: Sequence[Json], order: Sequence[Json], merge_key: str) -> list[Json]:
    """Return the elements in the order of the first equal ones in ``order``; deletions go last."""
    kept = [element for element in elements if not is_deletion(element)]
    deletions = [element for element in elements if is_deletion(element)]
    ranks = {id(element): index_of(order, key_of(element, merge_key), merge_key) for element in kept}
    return sorted(kept, key=lambda element: ranks[id(element)]) + deletions


def interleave(merged: Sequence[Json], order: Sequence[Json], before: Sequence[Json], merge_key: str) -> list[Json]:
    """Return ``merged`` in its final order.

    Elements in ``order`` keep its order; the others keep that of ``before``, the live list, and precede an element of
    ``order`` only if they do so in ``before``.
    """
    named = [e for e in merged if index_of(order, key_of(e, merge_key), merge_key) >= 0]
    others = [e for e in merged if index_of(order, key_of(e, merge_key), merge_key) < 0]
    queue, rest = sort_by_order(named, order, merge_key), sort_by_order(others, before, merge_key)
    result: list[Json] = []
    while queue and rest:
        source = rest if _precedes(rest[0], queue[0], before, merge_key) else queue
        result.append(source.pop(0))
    return result + queue + rest


def _precedes(left: Json, right: Json, before: Sequence[Json], merge_key: str) -> bool:
    position = index_of(before, key_of(left, merge_key), merge_key)
    return 0 <= position < index_of(before, key_of(right, merge_key), merge_key)
