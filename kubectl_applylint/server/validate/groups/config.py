"""ConfigMaps and Secrets: their keys, their size, the data of each type of Secret, and ``immutable``.

Mirrors ``ValidateConfigMap``, ``ValidateSecret`` and their updates.
"""

import base64
import binascii
from typing import Final

from kubectl_applylint.core import gotext
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.server.validate import dsl as v

_LONGEST: Final = 1024 * 1024
_FROZEN: Final = "field is immutable when `immutable` is set"
_ACCOUNT: Final = "kubernetes.io/service-account.name"
_NEEDED: Final = {
    "kubernetes.io/dockercfg": (".dockercfg",),
    "kubernetes.io/dockerconfigjson": (".dockerconfigjson",),
    "kubernetes.io/ssh-auth": ("ssh-privatekey",),
    "kubernetes.io/tls": ("tls.crt", "tls.key"),
}
"""The required keys of each type of Secret."""
_USER_AND_PASSWORD: Final = ("username", "password")


@v.always
def _immutable_stays(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid unsetting ``immutable``."""
    frozen = fld.before().value is True and not fld.creating
    return (fld.forbidden(_FROZEN),) if frozen and fld.value is not True else ()


@v.always
def _immutable_data(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of immutable data."""
    frozen = fld.parent.before().flag("immutable") and not fld.creating
    return (fld.forbidden(_FROZEN),) if frozen and not v.same(fld.value, fld.old) else ()


def _distinct_keys(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid a key in both ``data`` and ``binaryData``; ``fld`` is a ConfigMap."""
    for entry in fld.child("data").entries():
        if entry.step[1:-1] in mapping(fld.get("binaryData")):
            yield entry.invalid("duplicate of key present in binaryData", entry.step[1:-1])


def _small_map(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the total size of a ConfigMap's values; the error has the path of the whole object."""
    texts = sum(len(str(value).encode()) for value in mapping(fld.get("data")).values())
    size = texts + sum(_size(value) for value in mapping(fld.get("binaryData")).values())
    return (fld.too_long(_LONGEST),) if size > _LONGEST else ()


def _small_secret(fld: v.FieldContext) -> v.FieldErrors:
    size = sum(_size(value) for value in mapping(fld.value).values())
    return (fld.too_long(_LONGEST),) if size > _LONGEST else ()


def _size(value: Json) -> int:
    """Return the number of bytes that a base64 text encodes."""
    text = value if isinstance(value, str) else ""
    return len(text) // 4 * 3 - text[-2:].count("=")


def _data_of_type(fld: v.FieldContext) -> v.FieldErrors:
    """Require the data that the type of a Secret needs; ``fld`` is the Secret."""
    data, kind = fld.child("data"), fld.text("type")
    if kind == "kubernetes.io/service-account-token" and not fld.text("metadata", "annotations", _ACCOUNT):
        yield fld.at("metadata", "annotations").entry(_ACCOUNT).required()
    if kind == "kubernetes.io/basic-auth" and not any(key in mapping(data.value) for key in _USER_AND_PASSWORD):
        yield from (data.entry(key).required() for key in _USER_AND_PASSWORD)
    for key in _NEEDED.get(kind, ()):
        yield from _required_entry(data.entry(key), kind, has=key in mapping(data.value))


def _required_entry(entry: v.FieldContext, kind: str, *, has: bool) -> v.FieldErrors:
    if not has or (kind == "kubernetes.io/ssh-auth" and not entry.text()):
        return (entry.required(),)
    if not kind.startswith("kubernetes.io/docker") or not v.is_known(entry.value):
        return ()
    readable = _is_object(entry.text())
    return () if readable else (entry.invalid("is not a JSON object", "<secret contents redacted>"),)


def _is_object(text: str) -> bool:
    """Return whether a base64 text encodes a JSON object or null; Go reads either into a map."""
    try:
        value = gotext.decode(base64.b64decode(text).decode())
    except (binascii.Error, ValueError):
        return False
    return value is None or isinstance(value, dict)


_KEYS: Final[v.Constraint] = v.keys_well_formed(v.config_key)

_CONFIG_MAP: Final[v.Table] = {
    "": [_distinct_keys, _small_map],
    "data": [_KEYS, _immutable_data],
    "binaryData": [_KEYS, _immutable_data],
    "immutable": [_immutable_stays],
}

_SECRET: Final[v.Table] = {
    "": [_data_of_type],
    "data": [_KEYS, _small_secret, _immutable_data],
    "type": [v.unchangeable],
    "immutable": [_immutable_stays],
}

KINDS: Final[v.Group] = {("", "ConfigMap"): v.Rules(_CONFIG_MAP), ("", "Secret"): v.Rules(_SECRET)}
"""The rules of ConfigMaps and Secrets."""
