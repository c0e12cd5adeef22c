"""The values of an object that are defaults, and the fields from which derived ones come.

Walks the object before and after defaulting side by side: values that only the second one has are defaults, and the
tables name their sources.
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
    """One value that the server sets: a scalar, an empty map, or a whole list. Paths have list positions."""

    path: Path
    value: Json
    sources: tuple[Path, ...]
    """The other fields that determine it; empty for a constant."""
    replaces: Json | Missing = MISSING
    """The written value that the default replaces: a zero, or an amount finer than servers store."""


@dataclass(frozen=True, slots=True)
class Filled:
    """An object as the server reads it, with its defaults, and the list of these defaults."""

    object: JsonObject
    defaults: tuple[Default, ...]


def with_defaults(manifest: JsonObject, kind: Kind, version: str) -> Filled:
    """Return a manifest decoded and with the defaults of a Kubernetes version (``1.36``).

    Raise ``DecodeError`` for a manifest that the server cannot read.
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
    """Return the sources, except those that are the field itself or contain it."""
    return tuple(source for source in sources if path[: len(source)] != source)


def _differences(before: Json | Missing, after: Json, path: Path) -> Iterator[tuple[Path, Json | Missing, Json]]:
    """Yield the paths where ``after`` has new or different values, with both values."""
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
