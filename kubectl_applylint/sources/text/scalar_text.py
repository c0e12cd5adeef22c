"""A value as the text that stands for it in a file, in the style of what stood there before."""

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
    """Return the text of a value that replaces ``like``, in the same quotes where it is a text.

    A text without quotes stays without where YAML reads it as the same text; lists and maps are written in brackets.
    """
    if not isinstance(value, str):
        return _collection(value, like)
    if like.startswith("'"):
        return _single_quoted(value)
    return value if not like.startswith('"') and _is_plain(value) else json.dumps(value, ensure_ascii=False)


def _collection(value: Json, like: str) -> str:
    if isinstance(value, list):
        return f"[{', '.join(as_scalar(entry, like) for entry in value)}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{as_scalar(name, like)}: {as_scalar(inner, like)}' for name, inner in value.items())}}}"
    return encode(value)


def _single_quoted(value: str) -> str:
    is_simple = value.isprintable()
    return "'" + value.replace("'", "''") + "'" if is_simple else json.dumps(value, ensure_ascii=False)


def _is_plain(value: str) -> bool:
    if not _PLAIN.match(value):
        return False
    try:
        return equal(load(f"[{value}]").value, [value])
    except YamlError:
        return False
