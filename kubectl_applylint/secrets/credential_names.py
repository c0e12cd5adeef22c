"""Names with credentials as values: variables, keys of Helm values and ConfigMaps, flags and headers."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.secrets.encrypted_values import SHOWN

_KEYS: Final = (
    "(?:PRIVATE|API|APP|ACCESS|ACCOUNT|SECRET|(?:PRE[_-]?)?SHARED|SIGNING|ENCRYPT(?:ION)?|AUTH|MASTER|FERNET|LICENSE"
    "|HMAC|JWT|TSIG|UNSEAL|SERVICE[_-]?ROLE)[_-]?KEY"
)
_PASSWORDS: Final = "PASS(?:WORD|WD|PHRASE|CODE)?(?:[_-]?HASH)?"
_NUMBER: Final = "(?:_VALUE|_?[0-9]+)?"
ENDS: Final = (
    rf"(?:(?:{_PASSWORDS}|TOKEN|SECRET|CREDENTIALS?|CREDS|DSN|CONNECTION_?STRING|{_KEYS}){_NUMBER}"
    "|SECRET_KEY_BASE|REDIS(?:CLI)?_AUTH|JWT|PAT|(?<=[_.-])PWD)"
)
"""Ends of the names of variables; ``docs/secrets.md`` lists them."""
_SECRETS: Final = "(?:CLIENT|COOKIE|SHARED|APP|JWT|HMAC|CONSUMER|API)[_-]?SECRET"
KEY_ENDS: Final = (
    f"(?:(?:{_PASSWORDS}|TOKEN|{_SECRETS}|DSN|CONNECTION[_-]?STRING|{_KEYS}){_NUMBER}"
    "|SECRET_KEY_BASE|REDIS(?:CLI)?_AUTH|JWT|PAT|(?<=[_.;-])PWD)"
)
"""Ends of keys and flags, where ``existingSecret``, ``secret`` and ``credentials`` name a Secret or a file."""
_VARIABLE: Final = regex(rf"(?:^|[_.-])(?:PG)?{ENDS}$", re.IGNORECASE)
WORD_BOUNDARY: Final = "(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
"""The boundary of two words in a name such as ``rootPassword`` and ``rootDBPassword``."""
_KEY: Final = regex(rf"(?:^|[_.-]|{WORD_BOUNDARY})(?i:(?:PG)?{KEY_ENDS})$")
_CAPITALS: Final = regex(r"[A-Z][A-Z0-9_]*")
_REFERENCE: Final = regex(
    r"\$\([^)]*\)|\$*\{[^}]*\}|\$[A-Za-z_][\w-]*|%[A-Za-z_]\w*%|%[sdv]|\W*|\d{1,3}|\d*(?:\.\d*|e-?\d+)+", re.IGNORECASE
)
"""References to variables, placeholders, and numbers that are too small or not integers."""
_EXTERNAL_REFERENCE: Final = regex(
    r"\*{8}|<.*>$|\$\(|`|ENC\[|ref\+|vault:|op://|file://|(?:\.{0,2}|~)/[a-z0-9._/-]+$", re.DOTALL
)
"""References to a place outside the text."""
_CONSTANTS: Final = frozenset(
    ["true", "false", "yes", "no", "on", "off", "null", "none", "nil", "enabled", "disabled", SHOWN]
)
_KEY_OF_SECRET: Final = regex(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")


def is_literal(value: Json) -> bool:
    """Return whether a value is a text or number that may be a credential itself, not a reference to one."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return False
    text = str(value).strip()
    is_template = "{{" in text or ("://" in text and ("$(" in text or "${" in text))
    is_reference = is_template or _REFERENCE.fullmatch(text) or _EXTERNAL_REFERENCE.match(text)
    return not is_reference and text.lower() not in _CONSTANTS


@lru_cache(maxsize=4096)
def is_credential_variable(name: str) -> bool:
    """Return whether a variable or Helm parameter of this name contains a credential."""
    return _VARIABLE.search(name) is not None or _KEY.search(name) is not None


@lru_cache(maxsize=4096)
def is_credential_key(key: str) -> bool:
    """Return whether a key, maybe a variable name in capitals, has a credential as its value."""
    return (_VARIABLE if _CAPITALS.fullmatch(key) else _KEY).search(key) is not None


def is_credential_flag(text: Json) -> bool:
    """Return whether an argument is a flag whose value, the next argument, is a credential."""
    return isinstance(text, str) and len(text) > 2 and text[0] == "-" and is_credential_key(text.lstrip("-"))


def is_credential_entry(key: str, value: Json) -> bool:
    """Return whether a key has a credential as its value, rather than the name of a key of a Secret."""
    if not is_credential_key(key) or not is_literal(value):
        return False
    names_key = isinstance(value, str) and (is_credential_key(value) or _KEY_OF_SECRET.fullmatch(value))
    return not (key.lower().endswith("key") and names_key)


def has_credential(entry: Mapping[str, Json]) -> bool:
    """Return whether an entry with ``name`` and ``value`` contains a credential rather than a reference to one."""
    name, value = entry.get("name"), entry.get("value")
    if not isinstance(name, str) or not isinstance(value, str):
        return False
    return (is_credential_variable(name) and is_literal(value)) or is_credential_header(name, value)


def is_credential_header(name: str, value: Json) -> bool:
    """Return whether an HTTP header has a credential as its value."""
    is_authorization = name.lower() in ("authorization", "proxy-authorization") and isinstance(value, str)
    return is_authorization and str(value).lower().startswith(("basic ", "bearer ")) and is_literal(str(value)[6:])
