"""Makes text from manifests inert: it controls no terminal, no CI runner and no page.

``one_line`` and ``visible_lines`` are for a value that becomes part of our own text. ``page`` is for the whole output,
as the last step, depending on what reads it.

The rules are those of the programs that read the output: the runner of GitHub Actions treats a line that begins with
``::`` (after blanks as well) and ``##[`` anywhere in a line as a command, Azure Pipelines and TeamCity ``##name[``,
GitLab ``section_start:``.
"""

import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Final, assert_never

from kubectl_applylint.core.regex import regex

_CONTROL: Final = "\\x00-\\x09\\x0b-\\x1f\\x7f-\\x9f"
_INVISIBLE: Final = (
    "\\xad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb"
    "\U000e0000-\U000e007f"
)
"""Characters without width, and those that make a line read differently: direction marks, fillers, tags."""
_HALVES: Final = "\ud800-\udfff"
_NO_LETTER: Final = regex(f"[\n{_CONTROL}{_INVISIBLE}{_HALVES}]")
_NO_LETTER_ON_LINES: Final = regex(f"[{_CONTROL}{_INVISIBLE}{_HALVES}]")
_COLOUR: Final = r"\x1b\[(?:[012]|3[1-6]|1;3[1-6])m"
"""The only escape sequences that we write, besides links."""
_LINK: Final = r"\x1b\]8;;(?:file://[!-\[\]-~]*)?\x1b\\"
"""The start and the end of a link (OSC 8) to a file, with the characters that a URL may have."""
_LINKS: Final = regex(_LINK)
_NO_LETTER_BUT: Final = {
    (True, False): regex(f"({_COLOUR})|[{_CONTROL}{_INVISIBLE}{_HALVES}]"),
    (False, True): regex(f"({_LINK})|[{_CONTROL}{_INVISIBLE}{_HALVES}]"),
    (True, True): regex(f"({_COLOUR}|{_LINK})|[{_CONTROL}{_INVISIBLE}{_HALVES}]"),
}
"""The same, but our colors stay, or our links."""
_COMMAND: Final = regex(r"^([^\S\n]*):(?=:)", re.MULTILINE)
_BRACKET: Final = regex(r"(##\w*)\[")
_SECTION: Final = regex(r"(section_(?:start|end)):(?=\d)")
_SHORT: Final[Mapping[str, str]] = {"\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Target(Enum):
    """The reader of a page."""

    TEXT = "text"
    COMMANDS = "commands"
    """The runner of GitHub Actions, for intended commands."""
    JSON = "json"
    """JSON, and YAML with unusual text in double quotes, where both have the same escapes."""
    XML = "xml"
    """XML, HTML, and Markdown, which has the same character references."""
    SHELL = "shell"
    """A shell: completion candidates with a tab before their descriptions, and our scripts."""


def one_line(text: str) -> str:
    """Return a value as one line of visible characters; the others become escapes."""
    return _NO_LETTER.sub(_escape, text)


def visible_lines(text: str) -> str:
    """Return a value with its line breaks, and visible characters only."""
    return _NO_LETTER_ON_LINES.sub(_escape, text)


def link(text: str, url: str) -> str:
    """Return a text as a terminal link to a file, or unchanged without a URL."""
    return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\" if url else text


def without_links(text: str) -> str:
    """Return a page with its links replaced by their text."""
    return _LINKS.sub("", text)


def page(text: str, target: Target = Target.TEXT, *, color: bool = False, links: bool = False) -> str:
    """Return the text for an output such that its reader finds no command in it.

    Data keeps its meaning: in JSON and XML the same characters are only spelled differently. With ``color`` our colors
    stay, with ``links`` our links to files in a text.
    """
    match target:
        case Target.TEXT:
            return _inert(_escape_all(text, _escape, color=color, links=links))
        case Target.COMMANDS:
            return _SECTION.sub(r"\1\\:", _BRACKET.sub(r"\1\\[", _escape_all(text, _escape)))
        case Target.JSON:
            spelled = _escape_all(text, _json_escape, color=color)
            return _SECTION.sub(r"\1\\u003a", _BRACKET.sub(r"\1\\u005b", spelled))
        case Target.XML:
            spelled = _BRACKET.sub(r"\1&#91;", _escape_all(text, _xml_escape))
            return _SECTION.sub(r"\1&#58;", _COMMAND.sub(r"\1&#58;", spelled))
        case Target.SHELL:
            return "\t".join(map(visible_lines, text.split("\t")))
        case _:
            assert_never(target)


def inert(text: str) -> str:
    """Return lines in which no CI runner finds a command."""
    return _inert(visible_lines(text))


def _inert(text: str) -> str:
    if "::" in text:
        text = _COMMAND.sub(r"\1\\:", text)
    if "##" in text:
        text = _BRACKET.sub(r"\1\\[", text)
    return _SECTION.sub(r"\1\\:", text) if "section_" in text else text


def _escape_all(text: str, escape: Callable[[re.Match[str]], str], *, color: bool = False, links: bool = False) -> str:
    """Replace all control and invisible characters, except our colors and links if they stay."""
    pattern = _NO_LETTER_BUT.get((color, links), _NO_LETTER_ON_LINES)
    return pattern.sub(lambda found: found[0] if found.lastindex else escape(found), text)


def _escape(found: re.Match[str]) -> str:
    """Return the escape of a character in text."""
    letter = found[0]
    return _SHORT.get(letter) or (f"\\u{ord(letter):04x}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08x}")


def _json_escape(found: re.Match[str]) -> str:
    """Return the escape of a character in JSON, a surrogate pair if necessary."""
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\u{0xD7C0 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"


def _xml_escape(found: re.Match[str]) -> str:
    """Return the character reference in XML, or the replacement character if XML forbids it."""
    code = ord(found[0])
    is_legal = code in (0x9, 0xD) or (code > 0x1F and not 0xD800 <= code <= 0xDFFF)
    return f"&#{code};" if is_legal else "\N{REPLACEMENT CHARACTER}"
