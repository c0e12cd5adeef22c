"""What of a Secret may be shown: who it is, its type and whether it may change; all else of it is masked.

A field that is misspelled (``stringdata``), unknown or of another type holds what its writer takes for a secret.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from kubectl_applylint.core.nesting import refuse_deep
from kubectl_applylint.core.paths import Field, Path, leaves
from kubectl_applylint.core.server_fields import METADATA
from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing

MASK: Final = "********"
"""What stands for a value; one length for all, so that it tells nothing."""
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
"""Ends of the names of annotations in which programs keep the whole manifest."""
_DOCKER: Final = frozenset({"auth", "password", "identitytoken", "registrytoken"})
_LONGEST_INTEGER = 20


def is_secret(ref: ObjectRef) -> bool:
    """Tell whether the object is a Secret of the core group, whatever its version and however the kind is spelled."""
    return ref.kind.lower() in ("secret", "secrets") and ref.group in ("", "core")


def mask_at(path: Path, value: Json | Unknown | Missing, mask: str = MASK) -> Json:
    """Return the value that stands at ``path`` of a Secret with all that is not known to be harmless masked."""
    if path in _MAPS and isinstance(value, Mapping):
        return {key: mask_at((*path, Field(key)), item, mask) for key, item in value.items()}
    return value if _is_harmless(path, value) else mask_leaves(value, mask)


_MAPS: Final = ((), (Field("metadata"),), (Field("metadata"), Field("annotations")))


def _is_harmless(path: Path, value: Json | Unknown | Missing) -> bool:
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
    """Return ``value`` with every scalar masked; null stays, since it says that a key goes, and tells no more."""
    if isinstance(value, Mapping):
        return {key: mask_leaves(item, mask) for key, item in value.items()}
    if isinstance(value, list):
        return [mask_leaves(item, mask) for item in value]
    return value if value is None or value is MISSING or isinstance(value, Unknown) else mask


def masked_values(secret: JsonObject) -> Iterator[tuple[Path, Json]]:
    """Yield what of a Secret is masked, with its path, lists by position."""
    for path, leaf in leaves(secret):
        if leaf not in (None, "", [], {}) and not _is_harmless(path, leaf):
            yield path, leaf


def texts(secret: JsonObject) -> Iterator[str]:
    """Yield the texts that a Secret holds, those inside of a copy of it and of credentials for registries too."""
    for path, leaf in masked_values(secret):
        text = leaf if isinstance(leaf, str) else json.dumps(leaf)
        yield text
        if path[:1] == (Field("metadata"),):
            copy = read_map(text)
            yield from texts(copy) if copy else ()


def credentials(text: str) -> Iterator[str]:
    """Yield what a ``.dockerconfigjson`` or ``.dockercfg`` holds."""
    if '"auth"' in text or '"password"' in text:
        yield from (
            leaf
            for path, leaf in leaves(read_map(text))
            if isinstance(leaf, str) and isinstance(path[-1], Field) and path[-1].name in _DOCKER
        )


def _integer(digits: str) -> int | float:
    """Return a number; Python refuses to read long ones, and what stands beside one is to be hidden all the same."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def read_map(text: str) -> JsonObject:
    """Return the JSON object that a text is, an empty one for any other text."""
    try:
        refuse_deep(text)
        found = json.loads(text, parse_int=_integer)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
