"""Spellings of special characters in messages of Go and Python programs and in YAML."""

from collections.abc import Iterator, Mapping
from typing import Final

_BASIC: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_C: Final = {**_BASIC, "\b": "\\b", "\f": "\\f"}
_GO: Final = {**_C, "\a": "\\a", "\v": "\\v"}
_YAML: Final = {**_GO, "\0": "\\0", "\x1b": "\\e", "\x85": "\\N", "\xa0": "\\_", "\u2028": "\\L", "\u2029": "\\P"}
_CONTROLS: Final = {chr(code): f"\\u{code:04x}" for code in range(0x20)}
_HTML: Final = {char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"}
_JSON: Final = ({**_CONTROLS, **_C, **_HTML}, {**_CONTROLS, **_BASIC, **_HTML}, {**_CONTROLS, **_BASIC})
"""Escapes of ``encoding/json``: current, before Go 1.22, and those without HTML escapes."""
_SIGNS: Final = frozenset("<>&\"'\\")


def printed_forms(text: str) -> Iterator[str]:
    """Yield other spellings of a text, none for a text of plain characters."""
    if text.isascii() and text.isprintable() and _SIGNS.isdisjoint(text):
        return
    yield " ".join(text.split())
    yield repr(text)[1:-1]
    yield "".join(_GO.get(char) or (char if char.isprintable() else _go_escape(ord(char))) for char in text)
    yield "".join(_YAML.get(char) or (char if char.isprintable() else _yaml_escape(ord(char))) for char in text)
    yield "".join(
        _YAML.get(char) or (char if char.isascii() and char.isprintable() else _yaml_escape(ord(char))) for char in text
    )
    yield from (_escape(text, escapes) for escapes in _JSON)


def _escape(text: str, escapes: Mapping[str, str]) -> str:
    """Return a text with some characters escaped."""
    return "".join(escapes.get(char, char) for char in text)


def _go_escape(code: int) -> str:
    """Return a character as escaped by Go."""
    return f"\\x{code:02x}" if code < 0x80 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _yaml_escape(code: int) -> str:
    """Return a character as escaped by YAML."""
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"
