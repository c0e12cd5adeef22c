"""The values that kustomize-controller decrypts with SOPS, which are unknown here.

Mirrors ``DecryptResource`` and the check before the apply of kustomize-controller 1.10. Manifests that SOPS has
encrypted as a whole keep their encrypted values (``sources/text/encrypted.py``).
"""

import base64
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, JsonObject, mapping, text_at
from kubectl_applylint.sources.text.encrypted import encrypted_token
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.instances import is_created
from kubectl_applylint.tools.flux.kustomization import GROUP

_MARKS: Final = (b'"mac": "ENC[', b"sops_mac=ENC[", b"[sops]", b"mac: ENC[")
"""Texts by which the controller recognizes an encrypted file in a Secret: JSON, an env file, INI and YAML."""


def decrypt(found: Input, declared: Document, *, is_rendered: bool = True) -> Input:
    """Return the objects of a Kustomization with a short text for each encrypted file in the data of a Secret.

    Without ``spec.decryption``, an encrypted Secret fails the reconciliation. Unless the Kustomization
    ``is_rendered`` by the one that applies it, that may add the field.
    """
    if text_at(declared.object, "spec", "decryption", "provider"):
        return replace(found, documents=tuple(map(_with_unknown_files, found.documents)))
    encrypted = next(filter(_needs_decryption, found.documents), None)
    # The objects that create others may patch these in ways that are not known.
    if encrypted is None or not is_rendered or is_created(declared):
        return found
    message = (
        f"Flux cannot apply it: secret/{encrypted.ref.name} is SOPS encrypted, configuring decryption is required for "
        "this secret to be reconciled"
    )
    where = str(encrypted.locate(fields("sops")))
    advice = f"set spec.decryption of Kustomization {declared.ref.name}, or encrypt the Secret by other means"
    return Input(problems=(Problem(where, message, advice, is_refused=True),))


def _with_unknown_files(document: Document) -> Document:
    own = document.object
    if not _is_secret(document) or "sops" in own or _is_excluded(own):
        return document
    data = {name: _unknown_file(value) for name, value in mapping(own.get("data")).items()}
    return replace(document, object={**own, "data": data}) if data != own.get("data", {}) else document


def _unknown_file(value: Json) -> Json:
    """Return a short text for the base64 of an encrypted file, which is equal for equal files; else the value."""
    try:
        content = base64.b64decode("".join(value.split()), validate=True) if isinstance(value, str) else b""
    except ValueError:
        return value
    if not any(mark in content for mark in _MARKS):
        return value
    return base64.b64encode(encrypted_token(value).encode()).decode()


def _needs_decryption(document: Document) -> bool:
    return _is_secret(document) and "sops" in document.object and not _is_excluded(document.object)


def _is_secret(document: Document) -> bool:
    return (document.ref.api_version, document.ref.kind) == ("v1", "Secret")


def _is_excluded(item: JsonObject) -> bool:
    return str(annotations_of(item).get(f"{GROUP}/decrypt")).lower() == "disabled"
