"""jq paths in ``jqPathExpressions`` of Argo CD, and their removal from objects.

Supports the common subset: keys, elements, ``[]``, ``?``, and ``select`` by one value, joined by pipes. Mirrors
``del(…)`` of gojq: an error at any value prevents all deletions.
"""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, equal

_Place: TypeAlias = tuple[str | int, ...]
_PARTS: Final = regex(
    r"""\s*(?:
        \.?\[\s*(?P<index>-?\d{1,9})\s*\] | \.?\[\s*(?P<quoted>"(?:[^"\\]|\\.)*")\s*\] | (?P<each>\.?\[\s*\])
        | \.(?P<text>"(?:[^"\\]|\\.)*") | \.(?P<name>[A-Za-z_][A-Za-z0-9_]*) | (?P<optional>\?)
    )""",
    re.VERBOSE,
)
_SELECT: Final = regex(r"select\s*\((?P<path>.+?)(?P<how>==|!=)(?P<value>.+)\)", re.DOTALL)
_PIPE: Final = regex(r'((?:[^|"]|"(?:[^"\\]|\\.)*")+)')
_KEPT: Final = 256


class _UnfitError(Exception):
    """A step cannot be applied to a value of this type."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One step: to a key, to an element, or (``None``) to all members."""

    to: str | int | None


@dataclass(frozen=True, slots=True)
class _Optional:
    """``?``: ignores errors of the preceding steps in the same stage."""


@dataclass(frozen=True, slots=True)
class _Select:
    """``select``: keeps values in which the value at a path equals, or differs from, a constant."""

    steps: tuple["_Part", ...]
    value: Json
    is_equal: bool


_Part: TypeAlias = _Step | _Optional | _Select
JqPath: TypeAlias = tuple[tuple[_Part, ...], ...]
"""The stages between the pipes."""


@lru_cache(maxsize=_KEPT)
def parse_path(expression: str) -> JqPath | None:
    """Return the parsed path, or ``None`` if an expression is not supported."""
    stages = _PIPE.findall(expression)
    found = tuple(stage for text in stages if (stage := _stage(text.strip())) is not None)
    is_whole = "|".join(stages) == expression and len(found) == len(stages)
    return found if is_whole and any(isinstance(part, _Step) for stage in found for part in stage) else None


def _stage(text: str) -> tuple[_Part, ...] | None:
    """Return the parts of one stage, or ``None`` if it is not supported."""
    if text == ".":
        return ()
    chosen = _SELECT.fullmatch(text)
    if chosen is None:
        return _steps(text)
    path = chosen["path"].strip()
    steps = () if path == "." else _steps(path)
    try:
        return None if steps is None else (_Select(steps, json.loads(chosen["value"]), chosen["how"] == "=="),)
    except ValueError:
        return None


def _steps(text: str) -> tuple[_Part, ...] | None:
    """Return the steps of a path, or ``None`` if it is not supported."""
    found, place = list[_Part](), 0
    while (part := _PARTS.match(text, place)) is not None:
        found.append(_part(part))
        place = part.end()
    is_path = text.startswith(".") and place == len(text)
    return tuple(found) if is_path else None


def _part(found: re.Match[str]) -> _Part:
    """Return the part for a match of the tokenizer."""
    if found["optional"]:
        return _Optional()
    if found["each"]:
        return _Step(None)
    if found["index"]:
        return _Step(int(found["index"]))
    quoted = found["quoted"] or found["text"]
    return _Step(json.loads(quoted) if quoted else found["name"])


def delete_path(item: JsonObject, expression: str) -> JsonObject:
    """Return an object without the values that an expression selects.

    The object is unchanged if the expression is not supported or has an error at any value.
    """
    stages = parse_path(expression)
    if stages is None:
        return item
    try:
        places = {place for place, _ in _pipeline_matches(stages, item)}
    except _UnfitError:
        return item
    left = _without_places(item, places)
    return left if isinstance(left, dict) else item


def _pipeline_matches(stages: JqPath, value: Json) -> Iterator[tuple[_Place, Json]]:
    if not stages:
        yield (), value
        return
    for place, inner in _pipeline_matches(stages[:-1], value):
        for below, found in _stage_matches(stages[-1], inner):
            yield (*place, *below), found


def _stage_matches(steps: Sequence[_Part], value: Json) -> Iterator[tuple[_Place, Json]]:
    if not steps:
        yield (), value
        return
    before, last = steps[:-1], steps[-1]
    if isinstance(last, _Optional):
        try:
            yield from _stage_matches(before, value)
        except _UnfitError:
            return
        return
    for place, inner in _stage_matches(before, value):
        for below, found in _step_matches(last, inner):
            yield (*place, *below), found


def _step_matches(step: _Step | _Select, value: Json) -> Iterator[tuple[_Place, Json]]:
    if isinstance(step, _Select):
        found = [equal(each, step.value) is step.is_equal for _, each in _stage_matches(step.steps, value)]
        yield from (((), value) for is_chosen in found if is_chosen)
    elif step.to is None:
        yield from (((key,), each) for key, each in _members(value))
    else:
        yield (step.to,), _at(value, step.to)


def _members(value: Json) -> Iterator[tuple[str | int, Json]]:
    """Yield the members of a map or list with their keys; raise ``_UnfitError`` for other values."""
    if isinstance(value, dict):
        return iter(value.items())
    if isinstance(value, list):
        return iter(enumerate(value))
    raise _UnfitError


def _at(value: Json, step: str | int) -> Json:
    """Return the member at a key or index, or ``None``; raise ``_UnfitError`` for values of other types."""
    if value is None:
        return None
    if isinstance(value, dict) and isinstance(step, str):
        return value.get(step)
    if isinstance(value, list) and isinstance(step, int):
        return value[step] if -len(value) <= step < len(value) else None
    raise _UnfitError


def _without_places(value: Json, places: Collection[_Place]) -> Json:
    if isinstance(value, dict):
        return {
            key: _without_places(each, _places_below(places, {key}))
            for key, each in value.items()
            if (key,) not in places
        }
    if isinstance(value, list):
        names = [{place, place - len(value)} for place in range(len(value))]
        return [
            _without_places(each, _places_below(places, own))
            for each, own in zip(value, names, strict=True)
            if not any((name,) in places for name in own)
        ]
    return value


def _places_below(places: Collection[_Place], steps: Collection[str | int]) -> Collection[_Place]:
    """Return the places below a member, relative to it."""
    return {place[1:] for place in places if len(place) > 1 and place[0] in steps}
