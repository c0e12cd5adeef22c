"""Defaulting: the values that a server sets for absent fields.

A default is defined in one place: the module of its API group, as a constant or as a rule that derives it from other
fields. ``differences`` lists those that only some minors have, ``fill`` walks the object. Defaults apply to the object
that a create or an update would store, and on every read; a field that has a value keeps it, even if it was derived
from a field that has changed since.
"""

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.schema import tables as schema_tables
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.defaults.fill import fill


def apply_defaults(manifest: JsonObject, kind: Kind, version: str) -> JsonObject:
    """Return an object of a built-in kind with the defaults of a Kubernetes version (``1.36``).

    The object has been decoded: types are right, amounts spelled as servers store them, nulls gone. A custom resource
    is returned unchanged: its defaults are those of its own schema. Minors without tables use the nearest ones.
    """
    if kind.custom or not kind.root.struct:
        return manifest
    return fill(manifest, minor_of(version), kind.root.struct)


def minor_of(version: str) -> int:
    """Return the minor of a version like ``1.36``, limited to those with tables."""
    return min(max(int(version.split(".")[1]), schema_tables.OLDEST), schema_tables.NEWEST)
