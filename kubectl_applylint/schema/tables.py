"""The built-in kinds of each Kubernetes minor, read from the tables that ship with the package.

``scripts/generate_schema.py`` writes the tables and describes their format. A definition is parsed when one of its
fields is looked up, so a kind costs only what of it is used.
"""

import json
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache, partial
from pkgutil import get_data
from typing import Final

from kubectl_applylint.core.values import MISSING, Json
from kubectl_applylint.schema.types import Gvk, Kind, Node, Shape

OLDEST: Final = 29
NEWEST: Final = 37

_SHAPES: Final = {
    "boolean": Shape.BOOLEAN,
    "double": Shape.NUMBER,
    "integer": Shape.INTEGER,
    "int32": Shape.INTEGER,
    "int64": Shape.INTEGER,
    "number": Shape.NUMBER,
}
"""Types in the tables that are not strings in JSON; quantities and int-or-strings may be numbers as well."""
_PLAIN: Final = frozenset({"boolean", "integer", "number", "string"})


@cache
def kind(minor: int, gvk: Gvk) -> Kind | None:
    """Return a built-in kind of Kubernetes 1.``minor``, ``None`` if it has no such kind."""
    row = _row("kinds.tsv", "\t".join(gvk), minor)
    if row is None:
        return None
    resource, scope, subresources, definition = row
    return Kind(
        api_version=gvk[0],
        name=gvk[1],
        root=struct(minor, definition),
        resource=resource,
        namespaced=scope == "Namespaced",
        strategic=True,
        subresources=tuple(filter(None, subresources.split(","))),
    )


def kinds(minor: int) -> tuple[Gvk, ...]:
    """Return every kind that Kubernetes 1.``minor`` serves, sorted by apiVersion and kind."""
    cells = (line.split("\t", 4) for line in lines("kinds.tsv"))
    return tuple((api_version, name) for api_version, name, first, last, _ in cells if _holds(first, last, minor))


def _row(table: str, key: str, minor: int) -> list[str] | None:
    """Return the row of a table for ``key`` and one minor. Lines are sorted by key, so few are read."""
    every = lines(table)
    prefix = key + "\t"
    for line in every[bisect_left(every, prefix) :]:
        if not line.startswith(prefix):
            return None
        first, last, *cells = line.removeprefix(prefix).split("\t")
        if _holds(first, last, minor):
            return cells
    return None


@cache
def lines(table: str) -> list[str]:
    """Return the lines of a shipped table."""
    return (get_data(__name__, f"tables/{table}") or b"").decode().split("\n")[:-1]


def _holds(first: str, last: str, minor: int) -> bool:
    """Return whether a row applies to a minor."""
    return int(first) <= minor and (not last or minor <= int(last))


@cache
def _definition(minor: int, name: str) -> tuple[str, str, str]:
    """Return map type, required fields and the JSON of the fields of a declared type."""
    row = _row("definitions.tsv", name, minor)
    if row is None:
        raise KeyError(f"Kubernetes 1.{minor} declares no type {name}")
    map_type, required, fields = row
    return map_type, required, fields


@cache
def struct(minor: int, name: str) -> Node:
    """Return the node of a declared type by its full name, for example ``io.k8s.api.core.v1.Container``.

    Raises ``KeyError`` for a type that this minor does not declare.
    """
    map_type, required, _ = _definition(minor, name)
    return Node(
        Shape.OBJECT,
        struct=name,
        load_fields=partial(_fields, minor, name),
        required=tuple(filter(None, required.split(","))),
        map_type=map_type,
    )


@cache
def _fields(minor: int, name: str) -> Mapping[str, Node]:
    """Return the fields of a declared type."""
    entries: Mapping[str, Json] = json.loads(_definition(minor, name)[2])
    package = name.rpartition(".")[0]
    return {key: _field(minor, package, entry) for key, entry in entries.items()}


def _field(minor: int, package: str, entry: Json) -> Node:
    """Return the node of a field from its entry in the table."""
    known: Mapping[str, Json] = {"type": entry} if isinstance(entry, str) else entry
    word, *flags = known["type"].split(" ")
    node = _node_of_type(minor, package, word)
    return Node(
        node.shape,
        format=node.format,
        struct=node.struct,
        item=node.item,
        value=node.value,
        load_fields=node.load_fields,
        required=node.required,
        patch_strategy=tuple(known.get("patch_strategy", ())),
        merge_key=known.get("merge_key", ""),
        list_type=known.get("list_type", ""),
        map_keys=tuple(known.get("map_keys", ())),
        map_type=known.get("map_type", node.map_type),
        default=known.get("default", MISSING),
        omitempty="omitempty" in flags,
        omitzero="omitzero" in flags,
        pointer="pointer" in flags,
    )


@cache
def _node_of_type(minor: int, package: str, word: str) -> Node:
    """Return the node of a type expression of the tables, without the attributes of the field."""
    if word.startswith("[]"):
        return Node(Shape.LIST, item=_node_of_type(minor, package, word[2:]))
    if word.startswith("{}"):
        return Node(Shape.OBJECT, value=_node_of_type(minor, package, word[2:]))
    if word.startswith("."):
        return struct(minor, package + word)
    if word.startswith(("any=", "raw=")):
        return Node(Shape.ANY, format="raw" if word.startswith("raw=") else "", struct=word[4:])
    if "." in word:
        return struct(minor, word)
    return Node(_SHAPES.get(word, Shape.STRING), format="" if word in _PLAIN else word)
