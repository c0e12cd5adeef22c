"""Paths in kapp rules, and their operations: copy, remove, add labels, replace references.

Mirrors ``pkg/kapp/resources/mod_*.go`` of kapp 0.64.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, dig, mapping


class Every(Enum):
    """The type of ``EVERY``: all items of a list."""

    EVERY = "every"


EVERY: Final = Every.EVERY


@dataclass(frozen=True, slots=True)
class Matching:
    """The keys that a regular expression matches."""

    pattern: str


Step: TypeAlias = str | int | Every | Matching
RulePath: TypeAlias = tuple[Step, ...]


class PathError(Exception):
    """A rule cannot be applied to a value of this type; the text is kapp's message."""


def annotations_of(item: JsonObject) -> Mapping[str, str]:
    """Return the annotations of an object, or none if one is not a string, as Go does."""
    return _texts(item, "annotations")


def labels_of(item: JsonObject) -> Mapping[str, str]:
    """Return the labels of an object, or none if one is not a string."""
    return _texts(item, "labels")


def _texts(item: JsonObject, name: str) -> Mapping[str, str]:
    """Return labels or annotations, or none if one is not a string."""
    found = mapping(dig(item, "metadata", name))
    return found if all(isinstance(text, str | Unknown) for text in found.values()) else {}


def read_path(parts: Sequence[Json]) -> RulePath:
    """Return the path in a list of a Config; raise ``PathError`` if kapp cannot read it."""
    return tuple(_step(part) for part in parts)


def _step(part: Json) -> Step:
    """Return one step of a path; raise ``PathError`` if kapp cannot read it."""
    match part:
        case str():
            return part
        case {"regex": str(pattern)}:
            return Matching(pattern)
        case {"index": int(index)}:
            return index
        case {"allIndexes": _}:
            return EVERY
        case _:
            raise PathError("Unknown path part")


def path_text(path: RulePath) -> str:
    """Return a path as kapp prints it."""
    return ",".join(_step_text(step) for step in path)


def _step_text(step: Step) -> str:
    """Return one step as kapp prints it."""
    if step is EVERY:
        return "(all)"
    return step.pattern if isinstance(step, Matching) else str(step)


def remove_at(value: Json, path: RulePath) -> Json:
    """Return a value without the fields at a path."""
    step, *rest = path
    if isinstance(step, Matching):
        for key in _matching_keys(step, value):
            value = remove_at(value, (key, *rest))
        return value
    if not rest and not isinstance(step, str):
        raise PathError("Expected last part of the path to be map key")
    if not rest:
        return {key: item for key, item in value.items() if key != step} if isinstance(value, dict) else value
    return (
        value
        if isinstance(step, str) and not isinstance(value, dict)
        else _change_at_step(value, step, lambda inner: remove_at(inner, tuple(rest)))
    )


def with_texts(value: Json, path: RulePath, texts: Mapping[str, Json], *, makes: bool) -> Json:
    """Return a value with entries added to the maps at a path; ``makes`` creates missing maps."""
    if not path:
        return {**_object(value), **texts}
    step, *rest = path
    if isinstance(step, str) and _object(value).get(step) is None:
        is_made = makes and all(isinstance(part, str) for part in path)
        return {**_object(value), step: with_texts({}, tuple(rest), texts, makes=makes)} if is_made else value
    return _change_at_step(value, step, lambda inner: with_texts(inner, tuple(rest), texts, makes=makes))


def change_objects(value: Json, path: RulePath, change: Callable[[JsonObject], JsonObject]) -> Json:
    """Return a value with the objects at a path changed."""
    if not path:
        return change(_object(value))
    step, *rest = path
    return _change_at_step(value, step, lambda inner: change_objects(inner, tuple(rest), change))


def _change_at_step(value: Json, step: Step, change: Callable[[Json], Json]) -> Json:
    """Return a value with the members at one step changed; unchanged if there are none."""
    if isinstance(step, str):
        return {**_object(value), step: change(value[step])} if step in _object(value) else value
    if value is None:
        return value
    if step is EVERY:
        return [change(item) for item in _list(value)]
    return [change(item) if place == step else item for place, item in enumerate(_list(value))]


