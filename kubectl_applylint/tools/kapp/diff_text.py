"""The diff text whose MD5 sum kapp stores, reproduced byte for byte.

Mirrors ``patch.Diff`` of ``github.com/cppforlife/go-patch`` and ``gopkg.in/yaml.v2``, with which kapp 0.64 writes it.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cmp_to_key
from itertools import zip_longest
from typing import Final

import yaml

from kubectl_applylint.core.gotext import show
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json

_WORDS: Final = frozenset(
    [
        "y",
        "Y",
        "yes",
        "Yes",
        "YES",
        "true",
        "True",
        "TRUE",
        "on",
        "On",
        "ON",
        "n",
        "N",
        "no",
        "No",
        "NO",
        "false",
        "False",
        "FALSE",
        "off",
        "Off",
        "OFF",
        "~",
        "null",
        "Null",
        "NULL",
        ".nan",
        ".NaN",
        ".NAN",
        ".inf",
        ".Inf",
        ".INF",
        "+.inf",
        "+.Inf",
        "+.INF",
        "-.inf",
        "-.Inf",
        "-.INF",
        "<<",
    ]
)
_INTEGER: Final = regex(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)|-?0b[-+]?[01]+")
_FLOAT: Final = regex(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BASE_60: Final = regex(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_TIME: Final = regex(
    r"\d{4}-(1[0-2]|0?[1-9])-(3[01]|[12]\d|0?[1-9])"
    r"([Tt]([01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d(\.\d+)?(Z|[-+]\d\d:\d\d)| ([01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d(\.\d+)?)?"
)
_PREFIXES: Final = {"~": "~0", "/": "~1", ":": "~7"}
_ABSENT: Final = (("absent", True),)


@dataclass(frozen=True, slots=True)
class _Op:
    """One operation of go-patch."""

    kind: str
    path: str
    more: tuple[tuple[str, Json], ...] = ()
    """``value`` or ``absent``."""
    is_of_file: bool = False
    """Whether the value comes from a file, whose numbers kapp reads as floats."""


def checksum(before: Json, after: Json) -> str | Unknown:
    """Return the MD5 sum of the diff, or ``Unknown`` if it contains an unknown value."""
    found = list(_differences(before, after, ""))
    unknown = next((each for op in found for _, value in op.more for each in _unknowns(value)), None)
    return unknown or hashlib.md5(_text(found).encode(), usedforsecurity=False).hexdigest()


def _unknowns(value: Json | Unknown) -> Iterator[Unknown]:
    """Yield the unknown values in a value."""
    if isinstance(value, Unknown):
        yield value
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for item in inner:
        yield from _unknowns(item)


def _differences(before: Json, after: Json, path: str) -> Iterator[_Op]:
    """Yield the operations of go-patch, each after its test."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            inner = f"{path}/{_escape(key)}"
            yield from _entry(before.get(key, MISSING), after.get(key, MISSING), inner, f"{inner}?")
    elif isinstance(before, list) and isinstance(after, list):
        for place, (old, new) in enumerate(zip_longest(before, after, fillvalue=MISSING)):
            inner = f"{path}/{min(place, len(after))}"
            yield from _entry(old, new, inner, f"{path}/-")
    elif isinstance(before, dict | list) or not _is_same(before, after):
        yield _Op("test", path, (("value", before),))
        yield _Op("replace", path, (("value", after),), is_of_file=True)


def _entry(old: Json, new: Json, path: str, added: str) -> Iterator[_Op]:
    """Yield the operations for one entry of a map or list."""
    if new is MISSING:
        yield _Op("test", path, (("value", old),))
        yield _Op("remove", path)
    elif old is MISSING:
        yield _Op("test", path, _ABSENT)
        yield _Op("replace", added, (("value", new),), is_of_file=True)
    else:
        yield from _differences(old, new, path)


def _escape(key: str) -> str:
    """Return a key escaped for a path of go-patch."""
    return "".join(_PREFIXES.get(character, character) for character in key)


def _is_same(before: Json, after: Json) -> bool:
    """Return whether two scalars are equal in Go."""
    if isinstance(before, bool) or isinstance(after, bool):
        return before is after
    return bool(before == after)


