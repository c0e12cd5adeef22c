"""Typed decoding: the tree that the server makes of a request body.

In the tree an absent key is Go's nil or zero value. Nulls, zero values of fields that are not pointers, and empty lists
and maps are dropped, as in a stored object. Values have their stored form. Parts of the input that have this form
already are shared.

Mirrors ``sigs.k8s.io/json`` (POST) and apimachinery's ``DefaultUnstructuredConverter`` (PATCH), both strict.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from operator import is_
from typing import Final, TypeAlias

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.types import Kind, Node, Shape
from kubectl_applylint.server import decode_scalars
from kubectl_applylint.server.decode_scalars import DecodeMode, UnfitError, unfit
from kubectl_applylint.server.faults import CHOICE, refusal, schema_of

Read: TypeAlias = Callable[[Json], Json]
LoadFields: TypeAlias = Callable[[], Mapping[str, Node]]

_ZEROS: Final[Mapping[Shape, Json]] = {
    Shape.BOOLEAN: False,
    Shape.INTEGER: 0,
    Shape.LIST: None,
    Shape.NUMBER: 0,
    Shape.OBJECT: {},
    Shape.STRING: "",
}
_KEPT_EMPTY: Final = frozenset({"io.k8s.api.autoscaling.v2.HPAScalingPolicy"})
"""Types whose lists get a default when absent, but not when written empty."""
_PLANS: Final = 8192
"""The size of the cache of types; one Kubernetes version has some 700."""


def decode(value: JsonObject, kind: Kind, *, creating: bool) -> JsonObject:
    """Return the tree of an object of a built-in kind; raise ``DecodeError`` if the server cannot read it.

    ``creating`` distinguishes the body of a POST from the object that a patch leads to.
    """
    mode = DecodeMode.CREATE if creating else DecodeMode.PATCH
    try:
        return decode_struct(value, kind.root, mode)
    except UnfitError:
        raise refusal(value, kind, mode) from None


def drop_unknown_fields(value: Json, node: Node) -> Json:
    """Return a value without the fields that its type does not declare, as a non-strict server reads it."""
    if isinstance(value, dict) and node.value is not None:
        return {key: drop_unknown_fields(item, node.value) for key, item in value.items()}
    if isinstance(value, dict) and node.shape is Shape.OBJECT:
        return {key: drop_unknown_fields(item, node.fields[key]) for key, item in value.items() if key in node.fields}
    if isinstance(value, list) and node.item is not None:
        return [drop_unknown_fields(item, node.item) for item in value]
    return value


def decode_struct(value: Json, node: Node, mode: DecodeMode) -> JsonObject:
    """Return the tree of one declared type; raise ``UnfitError`` without a place or a reason."""
    decoded: JsonObject = _read_struct(node.load_fields, mode, value)
    return decoded


@lru_cache(maxsize=_PLANS)
def _plan(load_fields: LoadFields, mode: DecodeMode) -> Mapping[str, tuple[Read, bool]]:
    """Return for each field of a type its reader, and whether zero differs from absent.

    A type is identified by its function of fields: there is one for each type of each version.
    """
    fields = load_fields()
    return {name: (_reader(node, mode, fields), _keeps_zero(node)) for name, node in fields.items()}


def _keeps_zero(node: Node) -> bool:
    """Return whether zero differs from absent: for pointers, raw JSON, and a few lists."""
    return bool(node.pointer) or node.format == "raw" or (node.item is not None and node.item.struct in _KEPT_EMPTY)


def _reader(node: Node, mode: DecodeMode, siblings: Mapping[str, Node]) -> Read:
    """Return the reader of the values of a field."""
    scalar = decode_scalars.reader(node, mode)
    if scalar is not None:
        return scalar
    if node.item is not None:
        read = _reader(node.item, mode, siblings)
        return _read_texts if read is decode_scalars.text else partial(_read_list, read, _zero(node.item))
    if node.value is not None:
        read = _reader(node.value, mode, siblings)
        return _read_text_map if read is decode_scalars.text else partial(_read_map, read, _zero(node.value))
    if node.shape is Shape.OBJECT:
        return partial(_read_struct, node.load_fields, mode)
    return _schema_or_other_reader(node, siblings) if node.struct.startswith(CHOICE) else _read_anything


def _schema_or_other_reader(node: Node, siblings: Mapping[str, Node]) -> Read:
    """Return the reader of "a schema or something else", which occurs only in schemas themselves."""
    schema = partial(_read_struct, schema_of(siblings).load_fields, DecodeMode.LOOSE)
    lists: Mapping[str, Read] = {
        "Bool": decode_scalars.boolean,
        "Array": partial(_read_list, schema, {}),
        "StringArray": _read_texts,
    }
    choice = node.struct.removeprefix(CHOICE)
    return partial(_read_choice, schema, lists[choice], choice != "Bool")


def _zero(node: Node) -> Json:
    """Return the value of null in a list or a map of such values."""
    return "0" if node.format == "quantity" else _ZEROS.get(node.shape)


def _read_struct(load_fields: LoadFields, mode: DecodeMode, value: Json) -> Json:
    """Read a map as a struct of a declared type."""
    if type(value) is not dict:
        return unfit(value)
    plan = _plan(load_fields, mode)
    decoded, is_same = {}, True
    for name, item in value.items():
        field = plan.get(name)
        if field is None and mode is not DecodeMode.LOOSE:
            raise UnfitError
        if field is None or item is None:
            is_same = False
            continue
        read, pointer = field
        content = read(item)
        if content or pointer:
            decoded[name] = content
        if content is not item or not (content or pointer):
            is_same = False
    return value if is_same else decoded


def _read_list(read: Read, zero: Json, value: Json) -> Json:
    if type(value) is not list:
        return unfit(value)
    decoded = [zero if item is None else read(item) for item in value]
    return value if all(map(is_, decoded, value)) else decoded


def _read_map(read: Read, zero: Json, value: Json) -> Json:
    if type(value) is not dict:
        return unfit(value)
    decoded = {key: zero if item is None else read(item) for key, item in value.items()}
    return value if all(map(is_, decoded.values(), value.values())) else decoded


def _read_texts(value: Json) -> Json:
    """Read a list of strings, which is usually stored unchanged."""
    if type(value) is list and all(type(item) is str for item in value):
        return value
    return _read_list(decode_scalars.text, "", value)


def _read_text_map(value: Json) -> Json:
    if type(value) is dict and all(type(item) is str for item in value.values()):
        return value
    return _read_map(decode_scalars.text, "", value)


def _read_anything(value: Json) -> Json:
    return value


def _read_choice(schema: Read, other: Read, lenient: bool, value: Json) -> Json:
    """Read a schema or something else; ``lenient`` types read any other value as absent."""
    if type(value) is dict:
        return schema(value)
    return None if lenient and not isinstance(value, (list, Unknown)) else other(value)
