"""Records as cached bytes and as parts of cache keys, and the check for credentials, with which no unit is cached."""

import io
import json
import pickle
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.secrets.names_and_credentials import has_credentials
from kubectl_applylint.units.model import Unit

_PACKAGE: Final = "kubectl_applylint."


def canonical(value: Any) -> bytes:
    """Return a text that is equal in every process for equal values, and different for different ones."""
    return "".join(_canonical_parts(value)).encode("utf-8", "surrogateescape")


def _canonical_parts(value: Any) -> Iterator[str]:
    if is_dataclass(value) and not isinstance(value, type):
        yield f"{type(value).__qualname__}("
        for one in fields(value):
            yield from (f"{one.name}=", *_canonical_parts(getattr(value, one.name)), ",")
        yield ")"
    elif isinstance(value, Mapping):
        yield from (
            "{",
            *(part for key in sorted(value, key=repr) for part in (repr(key), *_canonical_parts(value[key]))),
            "}",
        )
    elif isinstance(value, (set, frozenset)):
        yield from ("<", *sorted("".join(_canonical_parts(one)) for one in value), ">")
    elif isinstance(value, (list, tuple)):
        yield from ("[", *(part for one in value for part in (*_canonical_parts(one), ",")), "]")
    else:
        yield repr(value)


def unpickle(text: bytes) -> Any:
    """Return pickled records of this package, ``None`` if they are unreadable."""
    try:
        return _Unpickler(io.BytesIO(text)).load()
    except Exception:  # An unreadable value is treated as missing.
        return None


class _Unpickler(pickle.Unpickler):
    """Unpickles only records of this package, so that a cached file cannot call other code."""

    def find_class(self, module: str, name: str) -> Any:
        is_known = module.startswith(_PACKAGE) or (module, name) == ("datetime", "date")
        found = super().find_class(module, name) if is_known else None
        if not isinstance(found, type) or found.__module__ != module:
            raise pickle.UnpicklingError(f"{module}.{name} is not a record")
        return found


def is_declared_with_credentials(unit: Unit) -> bool:
    """Return whether the object that declares a unit, or what it reads values or inputs from, has credentials."""
    applied = unit.applied
    read = (
        {"apiVersion": "v1", "kind": kind, "data": {key: text for key, text in data if isinstance(text, str)}}
        for kind, _, _, data in applied.release.values
        if isinstance(data, tuple)
    )
    inputs: JsonObject = {"values": {"inputs": json.loads(applied.inputs or "[]")}}
    return any(map(has_credentials, (applied.tool_object or {}, inputs, *read)))
