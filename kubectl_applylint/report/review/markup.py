"""Markup of comments: text that stays text, and folded parts."""

import re
from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import visible_lines

_LONGEST: Final = 400
"""The maximum length of one line of words, before markup is escaped."""
_MARKUP: Final = regex(
    r"[\\`*_{}\[\]<>|#@&~$]|:(?=//)|(?<=www)\.|(?<=\bGH)-(?=\d)|!(?=\d)"
    r"|^[-+](?=[-\s]|$)|^=(?=[=\s]|$)|^\d(?=\d*[.)](?:\s|$))",
    re.IGNORECASE,
)
"""Text that would be markup, a link, or the beginning of a list."""
_NAMING: Final = regex(r"@(?=\w)|[#!](?=\d)|(?<=\bGH)-(?=\d)", re.IGNORECASE)
"""Mentions of a person or an issue. Pages search for them in the finished text, in which references have become
characters."""
_NO_SPACE: Final = "&#8203;"
"""A space without width, which separates the sign from the name."""


def size(blocks: Iterable[str]) -> int:
    """Return the length of blocks in UTF-16, with the blank line behind each."""
    return sum(len(block.encode("utf-16-le", "surrogatepass")) // 2 + 2 for block in blocks)


def details_tag(summary: str, *, is_open: bool = False) -> str:
    """Return the opening tag and the summary of a folded part."""
    return f"<details{' open' if is_open else ''}>\n<summary>{summary}</summary>"


def bullet_list(texts: Iterable[str]) -> str:
    """Return texts as the items of a list."""
    return "\n".join(f"- {text}" for text in texts)


def inert_text(text: str) -> str:
    """Return ``text`` on one line, without markup, links, or mentions of a person or an issue."""
    blank = " " if text[:1] == " " else ""
    line = blank + " ".join(visible_lines(text).split())
    shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
    return _MARKUP.sub(lambda match: _reference(match, shown), shown)


def _reference(match: re.Match[str], line: str) -> str:
    return f"&#{ord(match[0])};{_NO_SPACE if _NAMING.match(line, match.start()) else ''}"


def code(text: str) -> str:
    """Return a text in the form of code."""
    return f"<code>{inert_text(text)}</code>"
