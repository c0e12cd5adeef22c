"""Which values of an object are defaults, and of which other fields a derived one was made.

The object before and after defaulting are walked side by side with its declared types: what only the second one has is
a default, and the tables say what it depends on.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from kubectl_applylint.paths import Field, Index, Path, fields
from kubectl_applylint.schema.lookup import descend
from kubectl_applylint.schema.types import Kind, Node
from kubectl_applylint.server import custom
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.defaults import apply_defaults, minor_of
from kubectl_applylint.server.defaults.tables import Entry, entries
from kubectl_applylint.values import MISSING, Json, JsonObject, Missing, equal

_Scopes: TypeAlias = tuple[tuple[int, Entry], ...]
"""The structs around a place that have defaults: how long the path to each is, innermost first."""


@dataclass(frozen=True, slots=True)
class Default:
    """One value that the server fills in: a scalar, an empty map, or a whole list. Lists are stepped by position."""

    path: Path
    value: Json
    sources: tuple[Path, ...]
    """The other fields that decide about it; empty for a constant."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An object as the server reads it, with its defaults in place, and which values these are."""

    object: JsonObject
    defaults: tuple[Default, ...]


def with_defaults(manifest: JsonObject, kind: Kind, version: str) -> Filled:
    """Return what a server of a Kubernetes version (``1.36``) makes of a manifest before it adds anything else.

    Raise ``DecodeError`` for a manifest that it cannot read.
    """
    if kind.custom:
        read = custom.decode(manifest, kind, creating=True)
        filled = custom.apply_defaults(read, kind)
    else:
        read = decode(manifest, kind, creating=True)
        filled = apply_defaults(read, kind, version)
    walk = _Walk(minor_of(version))
    return Filled(filled, tuple(walk.added(read, filled, (), walk.step((), (), kind.root, ""))))


@dataclass(frozen=True, slots=True)
class _Around:
    """The declared type of a value, the name by which the tables know its place, and the structs around it."""

    node: Node | None
    place: str
    scopes: _Scopes


@dataclass(frozen=True, slots=True)
class _Walk:
    minor: int

    def added(self, before: Json | Missing, after: Json, path: Path, around: _Around) -> Iterator[Default]:
        """Yield what ``after`` has and ``before`` has not, or has otherwise."""
        if equal(before, after):
            return
        if isinstance(after, dict) and after and (before is MISSING or isinstance(before, dict)):
            old = before if isinstance(before, dict) else {}
            for key, value in after.items():
                inner = self._field(key, path, around)
                yield from self.added(old.get(key, MISSING), value, (*path, Field(key)), inner)
        elif isinstance(after, list) and isinstance(before, list) and len(before) == len(after):
            inner = self.step(path, around.scopes, around.node and around.node.item, "")
            for position, (old, value) in enumerate(zip(before, after, strict=True)):
                yield from self.added(old, value, (*path, Index(position)), inner)
        else:
            yield Default(path, after, tuple(_sources(path, around.scopes)))

    def _field(self, key: str, path: Path, around: _Around) -> _Around:
        node = descend(around.node, key) if around.node is not None else None
        return self.step((*path, Field(key)), around.scopes, node, f"{around.place}.{key}")

    def step(self, path: Path, scopes: _Scopes, node: Node | None, place: str) -> _Around:
        """Return what surrounds the value at ``path``; the tables know a struct by its place or by its type."""
        if node is None or not node.struct:
            return _Around(node, place, scopes)
        known = entries(self.minor)
        found = [known[name] for name in dict.fromkeys((place, node.struct)) if name in known]
        return _Around(node, place or node.struct, (*((len(path), entry) for entry in found), *scopes))


def _sources(path: Path, scopes: _Scopes) -> Iterator[Path]:
    """Yield the fields that the default at ``path`` was derived from, as the innermost struct that has it says."""
    for length, entry in scopes:
        names = tuple(step.name for step in path[length:] if isinstance(step, Field))
        for derived in entry.derived:
            if any(names[: field.count(".") + 1] == tuple(field.split(".")) for field in derived.fields):
                others = (tuple(source.split(".")) for source in derived.source)
                yield from (_placed(other, path, length) for other in others if names[: len(other)] != other)
                return
        if names[:1] and names[0] in entry.constant:
            return


def _placed(names: tuple[str, ...], path: Path, length: int) -> Path:
    """Return the path of a field of the struct at ``path[:length]``, in the same list elements as ``path``."""
    rest, placed = list(names), list(path[:length])
    for step in path[length:]:
        if isinstance(step, Field) and rest[:1] != [step.name]:
            break
        placed.append(step)
        rest = rest[1:] if isinstance(step, Field) else rest
    return (*placed, *fields(*rest))
