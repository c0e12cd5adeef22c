"""Manifests that SOPS has encrypted: their objects are applied without the metadata of SOPS, with unknown values.

Each encrypted value becomes a short text that is equal for equal encrypted texts: SOPS encrypts an unchanged value only
once.
"""

import base64
import hashlib
import json
from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.engine.placeholders import is_encrypted
from kubectl_applylint.sources.text.manifests import Input

_ENCRYPTED: Final = regex(r"ENC\[AES256_GCM,.*type:\w+\]\Z")
_JSON_KEYS: Final = (".dockercfg", ".dockerconfigjson")
"""The keys of Secrets whose values have to be JSON objects, by the type of the Secret."""


def with_unknown_values(given: Input) -> Input:
    """Return the input with the encrypted values of its manifests replaced."""
    if not any("sops" in document.object for document in given.documents):
        return given
    return replace(given, documents=tuple(map(_with_unknown_values, given.documents)))


def _with_unknown_values(document: Document) -> Document:
    own = document.object
    return replace(document, object=without_sops(own)) if "sops" in own and is_encrypted(own) else document


def without_sops(manifest: JsonObject) -> JsonObject:
    """Return an encrypted manifest without the metadata of SOPS, with a short text for each encrypted value.

    The text is a placeholder (``engine/placeholders.py``), so that it may also stand for a number.
    """
    rest = {key: value for key, value in manifest.items() if key != "sops"}
    is_secret = (rest.get("apiVersion"), rest.get("kind")) == ("v1", "Secret")
    return {
        key: _replace_data(mapping(value), _encode if key == "data" else str)
        if is_secret and key in ("data", "stringData")
        else _replace_values(value)
        for key, value in rest.items()
    }


def _is_encrypted(value: Json) -> bool:
    return isinstance(value, str) and _ENCRYPTED.match(value) is not None


def _replace_data(data: JsonObject, encode: Callable[[str], str]) -> JsonObject:
    """Return the data of a Secret with a short text for each encrypted value: JSON where the server expects JSON."""
    return {
        name: encode(json.dumps({encrypted_token(one): {}}) if name in _JSON_KEYS else encrypted_token(one))
        if _is_encrypted(one)
        else one
        for name, one in data.items()
    }


def _replace_values(value: Json) -> Json:
    match value:
        case dict():
            return {key: _replace_values(one) for key, one in value.items()}
        case list():
            return [_replace_values(one) for one in value]
        case _:
            return encrypted_token(value) if _is_encrypted(value) else value


def encrypted_token(value: Json) -> str:
    """Return the short text for an encrypted value."""
    return f"ENC[AES256_GCM,{hashlib.sha256(str(value).encode()).hexdigest()}]"


def _encode(text: str) -> str:
    return base64.b64encode(text.encode()).decode()
