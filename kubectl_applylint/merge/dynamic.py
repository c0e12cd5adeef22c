"""Metacontroller's dynamic apply: a three-way merge that infers from the values which lists are maps.

Mirrors the behaviour of Metacontroller's ``pkg/dynamic/apply``. Unlike kubectl it uses no schema, so it treats a pod
template the same in a Deployment and in a custom resource.
"""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, items, mapping

MERGE_KEYS: Final = ("containerPort", "port", "mountPath", "name", "uid", "ip", "path")
"""The fields that may identify the items of a list; the first one that fits is used."""


def merge(observed: JsonObject, last_applied: JsonObject, desired: JsonObject) -> dict[str, Json]:
    """Return the observed object with the changes from the last applied to the desired one.

    Fields of the last applied object that the desired one does not have are removed; fields of neither are kept. A
    desired null is stored over scalars and absent values. Where the types differ, the desired value counts as absent:
    an object loses only the fields that were applied before, and a list without merge key becomes null.
    """
    kept = {key: value for key, value in observed.items() if key in desired or key not in last_applied}
    merged = {key: _merge_value(observed.get(key), last_applied.get(key), value) for key, value in desired.items()}
    return {**kept, **merged}


def merge_key(*lists: Sequence[Json]) -> str | None:
    """Return the merge key of all these lists, ``None`` if a list is replaced as a whole.

    Every item of every list has to be an object with that field; a single item without it changes the result.
    """
    items = [item for each in lists for item in each]
    if not items or not all(isinstance(item, dict) for item in items):
        return None
    return next((key for key in MERGE_KEYS if all(key in item for item in items)), None)


def _merge_value(observed: Json, last_applied: Json, desired: Json) -> Json:
    if isinstance(observed, dict):
        return merge(observed, mapping(last_applied), mapping(desired))
    if isinstance(observed, list):
        return _merged_list(observed, items(last_applied), desired)
    return desired


def _merged_list(observed: list[Json], last_applied: list[Json], desired: Json) -> list[Json] | None:
    """Return the list merged by key, in the observed order, or else the desired list; null if it is not a list."""
    wanted = items(desired)
    key = merge_key(observed, last_applied, wanted)
    if key is None:
        return desired if isinstance(desired, list) else None
    merged = merge(by_key(observed, key), by_key(last_applied, key), by_key(wanted, key))
    there = [name for name in (name_of(item, key) for item in observed) if name in merged]
    new = merged.keys() - set(there)
    added = dict.fromkeys(name for name in (name_of(item, key) for item in wanted) if name in new)
    return [merged[name] for name in (*there, *added)]


def by_key(items: list[Json], key: str) -> dict[str, Json]:
    """Return the items by their names; of two items with one name the last counts."""
    return {name_of(item, key): item for item in items}


def name_of(item: JsonObject, key: str) -> str:
    """Return the key of an item as text: 80 and "80" are the same."""
    value: Json | Missing = item.get(key, MISSING)
    return value if isinstance(value, str) else gotext.show(value)
