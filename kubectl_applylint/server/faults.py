"""The server's error messages for objects that it cannot read.

Decoding itself only finds that an object is invalid; this module walks it again, slowly, and names the places.
"""

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.types import Kind, Node, Shape
from kubectl_applylint.server import decode_scalars
from kubectl_applylint.server.decode_scalars import DecodeMode, Read, UnfitError

CHOICE: Final = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOr"
"""The prefix of type names for "a schema or something else"."""
_OWN_PARSERS: Final = frozenset({"date-time", "int-or-string", "micro-time", "quantity"})
_JSON_WORDS: Final = {dict: "object", list: "array", str: "string", bool: "bool", int: "number", float: "number"}
_GO_WORDS: Final = {dict: "map", list: "slice", str: "string", bool: "bool", int: "int64", float: "float64"}
_PARSED: Final = {"date-time": "string", "int-or-string": "int32", "micro-time": "string"}
"""The Go types as which the parsers of these formats read a value of the wrong type."""


class DecodeError(Exception):
    """An object that the server cannot read.

    ``status`` is the HTTP status (400 for a POST, 422 for a PATCH), ``reason`` the machine-readable reason, ``field``
    the field of the error (``patch``, empty for a POST), ``message`` the text without kubectl's additions.
    """

    def __init__(self, status: int, reason: str, field: str, message: str) -> None:
        """Store the server's answer."""
        super().__init__(message)
        self.status = status
        self.reason = reason
        self.field = field
        self.message = message


class _Severity(Enum):
    """How decoding continues after an error: the first error that stops it outranks earlier ones."""

    STOPS = "stops"
    REMEMBERED = "remembered"
    UNKNOWN_FIELD = "unknown field"


@dataclass(frozen=True, slots=True)
class _Fault:
    gravity: _Severity
    text: str
    path: str = ""


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a value: the type around it, the names of the fields down to it, and its path."""

    owner: str = ""
    names: tuple[str, ...] = ()
    path: str = ""

    def field(self, owner: str, name: str) -> "_Place":
        return _Place(owner, (*self.names, name), self.key(name))

    def key(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name


def refusal(value: JsonObject, kind: Kind, mode: DecodeMode) -> DecodeError:
    """Return the server's answer to an object that cannot be decoded."""
    message = _message(list(_struct_faults(value, kind.root, _Place(), mode)), mode)
    if mode is DecodeMode.CREATE:
        return bad_request(kind, message)
    return bad_patch(message)


def bad_patch(message: str) -> DecodeError:
    """Return the answer to a patch that leads to an object that cannot be read."""
    return DecodeError(422, "FieldValueInvalid", "patch", message)


def bad_request(kind: Kind, message: str) -> DecodeError:
    """Return the answer to a POST of an object that cannot be read."""
    version = kind.api_version.rpartition("/")[2]
    return DecodeError(
        400, "BadRequest", "", f'{kind.name} in version "{version}" cannot be handled as a {kind.name}: {message}'
    )


def strict_error(unknown: list[str]) -> str:
    """Return the message for undeclared fields, each given as ``unknown field "path"``."""
    return "strict decoding error: " + ", ".join(unknown)


@dataclass(frozen=True, slots=True)
class Faults:
    """The errors of a value: the error that is returned, and the paths of undeclared fields."""

    error: str = ""
    unknown: tuple[str, ...] = ()


def explain(value: Json, node: Node, path: str) -> Faults:
    """Return the errors of one struct at ``path`` that was parsed from JSON on its own."""
    faults = list(_struct_faults(value, node, _Place(path=path), DecodeMode.CREATE))
    errors = [fault for fault in faults if fault.gravity is not _Severity.UNKNOWN_FIELD]
    unknown = (fault.path for fault in faults if fault.gravity is _Severity.UNKNOWN_FIELD)
    return Faults(_message(errors, DecodeMode.CREATE) if errors else "", tuple(unknown))


def _message(faults: list[_Fault], mode: DecodeMode) -> str:
    errors = [fault for fault in faults if fault.gravity is not _Severity.UNKNOWN_FIELD]
    if mode is not DecodeMode.PATCH:
        # Stable: if no error stops the decoding, the first error remains the first.
        errors = sorted(errors, key=lambda fault: fault.gravity is not _Severity.STOPS)
    if errors:
        return errors[0].text
    unknown = list(dict.fromkeys(fault.text for fault in faults))
    return strict_error(sorted(unknown) if mode is DecodeMode.PATCH else unknown)


def _faults(value: Json, node: Node, place: _Place, mode: DecodeMode) -> Iterator[_Fault]:
    """Yield the errors of a value, in the order in which kubectl writes the keys of a body."""
    if value is None or isinstance(value, Unknown):
        return
    read = decode_scalars.reader(node, mode)
    if read is not None:
        yield from _scalar_faults(value, node, read, (place, mode))
    elif node.item is not None:
        yield from (
            _list_faults(value, node.item, place, mode)
            if type(value) is list
            else _wrong_type(value, node, place, mode)
        )
    elif node.value is not None:
        yield from (
            _map_faults(value, node.value, place, mode)
            if type(value) is dict
            else _wrong_type(value, node, place, mode)
        )
    elif node.shape is Shape.OBJECT:
        yield from _struct_faults(value, node, place, mode)


def _list_faults(value: list[Json], item: Node, place: _Place, mode: DecodeMode) -> Iterator[_Fault]:
    for position, element in enumerate(value):
        yield from _faults(element, item, replace(place, path=f"{place.path}[{position}]"), mode)