def is_empty(value: Json, path: RulePath) -> bool:
    """Return whether a value has only nothing, null or empty values at a path."""
    if not path:
        return value is None or (isinstance(value, dict | list) and not value)
    step, *rest = path
    if isinstance(step, str):
        if not isinstance(value, dict):
            return value is None
        return step not in value or is_empty(value[step], tuple(rest))
    if not isinstance(value, list):
        return value is None
    chosen = value if step is EVERY else value[step : step + 1] if isinstance(step, int) else []
    return all(is_empty(item, tuple(rest)) for item in chosen)


def copy_at(value: Json, path: RulePath, preferred: Sequence[JsonObject], guides: Sequence[JsonObject]) -> Json:
    """Return a value with the field at a path copied from the first of ``preferred`` with a value there.

    The field is only set if one of ``guides`` has all parents of the last step.
    """
    for guide in guides:
        found = _copy_step(value, guide, path, (), preferred)
        value = value if found is MISSING else found
    return value


def _copy_step(
    value: Json, guide: Json, path: RulePath, before: tuple[str | int, ...], preferred: Sequence[JsonObject]
) -> Json | Missing:
    """Return the value with the copy, or ``MISSING`` if nothing is copied."""
    step, *rest = path
    if isinstance(step, Matching):
        return _copy_matching(value, guide, [(key, *rest) for key in _matching_keys(step, guide)], before, preferred)
    if isinstance(step, str):
        return _copy_below(value, _object(guide, nothing=True), path, before, preferred)
    if not rest:
        raise PathError("Expected last part of the path to be map key")
    items = list(_list(value))
    is_changed = False
    for place in range(len(items)) if step is EVERY else [step] if isinstance(step, int) and step < len(items) else []:
        peer = _list(guide)[place] if place < len(_list(guide)) else None
        found = _copy_step(items[place], peer, tuple(rest), (*before, place), preferred)
        if found is not MISSING:
            items[place], is_changed = found, True
    return items if is_changed else MISSING


def _copy_matching(
    value: Json, guide: Json, paths: Sequence[RulePath], before: tuple[str | int, ...], preferred: Sequence[JsonObject]
) -> Json | Missing:
    """Return the value with copies at several paths, or ``MISSING`` if nothing is copied."""
    is_changed = False
    for path in paths:
        found = _copy_step(value, guide, path, before, preferred)
        if found is not MISSING:
            value, is_changed = found, True
    return value if is_changed else MISSING


def _copy_below(
    value: Json, guide: JsonObject, path: RulePath, before: tuple[str | int, ...], preferred: Sequence[JsonObject]
) -> Json | Missing:
    """Return an object with the copy below its key at the first step, or ``MISSING`` if nothing is copied."""
    key, *rest = path
    own, place = _object(value), (*before, str(key))
    if not rest:
        found = next((got for each in preferred if (got := _at(each, place)) is not MISSING), MISSING)
        return MISSING if found is MISSING else {**own, str(key): found}
    if guide.get(str(key)) is None:
        return MISSING
    inner = own.get(str(key))
    if inner is None and any(isinstance(step, int | Every) for step in path):
        return MISSING
    below = _copy_step({} if inner is None else inner, guide[str(key)], tuple(rest), place, preferred)
    return MISSING if below is MISSING else {**own, str(key): below}


def _at(value: Json, place: tuple[str | int, ...]) -> Json | Missing:
    """Return the value at a place, or ``MISSING``."""
    for step in place:
        if isinstance(step, int):
            if step >= len(_list(value)):
                return MISSING
        elif not isinstance(value, dict) or step not in value:
            return MISSING
        value = value[step]
    return value


def _matching_keys(step: Matching, value: Json) -> list[str]:
    return [key for key in _object(value, nothing=True) if re.search(step.pattern, key)]


def _object(value: Json, *, nothing: bool = False) -> JsonObject:
    """Return a map; raise ``PathError`` for other values."""
    if nothing and value is None:
        return {}
    if not isinstance(value, dict):
        raise PathError(f"Unexpected non-map found: {_go_type(value)}")
    return value


def _list(value: Json) -> list[Json]:
    """Return a list; raise ``PathError`` for other values."""
    if not isinstance(value, list):
        raise PathError(f"Unexpected non-array found: {_go_type(value)}")
    return value


def _go_type(value: Json) -> str:
    """Return the Go type name of a JSON value."""
    names = {str: "string", bool: "bool", int: "float64", float: "float64", list: "[]interface {}"}
    return "<nil>" if value is None else names.get(type(value), "map[string]interface {}")
