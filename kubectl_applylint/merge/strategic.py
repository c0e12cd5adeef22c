"""Applies strategic merge patches: the server to an object, and kubectl to another patch.

Mirrors the merge half of apimachinery's ``strategicpatch``. The server executes the directives of a patch; kubectl
keeps them when it merges its changes into its deletions (``Mode``).
"""

from enum import Enum

from kubectl_applylint.core.values import MISSING, Json, JsonObject, equal, without_nulls
from kubectl_applylint.merge.errors import bad_format, bad_patch_type
from kubectl_applylint.merge.lists import ListRules, merge_list, ordered_list, without_directives
from kubectl_applylint.merge.lookup import element_of, field_of
from kubectl_applylint.merge.order import PATCH, index_of
from kubectl_applylint.merge.strategic_diff import DELETE_FROM, RETAIN_KEYS, SET_ORDER
from kubectl_applylint.schema.types import Node


class Mode(Enum):
    """Whether the server merges a patch into an object, or kubectl a patch into a patch."""

    SERVER = "server"
    CLIENT = "client"


def merge(base: JsonObject, patch: JsonObject, node: Node, mode: Mode = Mode.SERVER) -> dict[str, Json]:
    """Return ``base`` with ``patch`` merged in; raise ``MergeError`` with the server's HTTP status."""
    if PATCH in patch:
        return _execute(patch)
    retained, patch = _retain_keys(base, patch, mode)
    merged, rest = _ordered_lists(retained, patch, node, mode)
    for key in sorted(rest):
        merged = _merge_key(merged, key, rest[key], node, mode)
    return merged


def _execute(patch: JsonObject) -> dict[str, Json]:
    if patch[PATCH] == "replace":
        return {key: value for key, value in patch.items() if key != PATCH}
    if patch[PATCH] == "delete":
        return {}
    raise bad_patch_type(patch[PATCH], patch)


def _retain_keys(base: JsonObject, patch: JsonObject, mode: Mode) -> tuple[JsonObject, JsonObject]:
    """Return base and patch after ``$retainKeys``: the server drops keys not listed, kubectl keeps the directive."""
    if RETAIN_KEYS not in patch:
        return base, patch
    keep, rest = patch[RETAIN_KEYS], {key: value for key, value in patch.items() if key != RETAIN_KEYS}
    if mode is Mode.CLIENT:
        if RETAIN_KEYS in base and not equal(base[RETAIN_KEYS], keep):
            raise bad_format("retainKeys")
        return {**base, RETAIN_KEYS: keep}, rest
    if not isinstance(keep, list) or not all(key in keep for key, value in rest.items() if _is_plain_entry(key, value)):
        raise bad_format("retainKeys")
    return {key: value for key, value in base.items() if key in keep}, rest


def _is_plain_entry(key: str, value: Json) -> bool:
    return value is not None and not key.startswith((DELETE_FROM, SET_ORDER))


def _ordered_lists(
    base: JsonObject, patch: JsonObject, node: Node, mode: Mode
) -> tuple[dict[str, Json], dict[str, Json]]:
    """Merge every list that has an order directive; return the new base and the rest of the patch."""
    merged, rest = dict(base), dict(patch)
    for directive in sorted(key for key in patch if key.startswith(SET_ORDER)):
        order, key = rest.pop(directive), directive.removeprefix(SET_ORDER)
        if mode is Mode.CLIENT:
            if not equal(merged.get(directive, order), order):
                raise bad_format("setElementOrder list")
            merged[directive] = order
        rules = _list_rules(field_of(node, key), mode)
        elements = ordered_list(merged.get(key, MISSING), rest.pop(key, MISSING), order, rules)
        if elements is not None:
            merged[key] = elements
    return merged, rest


def _list_rules(field: Node, mode: Mode) -> ListRules:
    def merge_element(base: JsonObject, patch: JsonObject) -> JsonObject:
        return merge(base, patch, element_of(field), mode)

    return ListRules(field.merges, field.merge_key, merge_element)


def _merge_key(base: dict[str, Json], key: str, value: Json, node: Node, mode: Mode) -> dict[str, Json]:
    """Return ``base`` after one entry of the patch is applied."""
    if key.startswith(DELETE_FROM):
        return _delete_from_scalars(base, key, value, mode)
    if value is None:
        return _remove_key(base, key, mode)
    if key not in base or type(base[key]) is not type(value):
        return _insert(base, key, value, mode)
    if not isinstance(value, (dict, list)):
        return {**base, key: value}
    return {**base, key: _merge_containers(base[key], value, field_of(node, key), mode)}


def _merge_containers(old: Json, new: Json, field: Node, mode: Mode) -> Json:
    if isinstance(new, list):
        return merge_list(old, new, _list_rules(field, mode)).elements
    return new if field.replaces else merge(old, new, field, mode)


def _delete_from_scalars(base: dict[str, Json], directive: str, values: Json, mode: Mode) -> dict[str, Json]:
    """Remove single values from a list of scalars; kubectl keeps the directive instead."""
    if mode is Mode.CLIENT:
        return {**base, directive: values}
    key = directive.removeprefix(DELETE_FROM)
    if not isinstance(base.get(key), list) or not isinstance(values, list):
        return base
    return {**base, key: [item for item in base[key] if index_of(values, item, "") < 0]}


def _remove_key(base: dict[str, Json], key: str, mode: Mode) -> dict[str, Json]:
    if mode is Mode.CLIENT:
        return {**base, key: None}
    return {name: value for name, value in base.items() if name != key}


def _insert(base: dict[str, Json], key: str, value: Json, mode: Mode) -> dict[str, Json]:
    """Insert a value that ``base`` does not have."""
    inserted = without_directives(without_nulls(value) if mode is Mode.SERVER else value)
    rest = {name: item for name, item in base.items() if name != key} if key in base and inserted is MISSING else base
    return dict(rest) if inserted is MISSING else {**rest, key: inserted}