def _map_faults(value: JsonObject, content: Node, place: _Place, mode: DecodeMode) -> Iterator[_Fault]:
    """Yield the errors inside a map; only the decoder of POSTs includes the map's keys in its paths."""
    for key in sorted(value):
        inner = place if mode is DecodeMode.PATCH else replace(place, path=place.key(key))
        yield from _faults(value[key], content, inner, mode)


def _struct_faults(value: Json, node: Node, place: _Place, mode: DecodeMode) -> Iterator[_Fault]:
    """Yield the errors of a struct and its fields."""
    if type(value) is not dict:
        yield from _wrong_type(value, node, place, mode)
        return
    fields = node.fields
    for name in sorted(value):
        inner = place.field(node.struct.rpartition(".")[2], name)
        if name not in fields:
            yield _Fault(_Severity.UNKNOWN_FIELD, f'unknown field "{inner.path}"', inner.path)
        elif _choice_of(fields[name]) is not None:
            yield from _schema_faults(value[name], fields[name], schema_of(fields), (inner, mode))
        else:
            yield from _faults(value[name], fields[name], inner, mode)


def schema_of(siblings: Mapping[str, Node]) -> Node:
    """Return the type of schemas, given the fields of one, as declared for its properties."""
    schema = siblings["properties"].value
    return schema if schema is not None else siblings["not"]


def _choice_of(node: Node) -> Node | None:
    """Return the node of "a schema or something else" that a field holds, directly or as a map."""
    choice = node.value if node.value is not None else node
    return choice if choice.struct.startswith(CHOICE) else None


def _schema_faults(value: Json, field: Node, schema: Node, at: tuple[_Place, DecodeMode]) -> Iterator[_Fault]:
    """Yield the errors of "a schema or something else", or of a map of them; unknown fields inside are allowed."""
    place, mode = at
    inside = _Place() if mode is DecodeMode.PATCH else place
    if field.value is not None and type(value) is not dict:
        yield from _faults(value, field, place, mode)
        return
    for item in value.values() if field.value is not None else [value]:
        faults = _choice_faults(item, _choice_of(field) or field, schema, inside)
        errors = (fault for fault in faults if fault.gravity is not _Severity.UNKNOWN_FIELD)
        yield from (replace(fault, gravity=_Severity.STOPS) for fault in errors)


def _choice_faults(value: Json, choice: Node, schema: Node, place: _Place) -> Iterator[_Fault]:
    if type(value) is dict:
        yield from _struct_faults(value, schema, place, DecodeMode.LOOSE)
    elif choice.struct == CHOICE + "Bool" and value is not None and type(value) is not bool:
        yield _Fault(_Severity.STOPS, "boolean or JSON schema expected")
    elif type(value) is list:
        item = schema if choice.struct == CHOICE + "Array" else Node(Shape.STRING)
        yield from _list_faults(value, item, place, DecodeMode.LOOSE)


def _scalar_faults(value: Json, node: Node, read: Read, at: tuple[_Place, DecodeMode]) -> Iterator[_Fault]:
    """Yield the error of a scalar that its reader rejects."""
    place, mode = at
    try:
        read(value)
    except UnfitError as unfit:
        if unfit.message and node.format == "byte":
            prefix = "error decoding from json: " if mode is DecodeMode.PATCH else ""
            yield _Fault(_Severity.REMEMBERED, prefix + unfit.message)
        elif unfit.message:
            yield _Fault(_Severity.STOPS, unfit.message)
        else:
            yield from _wrong_type(value, node, place, mode)


def _wrong_type(value: Json, node: Node, place: _Place, mode: DecodeMode) -> Iterator[_Fault]:
    own = node.format in _OWN_PARSERS
    gravity = _Severity.STOPS if own else _Severity.REMEMBERED
    if mode is DecodeMode.PATCH and not own:
        yield _Fault(gravity, _not_converted(value, node))
        return
    what = _JSON_WORDS[type(value)]
    target = _PARSED.get(node.format) or go_type(node)
    if what == "number" and target in ("int32", "int64"):
        what = f"number {gotext.encode(value)}"
    where = (
        f"Go struct field {place.owner}.{'.'.join(place.names)}" if place.owner and mode is not DecodeMode.PATCH else ""
    )
    yield _Fault(gravity, f"json: cannot unmarshal {what} into {where or 'Go value'} of type {target}")


def _not_converted(value: Json, node: Node) -> str:
    """Return the message of the converter that turns a patched object into a typed one."""
    source, target = _GO_WORDS[type(value)], go_type(node)
    if node.item is not None or node.format == "byte":
        return f"cannot restore slice from {source}"
    if node.shape is Shape.OBJECT:
        return (
            f"cannot restore map from {source}" if node.value is not None else f"cannot restore struct from: {source}"
        )
    if (source, node.shape) in (("int64", Shape.STRING), ("float64", Shape.INTEGER)):
        return f"cannot convert {source} to {target}"
    return f"unrecognized type: {target}"


def go_type(node: Node) -> str:
    """Return Go's spelling of a field's type. Go's own types for some strings count as strings."""
    if node.item is not None:
        return f"[]{go_type(node.item)}"
    if node.value is not None:
        return f"map[string]{go_type(node.value)}"
    if node.shape is Shape.OBJECT:
        return ".".join(node.struct.split(".")[-2:])
    if node.shape is Shape.INTEGER:
        return "int32" if node.format == "int32" else "int64"
    words = {Shape.BOOLEAN: "bool", Shape.NUMBER: "float64", Shape.STRING: "string"}
    return {"byte": "[]uint8", "quantity": "resource.Quantity"}.get(node.format) or words.get(
        node.shape, "interface {}"
    )
