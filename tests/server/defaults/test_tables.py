"""The tables as a whole: they name what exists, and nothing that OpenAPI declares is missing."""

from collections.abc import Iterator, Mapping
from functools import cache

import pytest

from kubectl_applylint.core.values import MISSING
from kubectl_applylint.schema import tables as schema_tables
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.server.default_rules import Defaults
from kubectl_applylint.server.defaults.differences import SINCE
from kubectl_applylint.server.defaults.tables import entries, tables

MINORS = range(schema_tables.OLDEST, schema_tables.NEWEST + 1)


@cache
def structs(minor: int) -> Mapping[str, Node]:
    """Return every declared type that a served kind reaches."""
    waiting = [kind.root for gvk in schema_tables.kinds(minor) if (kind := schema_tables.kind(minor, gvk))]
    found: dict[str, Node] = {}
    while waiting:
        node = waiting.pop()
        while (inner := node.item or node.value) is not None:
            node = inner
        if node.shape is Shape.OBJECT and node.struct and node.struct not in found:
            found[node.struct] = node
            waiting += node.fields.values()
    return found


def declared_defaults(minor: int) -> Iterator[tuple[str, str, object]]:
    # Go's zero values are declared as defaults too; they are what an empty field holds anyway.
    for struct, node in structs(minor).items():
        for field, child in node.fields.items():
            if child.default not in (MISSING, "", 0, False):
                yield struct, field, child.default


def place_exists(place: str) -> bool:
    """Return whether some minor declares the type that a place starts with, and the fields after it."""
    for minor in MINORS:
        known = structs(minor)
        parts = place.split(".")
        starts = [length for length in range(len(parts), 0, -1) if ".".join(parts[:length]) in known]
        if starts and has_fields(known[".".join(parts[: starts[0]])], parts[starts[0] :]):
            return True
    return False


def has_fields(node: Node, fields: list[str]) -> bool:
    for field in fields:
        if field not in node.fields:
            return False
        node = node.fields[field]
    return True


@pytest.mark.parametrize("minor", MINORS)
def test_every_default_that_openapi_declares_is_in_the_tables(minor: int) -> None:
    known = entries(minor)
    missing = {
        f"{struct}.{field}"
        for struct, field, default in declared_defaults(minor)
        if struct not in known or known[struct].constant.get(field, MISSING) != default
    }

    assert missing == set()


@pytest.mark.parametrize("table", tables(), ids=lambda table: f"{table.package}.{table.versions}")
def test_every_place_exists(table: Defaults) -> None:
    places = [
        f"{table.package}.{version}.{place}"
        for version in table.versions
        for place in {**table.constant, **table.derived}
    ]

    assert [place for place in places if not place_exists(place)] == []


def test_every_difference_names_a_default() -> None:
    named = {
        f"{table.package.rpartition('.')[2]}.{version}.{place}.{field}"
        for table in tables()
        for version in table.versions
        for place in {**table.constant, **table.derived}
        for field in [
            *table.constant.get(place, {}),
            *(field for rule in table.derived.get(place, ()) for field in rule.fields),
        ]
    }

    assert set(SINCE) <= named
