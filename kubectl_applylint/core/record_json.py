"""Converts records to JSON and back, by their annotations, for another process of the same version.

Fields with their default value are left out. A record of a union is written below the name of its class. Unknown and
missing values are written below keys that no object has.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import Field, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, TypeVar, Union, get_args, get_origin, get_type_hints

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, Missing

_T = TypeVar("_T")
_UNKNOWN: Final = "\0unknown"
_MISSING: Final = "\0missing"
_PLAIN: Final = (str, int, bool, float, NoneType)


class RecordFormatError(ValueError):
    """JSON that is not a record of the expected class; the text describes the error."""


@dataclass(frozen=True, slots=True)
class _Form:
    """How to write and read the values of a type."""

    write: Callable[[Any], Json]
    read: Callable[[Json], Any]


def encode(value: object, kind: Any) -> Json:
    """Return a value of a type as JSON; equal values give equal JSON."""
    return _form(kind).write(value)


def decode(text: Json, kind: type[_T]) -> _T:
    """Return the value of a type from its JSON; raise ``RecordFormatError`` for other JSON."""
    wanted: Any = kind
    found: _T = _form(wanted).read(text)
    return found


@cache
def _form(kind: Any) -> _Form:
    """Return the form of a type."""
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if kind is Any:
        return _Form(_write_json, _read_json)
    if kind in _PLAIN:
        return _Form(lambda value: value, partial(_plain, kind))
    if origin in (Union, UnionType):
        return _union(arguments)
    if origin is Literal:
        return _Form(lambda value: value, partial(_member_of, {one: one for one in arguments}))
    if origin in (tuple, frozenset, Sequence):
        return _sequence(origin, arguments)
    if origin is Mapping:
        inner = _form(arguments[1])
        return _Form(partial(_write_map, inner), partial(_read_map, inner))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _Form(lambda one: one.value, partial(_member_of, {one.value: one for one in kind}))
    if isinstance(kind, type) and is_dataclass(kind):
        return _Form(partial(_write_record, kind), partial(_read_record, kind))
    raise TypeError(f"{kind} has no form in JSON")


def _plain(kind: type, value: Json) -> Json:
    """Return a value if it has the type ``kind``; raise ``RecordFormatError`` otherwise."""
    if type(value) is not kind:
        raise RecordFormatError(f"expected {kind.__name__}, found {type(value).__name__}")
    return value


def _member_of(values: Mapping[Any, Any], value: Json) -> Any:
    """Return the value of a key; raise ``RecordFormatError`` for an unknown key."""
    if isinstance(value, (list, dict)) or value not in values:
        raise RecordFormatError(f"expected one of {', '.join(map(str, values))}")
    return values[value]


def _sequence(origin: Any, arguments: tuple[Any, ...]) -> _Form:
    """Return the form of a list, set or tuple."""
    if origin is tuple and arguments[-1] is not ...:
        return _tuple_form(list(map(_form, arguments)))
    inner = _form(arguments[0])
    if origin is frozenset:
        return _Form(
            lambda value: sorted(map(inner.write, value), key=json.dumps),
            lambda text: frozenset(map(inner.read, _plain(list, text))),
        )
    return _Form(lambda value: list(map(inner.write, value)), lambda text: tuple(map(inner.read, _plain(list, text))))


def _tuple_form(forms: Sequence[_Form]) -> _Form:
    """Return the form of a tuple with a fixed number of values."""

    def read(text: Json) -> tuple[Any, ...]:
        if len(_plain(list, text)) != len(forms):
            raise RecordFormatError(f"expected {len(forms)} values, found {len(text)}")
        return tuple(form.read(one) for form, one in zip(forms, text, strict=True))

    return _Form(lambda value: [form.write(one) for form, one in zip(forms, value, strict=True)], read)


def _write_map(inner: _Form, value: Mapping[str, Any]) -> Json:
    return {key: inner.write(one) for key, one in value.items()}


def _read_map(inner: _Form, text: Json) -> Mapping[str, Any]:
    return {key: inner.read(one) for key, one in _plain(dict, text).items()}


def _union(arguments: tuple[Any, ...]) -> _Form:
    """Return the form of a value that may have one of several types."""
    others = [one for one in arguments if one is not NoneType]
    if len(others) == 1:
        inner = _form(others[0])
        return _Form(
            lambda value: None if value is None else inner.write(value),
            lambda text: None if text is None else inner.read(text),
        )
    named: Mapping[str, Any] = {one.__name__: one for one in others if isinstance(one, type) and is_dataclass(one)}
    if len(named) < len(others):
        return _Form(_write_json, _read_json)

    def read(text: Json) -> Any:
        if not isinstance(text, dict) or len(text) != 1 or not named.keys() >= text.keys():
            raise RecordFormatError(f"expected one of {', '.join(named)}")
        ((name, content),) = text.items()
        return _form(named[name]).read(content)

    return _Form(lambda value: {type(value).__name__: _form(named[type(value).__name__]).write(value)}, read)


def _write_record(kind: type, value: Any) -> Json:
    """Return a record as JSON, without default values."""
    hints = _hints(kind)
    held = ((one, getattr(value, one.name)) for one in hints)
    return {one.name: _form(hints[one]).write(content) for one, content in held if not _is_default(one, content)}


_Fields: TypeAlias = Mapping["Field[Any]", Any]


@cache
def _hints(kind: Any) -> _Fields:
    """Return the field types that distinguish two records of one class."""
    hints = get_type_hints(kind)
    return {one: hints[one.name] for one in fields(kind) if one.compare}


def _is_default(one: "Field[Any]", value: Any) -> bool:
    if one.default_factory is not NO_DEFAULT:
        return bool(value == one.default_factory())
    return one.default is not NO_DEFAULT and type(value) is type(one.default) and bool(value == one.default)


def _read_record(kind: type, text: Json) -> Any:
    """Return a record from JSON; raise ``RecordFormatError`` for unknown and missing fields."""
    hints = {one.name: hint for one, hint in _hints(kind).items()}
    unknown = _plain(dict, text).keys() - hints.keys()
    if unknown:
        raise RecordFormatError(f"{kind.__name__} has no {min(unknown)}")
    try:
        return kind(**{name: _form(hints[name]).read(value) for name, value in text.items()})
    except TypeError:
        raise RecordFormatError(f"{kind.__name__} is not complete") from None


def _write_json(value: Any) -> Json:
    """Return a JSON value with unknown and missing values in their JSON form."""
    match value:
        case Unknown(reason):
            return {_UNKNOWN: reason}
        case Missing():
            return {_MISSING: True}
        case list() | tuple():
            return list(map(_write_json, value))
        case Mapping():
            return {(f"\0{key}" if key.startswith("\0") else key): _write_json(one) for key, one in value.items()}
        case _:
            return value


def _read_json(text: Json) -> Any:
    """Return a JSON value with unknown and missing values restored."""
    match text:
        case {"\0unknown": str(reason)}:
            return Unknown(reason)
        case {"\0missing": True}:
            return MISSING
        case list():
            return list(map(_read_json, text))
        case dict():
            return {(key[1:] if key.startswith("\0") else key): _read_json(one) for key, one in text.items()}
        case _:
            return text
