"""The walk that sets defaults: an object's fields and the tables of its declared types.

Only fields that can contain a default are visited; unchanged parts are shared with the input.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.schema import tables as schema_tables
from kubectl_applylint.schema.types import Node, Shape
from kubectl_applylint.server.default_rules import Derive
from kubectl_applylint.server.defaults.tables import DefaultEntry, entries
from kubectl_applylint.server.quantity import MILLI, rounded_up

_Fill: TypeAlias = Callable[[Json], Json]
_NOTHING: Final = DefaultEntry({}, ())
_EMPTY: Final[JsonObject] = {}
_FINER_THAN_MILLI: Final = ("n", "u")


@dataclass(frozen=True, slots=True)
class _Plan:
    """The defaults of one struct: constants for empty fields, then derived fields, then the structs inside."""

    constants: tuple[tuple[str, Json, Json | Missing], ...]
    """Field, default, and the value that counts as empty, as null does."""
    derived: tuple[Derive, ...]
    inside: tuple[tuple[str, _Fill, bool], ...]
    """Field, its filler, and whether the field always exists, as Go's embedded structs do."""


def fill(value: JsonObject, minor: int, struct: str, place: str = "") -> JsonObject:
    """Return a struct of a declared type with its defaults.

    ``place`` is its position in the tables (``….apps.v1.Deployment.spec``), if it has one.
    """
    plan = _plan(minor, struct, place or struct)
    added = {field: default for field, default, zero in plan.constants if _is_empty(value.get(field), zero)}
    filled = {**value, **added} if added else value
    for derive in plan.derived:
        filled = _with_changes(filled, derive(filled))
    changed = {}
    for field, fill_field, is_always_there in plan.inside:
        before = filled.get(field)
        if isinstance(before, Unknown) or (before is None and not is_always_there):
            continue
        after = fill_field(before or _EMPTY)
        if after is not before and after is not _EMPTY:
            changed[field] = after
    return {**filled, **changed} if changed else filled


def _with_changes(value: JsonObject, changes: Mapping[str, Json | Missing]) -> JsonObject:
    if not changes:
        return value
    return {field: item for field, item in {**value, **changes}.items() if item is not MISSING}


def _is_empty(value: Json, zero: Json | Missing) -> bool:
    return value is None or (type(value) is type(zero) and value == zero)


@cache
def _plan(minor: int, struct: str, place: str) -> _Plan:
    """Return the defaults of one struct: those of its type and of its place."""
    node = schema_tables.struct(minor, struct)
    found = entries(minor)
    rules = [found.get(name, _NOTHING) for name in dict.fromkeys((place, struct))]
    constants = {field: default for rule in rules for field, default in rule.constant.items()}
    fills = ((field, child, _filler(minor, child, f"{place}.{field}")) for field, child in node.fields.items())
    return _Plan(
        constants=tuple((f, d, _zero(node.fields[f], d)) for f, d in constants.items() if f in node.fields),
        derived=tuple(derived.derive for rule in rules for derived in rule.derived),
        inside=tuple((field, filler, _is_always_there(child)) for field, child, filler in fills if filler is not None),
    )


def _is_always_there(node: Node) -> bool:
    return node.shape is Shape.OBJECT and bool(node.struct) and node.pointer is False


def _zero(node: Node, default: Json) -> Json | Missing:
    """Return the value that a server cannot distinguish from absent: Go's zero value, ``MISSING`` for a pointer."""
    return MISSING if node.pointer or not default else type(default)()


def _filler(minor: int, node: Node, place: str) -> _Fill | None:
    """Return the filler of a field, ``None`` if it cannot contain a default."""
    if node.item is not None:
        inner = _filler(minor, node.item, "")
        return inner and partial(_fill_list, inner)
    # Only maps of amounts have defaults, in all minors.
    if node.value is not None:
        return _round_up if node.value.format == "quantity" else None
    if node.shape is not Shape.OBJECT or not node.struct:
        return None
    if _is_known(minor, place):
        return partial(fill, minor=minor, struct=node.struct, place=place)
    return partial(fill, minor=minor, struct=node.struct) if _has_defaults(minor, node.struct) else None


def _fill_list(fill_element: _Fill, elements: list[Json]) -> list[Json]:
    filled = [fill_element(element) for element in elements]
    return filled if any(old is not new for old, new in zip(elements, filled, strict=True)) else elements


def _round_up(amounts: JsonObject) -> JsonObject:
    """Return amounts of resources rounded up to thousandths, the precision that servers store."""
    finer = [name for name, amount in amounts.items() if str(amount).endswith(_FINER_THAN_MILLI)]
    return {**amounts, **{name: rounded_up(amounts[name], MILLI) for name in finer}} if finer else amounts


def _is_known(minor: int, place: str) -> bool:
    """Return whether the tables contain this place or one below it."""
    return place in _positions(minor)


@cache
def _positions(minor: int) -> frozenset[str]:
    """Return every place of the tables, and all places above them."""
    parts = [place.split(".") for place in entries(minor)]
    return frozenset(".".join(words[:length]) for words in parts for length in range(1, len(words) + 1))


@cache
def _has_defaults(minor: int, struct: str) -> bool:
    """Return whether a declared type, or a type inside it, has defaults or rounded amounts."""
    seen, waiting = {""}, [struct]
    while waiting:
        name = waiting.pop()
        if _is_known(minor, name):
            return True
        seen.add(name)
        for field in schema_tables.struct(minor, name).fields.values():
            if field.value is not None and field.value.format == "quantity":
                return True
            element = field.item or field
            if element.shape is Shape.OBJECT and element.struct not in seen:
                waiting.append(element.struct)
    return False
