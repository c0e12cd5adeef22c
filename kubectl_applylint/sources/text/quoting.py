"""Masks quotes of a text in error messages if they may be part of a Secret, valid or not."""

import re
from typing import Final

from kubectl_applylint.core.regex import regex

MASK: Final = "********"
_SEPARATOR: Final = regex(r"---(?:\s|$)")
_KIND: Final = regex(r"""(?:^|[\s{,"'])kind["']?[ \t]*:[ \t]*([^\s,}#]*)""", re.MULTILINE)
_NAME: Final = regex(r"""(["']?)[A-Za-z]+\1""")
_QUOTED: Final = regex(
    r"(?<=anchor ')[^']*|(?<=`)[^`]*(?=`)|(?<=unsupported map key: ).*|(?<=document separator: ).*"
    r"|(?<=cannot unmarshal number )\S+",
    re.DOTALL,
)
"""The parts of error messages that quote the text."""


def quotable(complaint: str, text: str, line: int) -> str:
    """Return an error message about a line (from 0) of ``text``, masked unless the line is certainly in no Secret."""
    quotes = _QUOTED.search(complaint)
    return _QUOTED.sub(MASK, complaint) if quotes and may_be_secret(document_at(text, line)) else complaint


def document_at(text: str, line: int) -> str:
    """Return the YAML document around a line, counted from 0, delimited by visible separators."""
    lines = text.split("\n")
    first, last = min(line, len(lines)), line
    while first > 0 and not (first < len(lines) and _SEPARATOR.match(lines[first])):
        first -= 1
    last = next((n for n in range(line + 1, len(lines)) if _SEPARATOR.match(lines[n])), len(lines))
    return "\n".join(lines[first:last])


def may_be_secret(document: str) -> bool:
    """Return whether a text may be or contain a Secret: it has no kind, or none that is clearly another."""
    kinds = _KIND.findall(document)
    return not kinds or any(_may_be_secret_kind(kind) for kind in kinds)


def _may_be_secret_kind(kind: str) -> bool:
    name = kind.strip("\"'").lower()
    return _NAME.fullmatch(kind) is None or "secret" in name or name == "list"
