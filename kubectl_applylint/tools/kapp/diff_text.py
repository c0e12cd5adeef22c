"""The diff text whose MD5 sum kapp stores, reproduced byte for byte.

Mirrors ``patch.Diff`` of ``github.com/cppforlife/go-patch`` and ``gopkg.in/yaml.v2``, with which kapp 0.64 writes it.
"""

import hashlib
from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.gotext import as_go_decodes
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json

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
    """Return operations as text."""
    return "".join(map(_op_text, found)) or format_yaml([])


def _op_text(op: _Op) -> str:
    """Return an operation as an item of a list."""
    values = {name: as_go_decodes(value) if op.is_of_file else value for name, value in op.more}
    entries = {"type": op.kind, "path": op.path, **values}
    lines = "".join(format_yaml({name: value}, indent=2) for name, value in entries.items())
    return f"- {lines[2:]}"


def yaml_text(value: Json) -> str:
    """Return a value of a file formatted by yaml.v2."""
    return format_yaml(as_go_decodes(value))
