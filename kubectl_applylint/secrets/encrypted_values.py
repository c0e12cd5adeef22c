"""Values that SOPS or kubeseal has encrypted: neither the encrypted text nor a digest of it is shown."""

from typing import Final

from kubectl_applylint.core.encrypted_text import BEGINNING, CODED, CODED_JSON, may_have_encrypted
from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, Missing

SHOWN: Final = "encrypted"
"""The word in place of an encrypted value."""
_CHANGED: Final = f"changed ({SHOWN})"
_SEALED: Final = fields("spec", "encryptedData")
"""The values of a SealedSecret."""
_KEY_LENGTH: Final = "AgA", "AgB", "AgC", "AgD"
"""How they begin in base64: with 512, the length of the encrypted session key, as two bytes."""
_VALUE: Final = regex(rf"ENC\[AES256_GCM,[^\]\s\"']*\]?|(?:{CODED}|{CODED_JSON})[A-Za-z0-9+/]*=*")


def without_encrypted(text: str) -> str:
    """Return a text with ``encrypted`` in place of encrypted values."""
    return _VALUE.sub(SHOWN, text) if may_have_encrypted(text) else text


def show_encrypted(original: Change, shown: Change) -> Change:
    """Return a change as it is shown, with encrypted values in it replaced; ``original`` has the values themselves."""
    is_sealed = original.path[: len(_SEALED)] == _SEALED
    is_before, is_after = (
        is_encrypted(value) or (is_sealed and isinstance(value, str) and value.startswith(_KEY_LENGTH))
        for value in (original.before, original.after)
    )
    before = SHOWN if is_before else shown.before
    after = (_CHANGED if is_before else SHOWN) if is_after else shown.after
    return replace(shown, before=before, after=after) if is_before or is_after else shown


def is_encrypted(value: Json | Unknown | Missing) -> bool:
    """Return whether a value is an encrypted text."""
    return isinstance(value, str) and value.startswith((BEGINNING, CODED, CODED_JSON))
