"""Masks credentials that are recognized by their place in an object other than a Secret.

These places are keys of Helm values and ConfigMaps, entries with ``name`` and ``value``, arguments after flags, Secrets
inside of another object (``objects`` of a Template), and templates of Secrets (SealedSecret, ExternalSecret).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum, auto
from typing import Final

from kubectl_applylint.core.paths import ByKey, Field, Path, leaves
from kubectl_applylint.core.values import Json, JsonObject, items
from kubectl_applylint.secrets.credential_forms import without_entries
from kubectl_applylint.secrets.credential_names import (
    has_credential,
    is_credential_entry,
    is_credential_flag,
    is_credential_header,
    is_credential_key,
    is_literal,
)
from kubectl_applylint.secrets.secret_places import MASK

_MAPS_OF_VALUES: Final = frozenset(["values", "valuesObject", "valuesInline", "data", "stringData"])
_MAPS_OF_SECRETS: Final = frozenset(["data", "stringData"])
_LISTS: Final = ("args", "command")


class _Context(Enum):
    """The kind of map around a value."""

    OBJECT = auto()
    VALUES = auto()
    """Values of Helm, data of a ConfigMap or of the template of a Secret: keys can name credentials."""
    SECRET = auto()
    """All texts are credentials."""


def mask_places(value: Json, path: Path = ()) -> Json:
    """Return the value at ``path`` of an object with the credentials at known places masked."""
    around = _Context.OBJECT
    entry: Mapping[str, Json] = {}
    for number, step in enumerate(path):
        if isinstance(step, Field) and number < len(path) - 1:
            around = _inner(entry, step.name, around)
        entry = dict(step.keys) if isinstance(step, ByKey) else {}
        if number and step == Field("stringData") and path[number - 1] != Field("template"):
            around = _Context.SECRET
    if not path or not isinstance(path[-1], Field):
        return _mask(value, around)
    name = path[-1].name
    before = path[-2] if len(path) > 1 else None
    entry = {**dict(before.keys), name: value} if isinstance(before, ByKey) else {name: value}
    return _mask_map(entry, around)[name]


def _mask(value: Json, around: _Context) -> Json:
    """Return a value with the credentials at known places masked."""
    if isinstance(value, Mapping):
        return _mask_map(value, around)
    if isinstance(value, list):
        shown = [_mask(item, around) for item in value]
        flags = [False, *map(is_credential_flag, value)]
        return [
            MASK if is_value and is_literal(item) and not str(item).startswith("-") else item
            for is_value, item in zip(flags, shown, strict=False)
        ]
    if around is _Context.SECRET and is_literal(value):
        return MASK
    return without_entries(value, _mask_text) if isinstance(value, str) else value


def _mask_text(found: JsonObject) -> Json:
    """Return JSON from a text with credentials masked: an object, or values."""
    return _mask_map(found, _Context.OBJECT if "apiVersion" in found else _Context.VALUES)


def _mask_map(entry: Mapping[str, Json], around: _Context) -> JsonObject:
    shown = {key: _mask_entry(entry, key, around) for key in entry}
    return {**shown, "value": MASK} if has_credential(entry) else shown


def _mask_entry(entry: Mapping[str, Json], key: str, around: _Context) -> Json:
    """Return the value of one key with credentials masked."""
    value = entry[key]
    is_named = around is _Context.VALUES and "remoteRef" not in entry and is_credential_entry(key, value)
    if is_named or is_credential_header(key, value):
        return MASK
    return _mask(value, _inner(entry, key, around))


def _inner(entry: Mapping[str, Json], key: str, around: _Context) -> _Context:
    """Return the context of the value of ``key``, in a map with the context ``around``."""
    if around is not _Context.OBJECT:
        return around
    inner = entry.get(key, {})
    is_map = isinstance(inner, Mapping)
    if is_map and key in _MAPS_OF_SECRETS and _is_secret(entry) and not any(map(_is_map, inner.values())):
        return _Context.SECRET
    return _Context.VALUES if is_map and key in _MAPS_OF_VALUES else around


def _is_secret(entry: Mapping[str, Json]) -> bool:
    return entry.get("kind") == "Secret" and entry.get("apiVersion", "v1") == "v1"


def _is_map(value: Json) -> bool:
    return isinstance(value, Mapping)


def may_have_places(entries: Sequence[Mapping[str, Json]]) -> bool:
    """Return whether the maps of an object may have credentials at known places; most objects have none."""
    # Testing each key once takes a third of the time: definitions have the same keys in thousands of maps.
    keys = set[str]()
    for entry in entries:
        keys.update(entry)
    return (
        any(_has_scalar(entries, key) for key in filter(is_credential_key, keys))
        or ("value" in keys and any("value" in entry and has_credential(entry) for entry in entries))
        or (not keys.isdisjoint(_MAPS_OF_SECRETS) and any(map(_is_secret, entries)))
        or any(_has_flag(entries, key) for key in _LISTS if key in keys)
    )


def _has_scalar(entries: Iterable[Mapping[str, Json]], key: str) -> bool:
    """Return whether a key has a scalar in one of the maps."""
    return any(key in entry and isinstance(entry[key], (str, int)) for entry in entries)


def _has_flag(entries: Iterable[Mapping[str, Json]], key: str) -> bool:
    """Return whether a list at a key contains a credential flag."""
    return any(is_credential_flag(item) for entry in entries for item in items(entry.get(key)))


def credentials_in(item: JsonObject) -> Iterator[str]:
    """Yield the credentials at known places of an object that are a whole value."""
    yield from (str(leaf) for _, leaf, shown in credential_places(item) if shown == MASK)


def credential_places(item: JsonObject) -> Iterator[tuple[Path, Json, Json]]:
    """Yield each value with credentials at a known place: its path, the value and the masked value.

    Paths name list elements by position.
    """
    for (path, leaf), (_, shown) in zip(leaves(item), leaves(mask_places(item)), strict=True):
        if leaf != shown:
            yield path, leaf, shown
