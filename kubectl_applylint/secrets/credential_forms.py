"""Masks credentials that are recognized by their form in any text, without a Secret in the run."""

import base64
import json
import re
from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.encrypted_text import may_have_encrypted
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.secrets.credential_names import (
    ENDS,
    KEY_ENDS,
    WORD_BOUNDARY,
    is_credential_entry,
    is_credential_variable,
    is_literal,
)
from kubectl_applylint.secrets.encrypted_values import without_encrypted
from kubectl_applylint.secrets.secret_places import MASK, read_map

_NAMED: Final = regex(rf"(?:{ENDS}|{KEY_ENDS})[\"'\\=: ]", re.IGNORECASE)
_IN_ENDS: Final = (
    *("pass", "token", "secret", "cred", "dsn", "string", "key", "is_auth", "li_auth", "jwt", "pwd"),
    *('pat"', "pat'", "pat\\", "pat=", "pat:"),
)
"""A part of each of these ends; searching for them takes a tenth of the time, and most texts have none."""
_USER: Final = regex(r"(?<=://)([^\s/:@\"'\\]*:)([^\s/@\"'\\]+)(?=@)")
_KEY_BLOCK: Final = regex(r"(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL)
_IN_JSON: Final = regex(r'("name":\s*"([^"\\]+)",\s*"value":\s*")((?:[^"\\]|\\.)+)')
_BASE64_PEM: Final = "LS0tLS1CRUdJTi"
"""The beginning of PEM blocks in base64, including those of certificates."""
_BASE64_PEM_BLOCK: Final = regex(rf"{_BASE64_PEM}[A-Za-z0-9+/]{{50,}}=*")
_ASSIGNED: Final = regex(
    rf"((?:(?<![A-Za-z0-9])|{WORD_BOUNDARY})(?i:{KEY_ENDS})=|(?<![A-Za-z0-9])(?:SECRET|CREDENTIALS?|CREDS)=)"
    r"(\"[^\"\\\n]+\"|'[^'\\\n]+'|[^\s;&\"',`\\]+)"
)
_QUERY: Final = regex(rf"([?&](?:[\w.-]*[_.-])?(?i:{KEY_ENDS})=)([^&]+)")
_HEADER: Final = regex(
    r"((?:authorization)(?:\\?[\"'])?\s*[:=]\s*(?:\\?[\"'])?(?:basic|bearer)\s+)([^\s\"'\\,;]+)", re.IGNORECASE
)
_LINE: Final = regex(r"^([ \t]*(?:-[ \t]+|export[ \t]+)?[\"']?)([\w.-]+)([\"']?[ \t]*[:=][ \t]*)(\S.*)$", re.MULTILINE)
_FLOW: Final = regex(r"([{,][ \t]*[\"']?)([\w.-]+)([\"']?[ \t]*:[ \t]*)(\"[^\"\n]*\"|'[^'\n]*'|[^\s,}\]{\[\"']+)")
_TOKEN: Final = regex(
    r"(?<![A-Za-z0-9])(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,}|glpat-[\w-]{20,}|xox[abeprs]-[\w-]{20,}"
    r"|AGE-SECRET-KEY-1[A-Z0-9]{50,}|sk_live_[A-Za-z0-9]{20,}|eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{16,})"
    r"|(?<=//hooks\.slack\.com/)(?:services|workflows|triggers)/[\w/-]{20,}"
)
"""Tokens of GitHub, GitLab, Slack, age and Stripe, and JWTs, recognized by their prefix."""
_TOKEN_PREFIXES: Final = (
    *("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AGE-SECRET-KEY-1", "sk_live_", ".eyJ"),
    "//hooks.slack.com/",
)
"""Each such token contains one of these."""
_NOT_A_SCALAR: Final = regex(r"[|>&*\[{]|[A-Za-z_][\w.]*[(\[].*[)\]][;,]?$")
"""Values that are not YAML scalars, and calls in code."""
_MANIFEST_OF_SECRET: Final = regex(r"^[ \t]*[\"']?kind[\"']?:[ \t]*[\"']?Secret\b", re.MULTILINE)
_DATA: Final = regex(r"^([ ]*)((?:data|stringData):)(.*(?:\n(?:\1[ ]+.*|[ \t]*(?=\n|\Z)))*)", re.MULTILINE)
_TEXT_OF_LINE: Final = regex(r"(?<=\n)([ ]*)\S.*")


def without_forms(text: str) -> str:
    """Return a text without credentials in URLs, keys, flags, headers, and variables of a JSON manifest."""
    if "://" in text:
        text = _USER.sub(lambda found: found[1] + _mask_literal(found[2]), text)
    if "PRIVATE KEY-----" in text:
        text = _KEY_BLOCK.sub(rf"\1{MASK}\2", text)
    if _BASE64_PEM in text:
        text = _BASE64_PEM_BLOCK.sub(lambda found: MASK if _is_key(found[0]) else found[0], text)
    if '"value":' in text:
        text = _IN_JSON.sub(lambda found: found[1] + (MASK if is_credential_variable(found[2]) else found[3]), text)
    if "=" in text and _has_name(text):
        text = _ASSIGNED.sub(lambda found: found[1] + _mask_literal(found[2]), text)
    if "uthorization" in text or "UTHORIZATION" in text:
        text = _HEADER.sub(lambda found: found[1] + _mask_literal(found[2]), text)
    text = without_encrypted(text)
    return _TOKEN.sub(MASK, text) if _may_have_token(text) else text


def has_certain_form(text: str) -> bool:
    """Return whether a text has what is a credential in any text: a password in a URL, a private key, a token."""
    users = _USER.finditer(text) if "://" in text else ()
    return (
        any(_mask_literal(found[2]) != found[2] for found in users)
        or "PRIVATE KEY-----" in text
        or (_BASE64_PEM in text and any(_is_key(found[0]) for found in _BASE64_PEM_BLOCK.finditer(text)))
        or (_may_have_token(text) and _TOKEN.search(text) is not None)
    )


def _may_have_token(text: str) -> bool:
    """Return whether a text may contain a token with a known prefix."""
    return any(beginning in text for beginning in _TOKEN_PREFIXES)


def _mask_literal(value: str) -> str:
    """Return a value masked, unless it refers to another place."""
    if "://" in value:  # Its password is already masked, and its host is not a credential.
        return _QUERY.sub(lambda found: found[1] + (MASK if is_literal(found[2]) else found[2]), value)
    return MASK if is_literal(value.strip("\"'")) else value


def _is_key(coded: str) -> bool:
    """Return whether base64 text is a private key."""
    return b"PRIVATE KEY-----" in base64.b64decode(coded[:64])


def may_have_forms(text: str) -> bool:
    """Return whether objects shown as JSON may contain credentials; most do not."""
    has_user = "://" in text and _USER.search(text) is not None
    has_key = "PRIVATE KEY-----" in text or _BASE64_PEM in text or _may_have_token(text) or may_have_encrypted(text)
    return has_user or has_key or "uthorization" in text or 'Secret"' in text or "Secret\\" in text or _has_name(text)


def _has_name(text: str) -> bool:
    """Return whether a text contains the name of a credential."""
    folded = text.casefold()
    return any(part in folded for part in _IN_ENDS) and _NAMED.search(text) is not None


def without_entries(text: str, of_map: Callable[[JsonObject], Json]) -> str:
    """Return the text of a file without credentials at its keys (YAML, INI, JSON), or in manifests of Secrets.

    ``of_map`` masks parsed JSON. Other texts keep their number of lines.
    """
    if ("\n" not in text and not text.startswith(("{", "["))) or not ("Secret" in text or _has_name(text)):
        return text
    if text.lstrip().startswith("{") and (found := read_map(text)):
        shown = of_map(found)
        separators = (", ", ": ") if '": ' in text else (",", ":")
        return text if shown == found else json.dumps(shown, ensure_ascii=False, separators=separators)
    if "Secret" in text:
        text = "\n---".join(map(_without_data, text.split("\n---")))
    return _FLOW.sub(_without_value, _LINE.sub(_without_value, text))


def _without_data(manifest: str) -> str:
    """Return the text of a manifest without the data of a Secret."""
    if not _MANIFEST_OF_SECRET.search(manifest):
        return manifest
    return _DATA.sub(lambda found: found[1] + found[2] + _without_lines(found[3]), manifest)


def _without_lines(block: str) -> str:
    """Return a block of YAML with each value masked."""
    first, line_break, rest = block.partition("\n")
    hidden = _TEXT_OF_LINE.sub(rf"\1{MASK}", f"\n{rest}") if line_break else ""
    return (f" {MASK}" if first.strip() else first) + hidden


def _without_value(found: re.Match[str]) -> str:
    """Return a matched entry, masked if its value is a credential."""
    start, key, colon, value = found.groups()
    is_shown = _NOT_A_SCALAR.match(value) or not is_credential_entry(key, value.strip("\"',; "))
    return found[0] if is_shown else f"{start}{key}{colon}{MASK}"
