"""The object that a client gets for a decoded one: zero values that Go always writes are added again.

Go omits an empty field that is marked ``omitempty``, but never a struct that is not a pointer (``resources: {}``)
unless it is marked ``omitzero``. Unchanged values are returned themselves.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from operator import is_
from typing import Final, TypeAlias

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.lookup import is_struct
from kubectl_applylint.schema.types import Kind, Node, Shape

Write: TypeAlias = Callable[[Json], Json]
LoadFields: TypeAlias = Callable[[], Mapping[str, Node]]

_ZEROS: Final[Mapping[Shape, Json]] = {Shape.BOOLEAN: False, Shape.INTEGER: 0, Shape.NUMBER: 0, Shape.STRING: ""}
_STRUCT_FORMATS: Final[Mapping[str, Json]] = {
    "date-time": None,
    "int-or-string": 0,
    "micro-time": None,
    "quantity": "0",
    "raw": None,
}
"""Formats whose Go type is a struct, with the encoding of an empty one."""
_PLANS: Final = 4096


def encode(obj: JsonObject, kind: Kind) -> JsonObject:
    """Return the object that a client gets for the decoded tree of a built-in kind."""
    encoded: JsonObject = encode_struct(obj, kind.root)
    return encoded


def encode_struct(value: JsonObject, node: Node) -> JsonObject:
    """Return the encoding of one declared type."""
    encoded: JsonObject = _write_struct(node.load_fields, value)
    return encoded


@lru_cache(maxsize=_PLANS)
def _plan(load_fields: LoadFields) -> tuple[Mapping[str, Write], tuple[tuple[str, Json], ...]]:
    """Return the writers of the fields that hold types, and the fields that are always written, each with its zero."""
    fields = load_fields()
    writers = {name: _writer(node) for name, node in fields.items()}
    return (
        {name: write for name, write in writers.items() if write is not None},
        tuple((name, _zero(node)) for name, node in fields.items() if _is_always_written(node)),
    )


def _writer(node: Node) -> Write | None:
    """Return the writer of the values of a field, ``None`` if they are written unchanged."""
    if node.item is not None:
        write = _writer(node.item)
        return partial(_write_list, write) if write is not None else None
    if node.value is not None:
        write = _writer(node.value)
        return partial(_write_map, write) if write is not None else None
    is_changed = node.shape is Shape.OBJECT and _has_more(node.load_fields)
    return partial(_write_struct, node.load_fields) if is_changed else None


@lru_cache(maxsize=_PLANS)
def _has_more(load_fields: LoadFields) -> bool:
    """Return whether a type, or a type inside it, has fields that are always written."""
    seen, waiting = {load_fields}, [load_fields]
    while waiting:
        for node in waiting.pop()().values():
            if _is_always_written(node):
                return True
            inner = _innermost(node)
            if inner.shape is Shape.OBJECT and inner.load_fields not in seen:
                seen.add(inner.load_fields)
                waiting.append(inner.load_fields)
    return False


def _innermost(node: Node) -> Node:
    """Return the type of the innermost elements of lists and maps of a field."""
    while inner := node.item or node.value:
        node = inner
    return node


def _is_always_written(node: Node) -> bool:
    if node.omitzero:
        return False
    return not node.omitempty or (not node.pointer and (is_struct(node) or node.format in _STRUCT_FORMATS))


def is_null_when_empty(node: Node) -> bool:
    """Return whether a client gets null for an empty list or map: if the field is always written."""
    is_container = node.item is not None or node.value is not None
    return is_container and not node.pointer and _is_always_written(node)


def _zero(node: Node) -> Json:
    if node.pointer:
        return None
    if is_struct(node):
        return _write_struct(node.load_fields, {})
    return _STRUCT_FORMATS.get(node.format, _ZEROS.get(node.shape))


def _write_struct(load_fields: LoadFields, value: Json) -> Json:
    """Return the encoding of a struct, with the fields that are always written."""
    if type(value) is not dict:
        return value
    writers, always = _plan(load_fields)
    changed = {
        name: made
        for name, item in value.items()
        if (write := writers.get(name)) is not None and (made := write(item)) is not item
    }
    missing = {name: zero for name, zero in always if name not in value}
    return {**value, **changed, **missing} if changed or missing else value


def _write_list(write: Write, value: Json) -> Json:
    if type(value) is not list:
        return value
    encoded = [write(item) for item in value]
    return value if all(map(is_, encoded, value)) else encoded


def _write_map(write: Write, value: Json) -> Json:
    if type(value) is not dict:
        return value
    encoded = {key: write(item) for key, item in value.items()}
    return value if all(map(is_, encoded.values(), value.values())) else encoded
