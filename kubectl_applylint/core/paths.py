"""Paths of values inside an object: tuples of steps, rendered to dotted text only at the edge."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, TypeAlias, assert_never

from kubectl_applylint.core.gotext import bare, decode, encode
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing, equal, int64, items


@dataclass(frozen=True, slots=True)
class Field:
    """Step into the field or map entry ``name`` of an object."""

    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """Step into a list by position, counted from 0."""

    position: int


@dataclass(frozen=True, slots=True)
class ByKey:
    """Step into the first element of a list of objects whose ``keys`` (field, value) all match."""

    keys: tuple[tuple[str, Json], ...]

    def __hash__(self) -> int:
        return _hash(self.keys, tuple(name for name, _ in self.keys))


@dataclass(frozen=True, slots=True)
class ByValue:
    """Step into the element of a list of scalars that equals ``value``."""

    value: Json

    def __hash__(self) -> int:
        return _hash(self.value, ())


def _hash(value: object, instead: tuple[str, ...]) -> int:
    """Return a hash of values that should be scalars; invalid files may hold lists and maps there."""
    try:
        return hash(value)
    except TypeError:
        return hash(instead)


PathStep: TypeAlias = Field | Index | ByKey | ByValue
Path: TypeAlias = tuple[PathStep, ...]

_PLAIN = regex(r"[A-Za-z_$][\w$-]*\Z")
_QUOTED = r"\"(?:[^\"\\]|\\.)*\""
_PAIR = rf"[\w$.-]+=(?:{_QUOTED}|[^\],\"]+)"
_TOKEN = regex(
    r"\.?(?P<name>[A-Za-z_$][\w$-]*)|\[(?P<index>\d+)\]"
    rf"|\[(?P<text>{_QUOTED})\]|\[(?P<pairs>{_PAIR}(?:,{_PAIR})*)\]|\[=(?P<value>{_QUOTED}|[^\]]+)\]"
)


# The same names occur in every object, and a frozen dataclass takes longer to create than to look up.
@lru_cache(maxsize=4096)
def field(name: str) -> Field:
    """Return the step into the field or map entry ``name``."""
    return Field(name)


def fields(*names: str) -> Path:
    """Return the path through the fields ``names``."""
    return tuple(map(field, names))


def render(path: Path) -> str:
    """Return ``path`` as text for users: ``spec.containers[name=web].args[0]``, ``metadata.labels["a.b/c"]``."""
    parts = [_render_name(step.name) if type(step) is Field else _render(step) for step in path]
    return "".join(parts).removeprefix(".")


def _render(step: PathStep) -> str:
    """Return one step as text."""
    match step:
        case Field(name):
            return _render_name(name)
        case Index(position):
            return f"[{position}]"
        case ByKey(keys):
            return "[" + ",".join(f"{key}={_placeholder(value) or bare(value)}" for key, value in keys) + "]"
        case ByValue(value):
            return f"[={_placeholder(value) or encode(value)}]"
        case _:
            assert_never(step)


def _placeholder(value: Json | Unknown) -> str:
    """Return the text for an unknown value, its placeholder if it has one; empty for a known value."""
    return (value.written or "?") if isinstance(value, Unknown) else ""


@lru_cache(maxsize=4096)
def _render_name(name: str) -> str:
    """Return the name of a field, quoted in brackets if necessary."""
    return f".{name}" if _PLAIN.match(name) else f"[{encode(name)}]"


# Rules use the same fields for every object.
@lru_cache(maxsize=1024)
def parse(text: str) -> Path:
    """Return the path of a text in the format of ``render``; raise ``ValueError`` if it is not one.

    The value of a key that looks like a number or a boolean is read as one: what it means depends on the object
    (``kubectl_applylint.ownership.address``).
    """
    steps: list[PathStep] = []
    position = 0
    while position < len(text):
        token = _TOKEN.match(text, position)
        if token is None:
            raise ValueError(f"not a field path: {text!r} (at character {position + 1})")
        steps.append(_step(token))
        position = token.end()
    return tuple(steps)


def _step(token: re.Match[str]) -> PathStep:
    """Return the step that one token of a path spells."""
    if token["index"] is not None:
        index = int64(token["index"])
        if index is None:
            raise ValueError(f"not a field path: no list is as long as {token['index'][:20]}…")
        return Index(index)
    if token["pairs"] is not None:
        pairs = (pair.partition("=") for pair in re.findall(_PAIR, token["pairs"]))
        return ByKey(tuple((name, _scalar(text)) for name, _, text in pairs))
    if token["value"] is not None:
        return ByValue(_scalar(token["value"]))
    return Field(token["name"] if token["name"] is not None else re.sub(r"\\(.)", r"\1", token["text"][1:-1]))


def _scalar(text: str) -> Json:
    """Return a bare or quoted text as a JSON scalar, or else as a string."""
    try:
        value = decode(text)
    except ValueError:
        return text
    return text if isinstance(value, (dict, list)) else value


def get(value: Json, path: Path) -> Json | Missing:
    """Return the value at ``path``, or ``MISSING`` if there is none; null is a value, not an absence."""
    for step in path:
        value = child(value, step)
        if value is MISSING:
            return MISSING
    return value


def outermost_missing(value: Json, path: Path) -> Path:
    """Return the shortest prefix of ``path`` whose value is missing, or else the whole path."""
    lengths = (length for length in range(1, len(path)) if get(value, path[:length]) is MISSING)
    return path[: next(lengths, len(path))]


def child(value: Json, step: PathStep) -> Json | Missing:
    """Return the value that one step leads to, or ``MISSING``."""
    # Called a million times for a large definition: fields are tried first, and without a pattern.
    if isinstance(step, Field):
        return value.get(step.name, MISSING) if isinstance(value, dict) else MISSING
    match step:
        case Index(position):
            return value[position] if isinstance(value, list) and position < len(value) else MISSING
        case ByKey(keys):
            return next((item for item in items(value) if _has_keys(item, keys)), MISSING)
        case ByValue(wanted):
            return next((item for item in items(value) if equal(item, wanted)), MISSING)
        case _:
            assert_never(step)


def as_written_in(value: Json, path: Path) -> Path:
    """Return ``path`` as ``value`` spells it: list elements by those of their keys that they have.

    A server identifies an element by all of its keys and fills in those that are not written.
    """
    spelled: list[PathStep] = []
    for step in path:
        own = _step_as_written(value, step)
        spelled.append(own)
        value = child(value, own)
    return tuple(spelled)


def _step_as_written(value: Json, step: PathStep) -> PathStep:
    """Return a step with only those keys that the list element has."""
    if not isinstance(step, ByKey) or child(value, step) is not MISSING:
        return step
    for item in items(value):
        own = tuple((key, wanted) for key, wanted in step.keys if isinstance(item, dict) and key in item)
        if own and _has_keys(item, own):
            return ByKey(own)
    return step


def _has_keys(item: Json, keys: tuple[tuple[str, Json], ...]) -> bool:
    """Return whether a list element has these values in its key fields."""
    return isinstance(item, dict) and all(key in item and equal(item[key], value) for key, value in keys)


def leaves(value: Json, path: Path = ()) -> Iterator[tuple[Path, Json]]:
    """Yield every scalar and every empty list or map of ``value`` with its path, lists by position."""
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from leaves(item, (*path, Field(key)))
    elif isinstance(value, list) and value:
        for position, item in enumerate(value):
            yield from leaves(item, (*path, Index(position)))
    else:
        yield path, value


def with_values(value: Json, places: Mapping[Path, Any], path: Path = ()) -> Any:
    """Return a value with others at some places; lists are by position, as in ``leaves``."""
    if path in places:
        return places[path]
    if isinstance(value, dict):
        return {key: with_values(item, places, (*path, Field(key))) for key, item in value.items()}
    if isinstance(value, list):
        return [with_values(item, places, (*path, Index(position))) for position, item in enumerate(value)]
    return value


def is_filled(value: Json | Missing) -> bool:
    """Return whether ``value`` contains more than nulls and empty texts, maps and lists (from code generators)."""
    return value is not MISSING and any(leaf not in (None, "", {}, []) for _, leaf in leaves(value))
