"""The parts of a Secret that may be shown: names, type and immutability; everything else is masked.

Fields that are misspelled (``stringdata``), unknown or of another type contain what the author considers a secret.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.nesting import reject_deep
from kubectl_applylint.core.paths import Field, Path, leaves
from kubectl_applylint.core.server_fields import METADATA
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing
from kubectl_applylint.secrets.encrypted_values import SHOWN, is_encrypted

MASK: Final = "********"
"""The replacement of a value; one length for all, so that it reveals nothing."""
_METADATA: Final = frozenset(
    [
        *METADATA,
        "name",
        "generateName",
        "namespace",
        "labels",
        "deletionTimestamp",
        "deletionGracePeriodSeconds",
        "ownerReferences",
        "finalizers",
        "clusterName",
    ]
)
_COPIES: Final = ("/last-applied-configuration", "/last-applied", "/original", "/applied", "/original-configuration")
"""Suffixes of annotations in which programs store the whole manifest."""
_DOCKER: Final = frozenset({"auth", "password", "identitytoken", "registrytoken"})
_LONGEST_INTEGER = 20


def is_secret(ref: ObjectRef) -> bool:
    """Return whether the object is a Secret of the core group, in any version and spelling of the kind."""
    return ref.kind.lower() in ("secret", "secrets") and ref.group in ("", "core")


def mask_at(path: Path, value: Json | Unknown | Missing, mask: str = MASK) -> Json:
    """Return the value at ``path`` of a Secret with everything masked that is not known to be harmless."""
    if path in _MAPS and isinstance(value, Mapping):
        return {key: mask_at((*path, Field(key)), item, mask) for key, item in value.items()}
    return value if _is_harmless(path, value) else mask_leaves(value, mask)


_MAPS: Final = ((), (Field("metadata"),), (Field("metadata"), Field("annotations")))


def _is_harmless(path: Path, value: Json | Unknown | Missing) -> bool:
    """Return whether the value at a path of a Secret may be shown."""
    match path:
        case (Field("apiVersion" | "kind" | "type"),):
            return isinstance(value, str)
        case (Field("immutable"),):
            return isinstance(value, bool)
        case (Field("metadata"), Field("annotations"), Field(name), *_):
            return not name.endswith(_COPIES)
        case (Field("metadata"), Field(name), *_):
            return name in _METADATA
        case _:
            return False


def mask_leaves(value: Json | Unknown | Missing, mask: str) -> Json:
    """Return ``value`` with every scalar masked; null stays, since it only means that a key is removed.

    Of values that SOPS has encrypted it says so.
    """
    if isinstance(value, Mapping):
        return {key: mask_leaves(item, mask) for key, item in value.items()}
    if isinstance(value, list):
        return [mask_leaves(item, mask) for item in value]
    if is_encrypted(value):
        return SHOWN
    return value if value is None or value is MISSING or isinstance(value, Unknown) else mask


def masked_values(secret: JsonObject) -> Iterator[tuple[Path, Json]]:
    """Yield the masked values of a Secret with their paths, list elements by position."""
    for path, leaf in leaves(secret):
        if leaf not in (None, "", [], {}) and not _is_harmless(path, leaf):
            yield path, leaf


def texts(secret: JsonObject) -> Iterator[str]:
    """Yield the texts in a Secret, including those in copies of it; unknown values have none."""
    for path, leaf in masked_values(secret):
        if isinstance(leaf, Unknown):
            continue
        text = leaf if isinstance(leaf, str) else json.dumps(leaf)
        yield text
        if path[:1] == (Field("metadata"),):
            copy = read_map(text)
            yield from texts(copy) if copy else ()


def credentials(text: str) -> Iterator[str]:
    """Yield the credentials in a ``.dockerconfigjson`` or ``.dockercfg``."""
    if '"auth"' in text or '"password"' in text:
        yield from (
            leaf
            for path, leaf in leaves(read_map(text))
            if isinstance(leaf, str) and isinstance(path[-1], Field) and path[-1].name in _DOCKER
        )


def _integer(digits: str) -> int | float:
    """Return a number; Python rejects long integers, and values next to one must still be masked."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def read_map(text: str) -> JsonObject:
    """Return the JSON object in a text, an empty one for any other text."""
    try:
        reject_deep(text)
        found = json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