def _text(found: list[_Op]) -> str:
    inner = (event for op in found for event in _op_events(op))
    return _emit(yaml.SequenceStartEvent(None, None, True, flow_style=False), *inner, yaml.SequenceEndEvent())


def yaml_text(value: Json) -> str:
    """Return a value of a file formatted by yaml.v2."""
    return _emit(*_events(value, is_of_file=True))


def _emit(*events: yaml.Event) -> str:
    """Return YAML events as text."""
    start, end = yaml.DocumentStartEvent(explicit=False), yaml.DocumentEndEvent(explicit=False)
    every = (yaml.StreamStartEvent(), start, *events, end, yaml.StreamEndEvent())
    return str(yaml.emit(every, allow_unicode=True, width=80))


def _op_events(op: _Op) -> Iterator[yaml.Event]:
    entries = (("type", op.kind), ("path", op.path), *op.more)
    yield yaml.MappingStartEvent(None, None, True, flow_style=False)
    for name, value in entries:
        yield from _events(name, is_of_file=False)
        yield from _events(value, is_of_file=op.is_of_file)
    yield yaml.MappingEndEvent()


def _events(value: Json, *, is_of_file: bool) -> Iterator[yaml.Event]:
    if isinstance(value, dict):
        yield yaml.MappingStartEvent(None, None, True, flow_style=False)
        for key in sorted(value, key=cmp_to_key(_compare_keys)):
            yield from _events(key, is_of_file=is_of_file)
            yield from _events(value[key], is_of_file=is_of_file)
        yield yaml.MappingEndEvent()
    elif isinstance(value, list):
        yield yaml.SequenceStartEvent(None, None, True, flow_style=False)
        for item in value:
            yield from _events(item, is_of_file=is_of_file)
        yield yaml.SequenceEndEvent()
    elif isinstance(value, str):
        style = "|" if "\n" in value else None if _is_plain(value) else '"'
        yield yaml.ScalarEvent(None, None, (True, True), value, style=style)
    else:
        yield yaml.ScalarEvent(None, None, (True, True), _scalar(value, is_of_file=is_of_file))


def _scalar(value: Json, *, is_of_file: bool) -> str:
    """Return the YAML text of a number, boolean or null."""
    if value is None:
        return "null"
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return show(float(value) if is_of_file and is_number else value)


def _is_plain(text: str) -> bool:
    """Return whether yaml.v2 reads an unquoted text as a string."""
    if not text or text in _WORDS or _BASE_60.fullmatch(text) or _TIME.fullmatch(text):
        return False
    plain = text.replace("_", "") if text[0] in "+-0123456789" else text
    if text[0] in "+-0123456789." and (_INTEGER.fullmatch(plain) or _FLOAT.fullmatch(plain)):
        return text[0] == "." and "_" in text
    return True


def _compare_keys(left: str, right: str) -> int:
    """Compare keys in the sort order of yaml.v2: numbers by value, letters last."""
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return _order(left, right, place)
    return len(left) - len(right)


def _order(left: str, right: str, place: int) -> int:
    """Compare two texts that first differ at an index."""
    one, other = left[place], right[place]
    if one.isalpha() and other.isalpha():
        return ord(one) - ord(other)
    if one.isalpha() or other.isalpha():
        return -1 if other.isalpha() else 1
    lead = 1 if "0" in (one, other) and _follows_digit(left, place) else 0
    numbers = [_number(text, place, lead) for text in (left, right)]
    if numbers[0] != numbers[1]:
        return -1 if numbers[0] < numbers[1] else 1
    return ord(one) - ord(other)


def _follows_digit(text: str, place: int) -> bool:
    """Return whether digits that are not all zero precede an index."""
    digits = re.search(r"[0-9]*$", text[:place])
    return bool(digits and digits[0].strip("0"))


def _number(text: str, place: int, lead: int) -> tuple[int, int]:
    """Return the number at an index, and its end."""
    found = re.compile(r"[0-9]*").match(text, place)
    digits = found[0] if found else ""
    return int(f"{lead}{digits}"), place + len(digits)
