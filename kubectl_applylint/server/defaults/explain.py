"""Which values of an object are defaults, and of which other fields a derived one was made.

The object before and after defaulting are walked side by side: what only the second one has is a default, and the
tables say what it depends on.
"""

from collections.abc import Iterator

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server import custom
from kubectl_applylint.server.decode import decode
from kubectl_applylint.server.defaults import apply_defaults
from kubectl_applylint.server.defaults.origin import sources_of


@dataclass(frozen=True, slots=True)
class Default:
    """One value that the server fills in: a scalar, an empty map, or a whole list. Lists are stepped by position."""

    path: Path
    value: Json
    sources: tuple[Path, ...]
    """The other fields that decide about it; empty for a constant."""
    replaces: Json | Missing = MISSING
    """What was written there and does not count: a zero, or an amount that is finer than servers keep."""


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
    found = (
        Default(path, value, _others(path, sources_of(path, kind, version)), before)
        for path, before, value in _differences(read, filled, ())
    )
    return Filled(filled, tuple(found))


def _others(path: Path, sources: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return the sources but those that the field itself is or lies in."""
    return tuple(source for source in sources if path[: len(source)] != source)


def _differences(before: Json | Missing, after: Json, path: Path) -> Iterator[tuple[Path, Json | Missing, Json]]:
    """Yield where ``after`` has what ``before`` has not, or has otherwise, with both values."""
    if equal(before, after):
        return
    if isinstance(after, dict) and after and (before is MISSING or isinstance(before, dict)):
        for key, value in after.items():
            old = before.get(key, MISSING) if isinstance(before, dict) else MISSING
            yield from _differences(old, value, (*path, Field(key)))
    elif isinstance(after, list) and isinstance(before, list) and len(before) == len(after):
        for position, (old, value) in enumerate(zip(before, after, strict=True)):
            yield from _differences(old, value, (*path, Index(position)))
    else:
        yield path, before, after
