"""Writes a value as text, in the style of the text that it replaces."""

import json
import re
from typing import Final

from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.sources.text.yaml_text import load

_PLAIN: Final = regex(r"[A-Za-z0-9./_][\w./+\-]*(?:[:=][\w./+\-]+)*\Z", re.ASCII)


def is_json(text: str) -> bool:
    """Return whether a file is written as JSON."""
    return text.lstrip().startswith("{")


def as_scalar(value: Json, like: str) -> str:
    """Return the text of a value that replaces ``like``; strings keep its quotes.

    A string without quotes stays unquoted if YAML reads it as the same string; lists and maps are written in brackets.
    """
    if not isinstance(value, str):
        return _collection(value, like)
    if like.startswith("'"):
        is_simple = value.isprintable()
        return "'" + value.replace("'", "''") + "'" if is_simple else json.dumps(value, ensure_ascii=False)
    return value if not like.startswith('"') and _is_plain(value) else json.dumps(value, ensure_ascii=False)


def _collection(value: Json, like: str) -> str:
    if isinstance(value, list):
        return f"[{', '.join(as_scalar(entry, like) for entry in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{as_scalar(name, like)}: {as_scalar(inner, like)}' for name, inner in value.items())}}}"
    return encode(value)


def _is_plain(value: str) -> bool:
    if not _PLAIN.match(value):
        return False
    try:
        return equal(load(f"[{value}]").value, [value])
    except YamlError:
        return False
