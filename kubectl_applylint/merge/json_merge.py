"""JSON merge patches (RFC 7386), as kubectl computes and servers apply them for custom resources.

kubectl's library reads every number as a 64-bit float: integers beyond 2**53 are compared and sent rounded.
"""

from kubectl_applylint.core import gotext
from kubectl_applylint.core.values import Json, JsonObject, without_nulls

_MAX_INT64 = 2**63 - 1


def merge(base: Json, patch: JsonObject) -> dict[str, Json]:
    """Return ``base`` with ``patch`` applied: null removes, maps merge, anything else replaces."""
    merged = dict(base) if isinstance(base, dict) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = merge(merged[key], value)
        else:
            merged[key] = without_nulls(value)
    return merged


def three_way(original: JsonObject, modified: JsonObject, current: JsonObject) -> dict[str, Json]:
    """Return kubectl's patch: the changes from ``current`` to ``modified``, and nulls for removed fields."""
    additions = _additions(two_way(current, modified))
    return _merge_over(_only_nulls(two_way(original, modified)), additions)


def two_way(old: JsonObject, new: JsonObject) -> dict[str, Json]:
    """Return the merge patch from ``old`` to ``new``; lists are compared and sent whole."""
    patch = {key: change for key, value in new.items() for change in _changes(old, key, value)}
    return {**patch, **{key: None for key in old if key not in new}}


def _changes(old: JsonObject, key: str, value: Json) -> list[Json]:
    """Return the patch's entry for one key of the new object as a list of none or one."""
    if key not in old:
        return [_round_integers(value)]
    if isinstance(value, dict) and isinstance(old[key], dict):
        inner = two_way(old[key], value)
        return [inner] if inner else []
    return [] if _matches(old[key], value) else [_round_integers(value)]


def _matches(left: Json, right: Json) -> bool:
    """Return whether two values are equal when all numbers are floats; ``true`` is not a number."""
    if _is_number(left) and _is_number(right):
        return float(left) == float(right)
    if type(left) is not type(right):
        return False
    if isinstance(left, dict):
        return left.keys() == right.keys() and all(_matches(left[key], right[key]) for key in left)
    if isinstance(left, list):
        return len(left) == len(right) and all(map(_matches, left, right))
    return bool(left == right)


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _round_integers(value: Json) -> Json:
    """Return ``value`` with its integers rounded as by a conversion to float."""
    if isinstance(value, dict):
        return {key: _round_integers(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_round_integers(item) for item in value]
    return _number(float(value)) if _is_number(value) else value


def _number(value: float) -> Json:
    text = gotext.float_text(value)
    return int(text) if text.lstrip("-").isdigit() and abs(int(text)) <= _MAX_INT64 else value


def _additions(patch: JsonObject) -> dict[str, Json]:
    """Return the patch without nulls and without maps that only held nulls; empty maps are kept."""
    kept: dict[str, Json] = {}
    for key, value in patch.items():
        filtered = _additions(value) if isinstance(value, dict) else value
        if value is not None and (filtered != {} or value == {}):
            kept[key] = filtered
    return kept


def _only_nulls(patch: JsonObject) -> dict[str, Json]:
    """Return the nulls of the patch, with the maps that lead to them."""
    kept: dict[str, Json] = {}
    for key, value in patch.items():
        filtered = _only_nulls(value) if isinstance(value, dict) else value
        if value is None or (isinstance(value, dict) and filtered):
            kept[key] = filtered
    return kept


def _merge_over(deletions: JsonObject, additions: JsonObject) -> dict[str, Json]:
    """Return the deletions with the additions merged in; nulls inside an inserted value are removed."""
    patch = dict(deletions)
    for key, value in additions.items():
        below = patch.get(key)
        both = isinstance(value, dict) and isinstance(below, dict)
        patch[key] = _merge_over(below, value) if both else without_nulls(value)  # type: ignore[arg-type]  # narrowed
    return patch
