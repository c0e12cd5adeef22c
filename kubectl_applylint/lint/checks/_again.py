"""Finds the fields that a second apply of the same manifest sends again, and the reason."""

from collections.abc import Iterator
from enum import StrEnum

from kubectl_applylint.core.gotext import show
from kubectl_applylint.core.paths import ByKey, Field, Index, Path, get
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, items, mapping, without_nulls
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.schema.lookup import descend
from kubectl_applylint.schema.types import Node, Shape

_UNTYPED = Node(Shape.ANY)
_SPELLED = {"quantity", "date-time", "micro-time", "duration", "byte"}
"""Formats with several spellings of one value; servers store one of them."""
_ORDER, _RETAIN = "$setElementOrder/", "$retainKeys"


class ResendReason(StrEnum):
    """The reason why a field is sent again."""

    NULL = "null"
    """The manifest has null, and the server stores no nulls."""
    SPELLING = "spelling"
    """The server spells the same value in another way."""
    WRITE_ONLY = "write-only"
    """The server moves it elsewhere."""
    EMPTY = "empty"
    """The manifest has an empty value, and the server stores none."""
    FILLED = "filled"
    """A list that is compared as a whole and gets defaults from the server."""
    WHOLE = "whole"
    """It is stored as written; kubectl sends it without a comparison."""
    FOREIGN = "foreign"
    """A list that has further elements in the cluster."""
    RETAINED = "retained"
    """The manifest has only some fields of a block in which all others are dropped, and the server adds them."""
    REWRITTEN = "rewritten"
    """The server stores another value."""
    DROPPED = "dropped"
    """The server does not store it."""
    TWINS = "twins"
    """A list has elements that kubectl treats as one, here or in the cluster; other rules report them."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class ResentField:
    """One field that the second apply sends. An absent value is ``MISSING``."""

    path: Path
    cause: ResendReason
    written: Json | Missing
    stored: Json | Missing


def resent_fields(subject: Subject) -> tuple[ResentField, ...]:
    """Return the fields that a second apply sends again, none if an apply is rejected or the kind is unknown."""
    return subject.once(_find_resent)


def _find_resent(subject: Subject) -> tuple[ResentField, ...]:
    """Compute ``resent_fields``."""
    first = subject.predict(Scenario.APPLY)
    if subject.kind is None or first.refused or first.result is None:
        return ()
    again = subject.predict(Scenario.AGAIN)
    if again.refused or not again.requests:
        return ()
    sides = _Sides(subject.manifest, first.result)
    return tuple(_patch_fields(mapping(again.requests[-1].body), subject.kind.root, (), sides))


@dataclass(frozen=True, slots=True)
class _Sides:
    """The manifest and the stored object."""

    manifest: JsonObject
    stored: JsonObject

    def resent_field(self, path: Path, cause: ResendReason) -> ResentField:
        """Return the field at a path with both values."""
        return ResentField(path, cause, get(self.manifest, path), get(self.stored, path))


def _patch_fields(patch: JsonObject, node: Node, path: Path, sides: _Sides) -> Iterator[ResentField]:
    """Yield the fields in the patch of one object or map, with the reason for each."""
    for key, value in patch.items():
        if key == _RETAIN and len(patch) == 1:
            yield sides.resent_field(path, ResendReason.RETAINED)
        elif key.startswith(_ORDER) and key.removeprefix(_ORDER) not in patch:
            yield _order_change((*path, Field(key.removeprefix(_ORDER))), sides)
        elif not key.startswith("$"):
            yield from _value_fields(value, descend(node, key) or _UNTYPED, (*path, Field(key)), sides)


def _order_change(path: Path, sides: _Sides) -> ResentField:
    """Return the list whose order is sent."""
    written, stored = get(sides.manifest, path), get(sides.stored, path)
    longer = isinstance(written, list) and isinstance(stored, list) and len(stored) > len(written)
    return ResentField(path, ResendReason.FOREIGN if longer else ResendReason.OTHER, written, stored)


def _value_fields(value: Json, node: Node, path: Path, sides: _Sides) -> Iterator[ResentField]:
    written, stored = get(sides.manifest, path), get(sides.stored, path)
    if path[0] == Field("stringData"):
        yield ResentField(path, ResendReason.WRITE_ONLY, written, stored)
    elif isinstance(value, dict) and value and isinstance(stored, dict) and not node.replaces:
        yield from _patch_fields(value, node, path, sides)
    elif isinstance(value, list) and node.merges and node.merge_key:
        yield from _element_fields(value, node, path, sides)
    else:
        yield from _differing(written, stored, node, path)


def _element_fields(patch: list[Json], node: Node, path: Path, sides: _Sides) -> Iterator[ResentField]:
    """Yield the fields in the patch of a merging list; an element that is not stored was merged into another one."""
    names = [mapping(element).get(node.merge_key) for element in patch]
    if any(isinstance(name, Unknown) for name in names):
        yield sides.resent_field(path, ResendReason.OTHER)
        return
    keys = [ByKey(((node.merge_key, name),)) for name in names]
    lists = [get(side, path) for side in (sides.manifest, sides.stored)]
    if any(_has_twins(elements, node.merge_key) for elements in lists) or MISSING in (
        get(lists[1], (k,)) for k in keys
    ):
        yield sides.resent_field(path, ResendReason.TWINS)
        return
    for key, element in zip(keys, map(mapping, patch), strict=True):
        changed = {name: value for name, value in element.items() if name != node.merge_key}
        yield from _patch_fields(changed, node.item or _UNTYPED, (*path, key), sides)


def _has_twins(elements: Json | Missing, key: str) -> bool:
    """Return whether two elements have the same key."""
    values = [show(mapping(element).get(key)) for element in items(elements)]
    return len(set(values)) < len(values)


def _differing(written: Json | Missing, stored: Json | Missing, node: Node, path: Path) -> Iterator[ResentField]:
    """Yield the differences between a value that is compared as a whole and the stored one."""
    found = list(dict.fromkeys(_differences(written, stored, node, path)))
    for inner, cause in found or [(path, ResendReason.WHOLE if node.replaces else ResendReason.OTHER)]:
        rest = inner[len(path) :]
        yield ResentField(inner, cause, get(written, rest), get(stored, rest))


def _differences(
    written: Json | Missing, stored: Json | Missing, node: Node, path: Path
) -> Iterator[tuple[Path, ResendReason]]:
    if isinstance(written, dict) and isinstance(stored, dict):
        for key, value in written.items():
            inner = descend(node, key) or _UNTYPED
            yield from _differences(value, stored.get(key, MISSING), inner, (*path, Field(key)))
        if not stored.keys() <= written.keys():
            yield _list_around(path), ResendReason.FILLED
    elif isinstance(written, list) and isinstance(stored, list) and len(written) == len(stored):
        for position, (value, other) in enumerate(zip(written, stored, strict=True)):
            yield from _differences(value, other, node.item or _UNTYPED, (*path, Index(position)))
    elif _is_longer(written, stored):
        yield _list_around(path), ResendReason.FILLED
    elif not equal(written, stored):
        yield path, _reason(written, stored, node)


def _is_longer(written: Json | Missing, stored: Json | Missing) -> bool:
    """Return whether a list is stored with all written elements and more."""
    is_longer = isinstance(written, list) and isinstance(stored, list) and 0 < len(written) < len(stored)
    return is_longer and all(any(equal(one, other) for other in items(stored)) for one in items(written))


def _list_around(path: Path) -> Path:
    """Return the outermost list that a path leads into, or the path itself."""
    positions = [number for number, step in enumerate(path) if isinstance(step, Index)]
    return path[: positions[0]] if positions else path


def _reason(written: Json | Missing, stored: Json | Missing, node: Node) -> ResendReason:
    """Return the reason why a written value differs from the stored one."""
    if without_nulls(written) != written or written is None:
        return ResendReason.NULL
    if written in ("", [], {}) or (stored in (MISSING, None) and not written):
        return ResendReason.EMPTY
    if stored is MISSING or stored is None:
        return ResendReason.DROPPED
    if isinstance(stored, Unknown):
        return ResendReason.OTHER
    return ResendReason.SPELLING if node.format in _SPELLED else ResendReason.REWRITTEN
