"""Defaulting: what a server fills in where an object says nothing.

A default stands in one place: the module of its API group, as a constant or as a rule that derives it from other
fields. ``differences`` says which of them only some minors have, ``fill`` walks the object. Defaults apply to what a
create or an update would store, and on every read; a field that has a value keeps it, even if it was derived from a
field that has changed since.
"""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema import tables as schema_tables
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.defaults.fill import fill


def apply_defaults(manifest: JsonObject, kind: Kind, version: str) -> JsonObject:
    """Return an object of a built-in kind with the defaults of a Kubernetes version (``1.36``).

    The object is as decoding leaves it: types are right, amounts spelled as servers store them, nulls gone. A custom
    resource comes back as it is: its defaults are those of its own schema. Minors without tables take the nearest.
    """
    if kind.custom or not kind.root.struct:
        return manifest
    return fill(manifest, minor_of(version), kind.root.struct)


def minor_of(version: str) -> int:
    """Return the minor of a version like ``1.36``, brought within those that there are tables of."""
    return min(max(int(version.split(".")[1]), schema_tables.OLDEST), schema_tables.NEWEST)
