"""Types of values in expressions, with the sizes that the server assumes if a schema sets no bounds.

Mirrors ``SchemaDeclType`` of apiserver's ``pkg/cel/common`` and ``pkg/cel/limits.go``.
"""

from collections.abc import Mapping
from functools import cache
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import JsonObject, items, mapping, texts_at
from kubectl_applylint.server.validate.cel_names import RESERVED
from kubectl_applylint.server.validate.custom.reading import flag, number, sub, text

LARGEST_REQUEST: Final = 3 * 1024 * 1024
_STRING: Final[JsonObject] = {"type": "string"}
_TYPED: Final[JsonObject] = {
    "apiVersion": _STRING,
    "kind": _STRING,
    "metadata": {"type": "object", "properties": {"name": _STRING, "generateName": _STRING}},
}
_SCALARS: Final = {"boolean": ("bool", 4), "number": ("double", 1), "integer": ("int", 1)}
_TEXTS: Final = {"duration": ("duration", 32, 3), "date": ("timestamp", 12, 12), "date-time": ("timestamp", 32, 21)}


@dataclass(frozen=True, slots=True)
class Decl:
    """A type: its kind, the maximum number of its elements, and the minimum number of its bytes in JSON."""

    kind: str
    most: int = 0
    least: int = 0
    fields: Mapping[str, "Decl"] = field(default_factory=dict)
    element: "Decl | None" = None
    key: "Decl | None" = None


def declared_type(schema: JsonObject, *, whole: bool = False) -> Decl | None:
    """Return the type of a schema, ``None`` if expressions cannot use its values."""
    if flag(schema, "x-kubernetes-int-or-string"):
        longest = number(schema, "maxLength")
        return Decl("dyn", LARGEST_REQUEST - 2 if longest is None else _nonnegative(longest) * 4, 1)
    kind = text(schema, "type")
    match kind:
        case "array":
            return _list(schema)
        case "object":
            return _map(schema) if isinstance(schema.get("additionalProperties"), dict) else _object(schema, whole)
        case "string":
            return _text(schema)
        case "boolean" | "number" | "integer":
            name, least = _SCALARS[kind]
            return Decl(name, 0, least)
        case _:
            return None


def _nonnegative(value: float) -> int:
    """Return a bound as an integer of at least 0."""
    return max(0, int(value))


def _list(schema: JsonObject) -> Decl | None:
    inner = sub(schema, "items")
    element = declared_type(inner, whole=flag(inner, "x-kubernetes-embedded-resource"))
    if element is None:
        return None
    most = number(schema, "maxItems")
    return Decl(
        "list", (LARGEST_REQUEST - 2) // (element.least + 1) if most is None else _nonnegative(most), 2, {}, element
    )


def _map(schema: JsonObject) -> Decl | None:
    inner = sub(schema, "additionalProperties")
    element = declared_type(inner, whole=flag(inner, "x-kubernetes-embedded-resource"))
    if element is None:
        return None
    most = number(schema, "maxProperties")
    count = (LARGEST_REQUEST - 2) // (element.least + 6) if most is None else _nonnegative(most)
    return Decl("map", count, 2, {}, element, Decl("string", 0, 2))


def _object(schema: JsonObject, whole: bool) -> Decl:
    inside = {**sub(schema, "properties"), **(_TYPED if whole else {})}
    needed, least = texts_at(schema, "required"), 2
    fields: dict[str, Decl] = {}
    for name, value in inside.items():
        inner = mapping(value)
        decl = declared_type(inner, whole=flag(inner, "x-kubernetes-embedded-resource"))
        if decl is None:
            continue
        fields[_escape_name(name)] = decl
        if name in needed and inner.get("default") is None:
            least += len(name.encode()) + decl.least + 4
    return Decl("object", 0, least, fields)


@cache
def _escape_name(name: str) -> str:
    """Return the name of a field as expressions spell it."""
    if name in RESERVED:
        return f"__{name}__"
    for plain, spelled in (("__", "__underscores__"), (".", "__dot__"), ("-", "__dash__"), ("/", "__slash__")):
        name = name.replace(plain, spelled)
    return name


def _text(schema: JsonObject) -> Decl:
    form, longest = text(schema, "format"), number(schema, "maxLength")
    if form in _TEXTS:
        kind, most, least = _TEXTS[form]
        return Decl(kind, most, least)
    if form == "byte":
        return Decl("bytes", LARGEST_REQUEST - 2 if longest is None else _nonnegative(longest), 2)
    allowed = [len(each.encode()) if isinstance(each, str) else 0 for each in items(schema.get("enum"))]
    if longest is not None:
        return Decl("string", _nonnegative(longest) * 4, 2)
    return Decl("string", max(allowed) if allowed else LARGEST_REQUEST - 2, 2)
