"""Checks whether ``metadata`` decodes, with kubectl's error messages.

kubectl decodes the metadata of each document into Go's ``ObjectMeta`` before it sends anything (cli-runtime,
``metadataValidatingDecoder``); it sends the rest of a manifest unchecked.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Final, TypeAlias, assert_never

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.paths import Field, Index, Path, field, fields
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject


@dataclass(frozen=True, slots=True)
class MetaFault:
    """The error of Go's decoder about the value at ``path``."""

    path: Path
    message: str


@dataclass(frozen=True, slots=True)
class _Plain:
    """A string, boolean or integer; ``name`` is the name of the Go type."""

    name: str
    accepts: type


@dataclass(frozen=True, slots=True)
class _Time:
    """A string in RFC 3339's form."""


@dataclass(frozen=True, slots=True)
class _Strings:
    """A map from strings to strings."""

    name: str


@dataclass(frozen=True, slots=True)
class _List:
    name: str
    element: "_Type"


@dataclass(frozen=True, slots=True)
class _Struct:
    name: str
    fields: Mapping[str, "_Type"]


_Type: TypeAlias = _Plain | _Time | _Strings | _List | _Struct

_TEXT, _UID = _Plain("string", str), _Plain("types.UID", str)
_FLAG, _INTEGER, _TIME = _Plain("bool", bool), _Plain("int64", int), _Time()
_OWNER = _Struct(
    "v1.OwnerReference",
    dict.fromkeys(("apiVersion", "kind", "name"), _TEXT)
    | {"uid": _UID, "controller": _FLAG, "blockOwnerDeletion": _FLAG},
)
_MANAGED = _Struct(
    "v1.ManagedFieldsEntry",
    dict.fromkeys(("manager", "apiVersion", "fieldsType", "subresource"), _TEXT)
    | {"operation": _Plain("v1.ManagedFieldsOperationType", str), "time": _TIME},
)
_OBJECT_META = _Struct(
    "v1.ObjectMeta",
    {
        **dict.fromkeys(("name", "generateName", "namespace", "selfLink", "resourceVersion"), _TEXT),
        **dict.fromkeys(("generation", "deletionGracePeriodSeconds"), _INTEGER),
        **dict.fromkeys(("creationTimestamp", "deletionTimestamp"), _TIME),
        **dict.fromkeys(("labels", "annotations"), _Strings("map[string]string")),
        "uid": _UID,
        "finalizers": _List("[]string", _TEXT),
        "ownerReferences": _List("[]v1.OwnerReference", _OWNER),
        "managedFields": _List("[]v1.ManagedFieldsEntry", _MANAGED),
    },
)
_TEXTS: Final = frozenset(("name", "generateName", "namespace"))
_MAPS: Final = frozenset(("labels", "annotations"))
_JSON_TYPES = {str: "string", bool: "bool", int: "number", float: "number", list: "array", dict: "object"}
_TIME_LAYOUT = "2006-01-02T15:04:05Z07:00"
_TWO_DIGITS = "[0-9]{2}"
_TIME_PARTS = (
    *(("2006", "[0-9]{4}"), ("-", "-"), ("01", _TWO_DIGITS), ("-", "-"), ("02", _TWO_DIGITS), ("T", "T")),
    *(("15", "[0-9]{1,2}"), (":", ":"), ("04", _TWO_DIGITS), (":", ":"), ("05", "[0-9]{2}([.,][0-9]+)?")),
    ("Z07:00", "Z|[-+][0-9]{2}:[0-9]{2}"),
)


def fault(document: JsonObject) -> MetaFault | None:
    """Return the first reason why the metadata of ``document`` does not decode, ``None`` if it does."""
    metadata = document.get("metadata")
    if isinstance(metadata, dict) and all(_is_plain_field(name, value) for name, value in metadata.items()):
        return None
    return next(_faults(metadata, _OBJECT_META, fields("metadata"), "metadataOnlyObject"), None)


def _is_plain_field(name: str, value: Json) -> bool:
    """Return whether a field of metadata is one of the few that nearly all manifests use, and decodes."""
    if name in _MAPS:
        return type(value) is dict and all(type(text) is str for text in value.values())
    return name in _TEXTS and type(value) is str


def _faults(value: Json, type_: _Type, path: Path, owner: str) -> Iterator[MetaFault]:
    """Yield values that do not decode, in the order of their sorted keys; null and unknown values decode everywhere.

    ``owner`` is the enclosing struct.
    """
    if value is None or isinstance(value, Unknown):
        return
    match type_:
        case _Plain(name, accepts):
            if type(value) is not accepts:
                yield _mismatch(value, name, path, owner)
        case _Time():
            yield from _time_faults(value, path, owner)
        case _Strings(name) | _Struct(name) if not isinstance(value, dict):
            yield _mismatch(value, name, path, owner)
        case _Strings():
            for key in sorted(value):
                yield from _faults(value[key], _TEXT, (*path, field(key)), owner)
        case _Struct(name, known):
            for key in sorted(known.keys() & value.keys()):
                yield from _faults(value[key], known[key], (*path, field(key)), name.removeprefix("v1."))
        case _List(name) if not isinstance(value, list):
            yield _mismatch(value, name, path, owner)
        case _List(element=element):
            for position, item in enumerate(value):
                yield from _faults(item, element, (*path, Index(position)), owner)
        case _:
            assert_never(type_)


def _mismatch(value: Json, type_name: str, path: Path, owner: str) -> MetaFault:
    found = json_type(value)
    literal = f" {encode(value)}" if found == "number" and type_name == "int64" else ""
    return MetaFault(
        path,
        f"json: cannot unmarshal {found}{literal} into Go struct field {owner}.{_go_path(path)} of type {type_name}",
    )


def json_type(value: Json) -> str:
    """Return the name of the type of a non-null value in Go's decoder."""
    return _JSON_TYPES[type(value)]


def _go_path(path: Path) -> str:
    """Return the path as Go prints it: no list positions, no keys of ``labels`` and ``annotations``."""
    names = [step.name for step in path if isinstance(step, Field)]
    return ".".join(names[:2] if names[1:2] in (["labels"], ["annotations"]) else names)


def _time_faults(value: Json, path: Path, owner: str) -> Iterator[MetaFault]:
    if not isinstance(value, str):
        yield _mismatch(value, "string", path, owner)
        return
    complaint = _time_error(value)
    if complaint:
        yield MetaFault(path, f"parsing time {encode(value)}{complaint}")


def _time_error(text: str) -> str:
    """Return the error of Go's ``time.Parse`` after the text itself; empty if it parses."""
    rest, numbers = text, []
    for element, pattern in _TIME_PARTS:
        found = re.match(pattern, rest)
        if found is None:
            return f" as {encode(_TIME_LAYOUT)}: cannot parse {encode(rest)} as {encode(element)}"
        numbers += [int(digits) for digits in re.findall("^[0-9]+", found[0])]
        rest = rest[found.end() :]
    if rest:
        return f": extra text: {encode(rest)}"
    return _range_error(numbers)


def _range_error(numbers: list[int]) -> str:
    year, month, day, hour, minute, second = numbers
    try:
        datetime(max(year, 1), month, day, hour, minute, second)
    except ValueError as error:
        # Python names the part first: "day is out of range for month".
        return f": {str(error).split()[0]} out of range"
    return ""
