"""The server's checks of an applied configuration before the merge: types, unknown fields, duplicates."""

import json
from collections.abc import Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core import gotext
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.fieldset import Element, field_element, render
from kubectl_applylint.merge.typed import MergeForm, TypedError, element_of, form_of, is_open, item_of, member_of
from kubectl_applylint.schema.types import Node, Shape

Fault: TypeAlias = tuple[tuple[Element, ...], str]
"""A path and the error there."""

_PLAIN: Final = frozenset({"", "byte"})
"""Formats of strings whose values must be strings; with other formats a server accepts every scalar."""
_TYPES: Final = {Shape.STRING: str, Shape.BOOLEAN: bool, Shape.INTEGER: int}
"""The JSON types that are always valid."""
_DURATION: Final = "duration"
"""The built-in type of durations, whose OpenAPI has no format."""


@dataclass(frozen=True, slots=True)
class _Extent:
    """Which errors are reported."""

    duplicates: bool = False
    """Whether elements with equal keys are allowed."""
    is_complete: bool = False
    """Whether the fields after an undeclared one are checked as well."""


def check(node: Node, value: Json, *, duplicates: bool = False) -> str:
    """Return the server's message about a configuration that its schema does not allow, or ``""``.

    ``duplicates`` allows elements with equal keys, as the server does for stored objects.
    """
    faults = [
        f"{render(trail)}: {message}" if trail else message
        for trail, message in _faults(node, value, (), _Extent(duplicates))
    ]
    if len(faults) > 1:
        return "errors:\n" + "".join(f"  {fault}\n" for fault in faults).rstrip("\n")
    return faults[0] if faults else ""


def type_errors(node: Node, value: Json) -> Iterator[Fault]:
    """Yield all errors of a configuration: the path, and the server's message about it.

    The server's own message names only the first undeclared field of a map, and what precedes it.
    """
    return _faults(node, value, (), _Extent(is_complete=True))


def _faults(node: Node, value: Json, trail: tuple[Element, ...], extent: _Extent) -> Iterator[Fault]:
    # Unknown values are stored by the server, and so have the right type.
    if value is None or isinstance(value, Unknown):
        return
    fault = "" if is_open(node) else _type_fault(node, value)
    if fault:
        yield trail, fault
    else:
        yield from _child_faults(node, value, trail, extent)


def _type_fault(node: Node, value: Json) -> str:
    """Return the type error of a value, with the message of structured-merge-diff."""
    match node.shape:
        case Shape.OBJECT:
            return "" if isinstance(value, dict) else f"expected map, got {_go_map(value)}"
        case Shape.LIST:
            return "" if isinstance(value, list) else f"expected list, got {_go_map(value)}"
        case Shape.STRING:
            return _string_fault(node, value)
        case Shape.INTEGER | Shape.NUMBER:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            return "" if number else f"expected numeric (int or float), got {_go_type(value)}"
        case Shape.BOOLEAN:
            return "" if isinstance(value, bool) else f"expected boolean, got {_go_map(value)}"
        case Shape.ANY:
            return ""


def _string_fault(node: Node, value: Json) -> str:
    if not _is_plain(node):
        return f"expected any scalar, got {_go_map(value)}" if isinstance(value, (dict, list)) else ""
    if isinstance(value, str):
        return ""
    return f"expected string, got &value.valueUnstructured{{Value:{_go_syntax(value)}}}"


def _is_plain(node: Node) -> bool:
    return node.format in _PLAIN or (node.format == _DURATION and not node.source)


def _go_map(value: Json) -> str:
    return f"&{{{gotext.show(value)}}}"


def _go_syntax(value: Json) -> str:
    """Return a non-string value as Go's ``%#v`` prints it."""
    if isinstance(value, dict):
        inner = ", ".join(f"{json.dumps(key)}:{_go_syntax(value[key])}" for key in sorted(value))
        return f"map[string]interface {{}}{{{inner}}}"
    if isinstance(value, list):
        return f"[]interface {{}}{{{', '.join(map(_go_syntax, value))}}}"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return "interface {}(nil)" if value is None else gotext.show(value)


def _go_type(value: Json) -> str:
    return {dict: "map[string]interface {}", list: "[]interface {}", bool: "bool"}.get(type(value), "string")


def _child_faults(node: Node, value: Json, trail: tuple[Element, ...], extent: _Extent) -> Iterator[Fault]:
    """Yield the errors of the children of a map or list."""
    if isinstance(value, dict):
        yield from _member_faults(node, value, trail, extent)
    elif isinstance(value, list):
        yield from _list_faults(node, value, trail, extent)


def _member_faults(node: Node, value: JsonObject, trail: tuple[Element, ...], extent: _Extent) -> Iterator[Fault]:
    """Yield the errors of the members of a map."""
    for name, item in value.items():
        inner, path = member_of(node, name), (*trail, field_element(name))
        if inner is None:
            yield path, "field not declared in schema"
            if not extent.is_complete:
                return
        elif _TYPES.get(inner.shape) is not type(item):
            yield from _faults(inner, item, path, extent)


def _list_faults(node: Node, value: list[Json], trail: tuple[Element, ...], extent: _Extent) -> Iterator[Fault]:
    """Yield the errors of the elements of a list, including duplicates."""
    keyed = form_of(node, value) in (MergeForm.KEYED, MergeForm.SET)
    seen: set[Element] = set()
    for place, item in enumerate(value):
        try:
            element = element_of(node, item) if keyed else f"i:{place}"
        except TypedError as error:
            yield trail, f"element {place}: {error}"
            return
        if element in seen and not extent.duplicates:
            yield trail, f"duplicate entries for key {render((element,))}"
        seen.add(element)
        yield from _faults(item_of(node), item, (*trail, element), extent)
