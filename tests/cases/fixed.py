"""The ``fixed`` key of cases: the reader's input if a fix leaves a decision to them.

``fixed`` is one entry, or a list with an entry for each alternative of the fix, in its order. An entry is the manifest
as text, ``null`` without any input, or a map::

    manifest: |                  # instead of the case's manifest; objects among its peers replace these
    then: |                      # the same at the next decision of the reader
    files: {saved.yaml: "…"}     # other files, by name; "editor" is a script in place of the reader's editor
    flags: [--server-side]       # of the apply from now on, instead of the case's
"""

from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject

_KEYS: Final[Mapping[str, type]] = {"manifest": str, "then": str, "files": dict, "flags": list}


@dataclass(frozen=True, slots=True)
class FixEntry:
    """The reader's input for one alternative of a fix."""

    manifest: str = ""
    """Empty if the manifest stays."""
    then: str = ""
    """The manifest after the next decision; empty if that is not about the manifest."""
    files: Mapping[str, str] = field(default_factory=dict)
    """The text of other files by name."""
    flags: tuple[str, ...] | None = None
    """The flags of the apply from now on; ``None`` for unchanged ones."""


def read_fixed(value: Json) -> tuple[FixEntry | None, ...]:
    """Return the entries of a valid ``fixed``."""
    return tuple(map(_entry, value if isinstance(value, list) else [value]))


def _entry(value: Json) -> FixEntry | None:
    """Return one entry."""
    if isinstance(value, dict):
        flags = tuple(value["flags"]) if "flags" in value else None
        return FixEntry(value.get("manifest", ""), value.get("then", ""), value.get("files", {}), flags)
    return FixEntry(value) if isinstance(value, str) else None


def fixed_faults(value: Json) -> Iterator[str]:
    """Yield the errors in a ``fixed``."""
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            yield from (f"unknown key {key!r}; valid keys: {', '.join(_KEYS)}" for key in entry if key not in _KEYS)
            yield from (f"{key} is not a {kind.__name__}" for key, kind in _KEYS.items() if _is_other(entry, key, kind))
        elif not isinstance(entry, str | None):
            yield "is not text, a map or null"


def _is_other(entry: JsonObject, key: str, kind: type) -> bool:
    """Return whether a key has another type."""
    return key in entry and not isinstance(entry[key], kind)
