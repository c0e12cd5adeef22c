"""YAML text as the library ``gopkg.in/yaml.v2`` of Go programs writes it, byte for byte."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cmp_to_key
from typing import Final

from kubectl_applylint.core.gotext import show
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json

_WORDS: Final = frozenset(
    [
        "y",
        "Y",
        "yes",
        "Yes",
        "YES",
        "true",
        "True",
        "TRUE",
        "on",
        "On",
        "ON",
        "n",
        "N",
        "no",
        "No",
        "NO",
        "false",
        "False",
        "FALSE",
        "off",
        "Off",
        "OFF",
        "~",
        "null",
        "Null",
        "NULL",
        ".nan",
        ".NaN",
        ".NAN",
        ".inf",
        ".Inf",
        ".INF",
        "+.inf",
        "+.Inf",
        "+.INF",
        "-.inf",
        "-.Inf",
        "-.INF",
    ]
)
_INTEGER: Final = regex(r"[-+]?(0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)|-?0b[-+]?[01]+")
_FLOAT: Final = regex(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_BASE_60: Final = regex(r"[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?")
_TIME: Final = regex(
    r"\d{4}-(1[0-2]|0?[1-9])-(3[01]|[12]\d|0?[1-9])"
    r"([Tt]([01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d(\.\d+)?(Z|[-+]\d\d:\d\d)| ([01]?\d|2[0-3]):[0-5]?\d:[0-5]?\d(\.\d+)?)?"
)
_INDENT: Final = 2
_WIDTH: Final = 80
_LONGEST_SIMPLE_KEY: Final = 128
"""Bytes of a key without a question mark before it."""
_BREAKS: Final = "\n\r\x85\u2028\u2029"
_SPECIAL: Final = regex("[^\n -~\xa0-\ufefe\uff00-\ufffd]")
"""Characters that are escaped."""
_SPECIAL_ASCII: Final = regex("[^\n -~]")
"""The same in texts of ASCII alone; it takes 4 ms less to compile."""
_MARK: Final = "\ufeff"
_QUOTE: Final = "\0"
"""Stands for a single quote, which is doubled, while a text is folded."""
_INDICATOR: Final = regex(
    r"""[#,\[\]{}&*!|>'"%@`]|[?:-](?:[ \t]|$)|---|\.\.\.|.*?(?::(?:[ \t]|$)|(?<=[ \t\n\u2028\u2029])#)""", re.DOTALL
)
"""Matches a text that is not a string, or not only one, without quotes."""
_SIMPLE: Final = regex(r"[A-Za-z][A-Za-z0-9_./${}-]*(?: [A-Za-z0-9_./${}-]+)*")
"""Matches most texts that are written as they are."""
_ESCAPES: Final[Mapping[str, str]] = {
    "\0": "0",
    "\a": "a",
    "\b": "b",
    "\t": "t",
    "\n": "n",
    "\v": "v",
    "\f": "f",
    "\r": "r",
    "\x1b": "e",
    '"': '"',
    "\\": "\\",
    "\x85": "N",
    "\xa0": "_",
    "\u2028": "L",
    "\u2029": "P",
}


def format_yaml(value: Json, *, indent: int = 0) -> str:
    """Return a value as text, with all lines indented. Keys are sorted as the library sorts them."""
    parts = [" " * indent] if indent else []
    _write_node(parts, value, indent, indent, is_root=True)
    _end_line(parts)
    return "".join(parts)


def _write_node(parts: list[str], value: Json, indent: int, column: int, *, is_root: bool = False) -> None:
    """Write the value of a root or of an entry that begins with an indicator, such as ``- ``.

    ``indent`` is that of the entries in the value; the first one follows the indicator.
    """
    if isinstance(value, dict) and value:
        _write_map(parts, value, indent, is_inline=True, is_root=is_root)
    elif isinstance(value, list) and value:
        _write_list(parts, value, indent, is_inline=True, is_root=is_root)
    else:
        parts.append(_scalar(value, indent + _INDENT, column) if is_root else f" {_scalar(value, indent, column)}")


def _write_map(
    parts: list[str], value: Mapping[str, Json], indent: int, *, is_inline: bool = False, is_root: bool = False
) -> None:
    for number, key in enumerate(_sorted_keys(value)):
        if number or not is_inline:
            _start_line(parts, indent)
        elif not is_root:
            parts.append(" ")
        if any(each in key for each in _BREAKS) or len(key.encode()) > _LONGEST_SIMPLE_KEY:
            parts.append(f"? {_scalar(key, indent + _INDENT, indent + _INDENT)}")
            _start_line(parts, indent)
            parts.append(":")
            _write_node(parts, value[key], indent + _INDENT, indent + _INDENT)
        else:
            name = _scalar(key, indent, indent, is_key=True)
            parts.append(f"{name}:")
            _write_value(parts, value[key], indent, indent + len(name) + len(": "))


def _write_value(parts: list[str], value: Json, indent: int, column: int) -> None:
    """Write the value of a key; lists have the indent of the key."""
    if isinstance(value, dict) and value:
        _write_map(parts, value, indent + _INDENT)
    elif isinstance(value, list) and value:
        _write_list(parts, value, indent)
    else:
        parts.append(f" {_scalar(value, indent + _INDENT, column)}")


def _write_list(
    parts: list[str], value: Sequence[Json], indent: int, *, is_inline: bool = False, is_root: bool = False
) -> None:
    for number, item in enumerate(value):
        if number or not is_inline:
            _start_line(parts, indent)
        elif not is_root:
            parts.append(" ")
        parts.append("-")
        _write_node(parts, item, indent + _INDENT, indent + _INDENT)


def _start_line(parts: list[str], indent: int) -> None:
    _end_line(parts)
    parts.append(" " * indent)


def _end_line(parts: list[str]) -> None:
    """End the line, unless a block of text has done so."""
    if parts and parts[-1][-1:] not in tuple(_BREAKS):
        parts.append("\n")


def _scalar(value: Json, indent: int, column: int, *, is_key: bool = False) -> str:
    """Return a value without entries; the lines of a text after the first one have an indent."""
    if isinstance(value, str):
        return _string(value, indent, column, is_key=is_key)
    if value is None:
        return "null"
    return show(value) if not isinstance(value, dict | list) else "{}" if isinstance(value, dict) else "[]"


def _string(text: str, indent: int, column: int, *, is_key: bool) -> str:
    """Return a text in the first style that can have it: a block, plain, in single or in double quotes."""
    if _SIMPLE.fullmatch(text) and text not in _WORDS and column + len(text) <= _WIDTH:
        return text
    is_special = _is_special(text) or any(f" {each}" in text for each in _BREAKS)
    if "\n" in text and not is_key and not is_special and not text.endswith(" "):
        return _block(text, indent)
    if "\n" not in text and _is_plain(text) and not is_special:
        has_break = any(each in text for each in _BREAKS)
        if text.strip(f" {_BREAKS}") == text and not has_break and not _INDICATOR.match(text):
            return text if is_key else _fold_text(text, indent, column)
        if not any(f"{each} " in text for each in _BREAKS):
            return f"'{_single_quoted(text, indent, column + 1, can_fold=not is_key)}'"
    return f'"{_double_quoted(text, indent, column + 1, can_fold=not is_key)}"'


def _block(text: str, indent: int) -> str:
    """Return a text of several lines."""
    hint = str(_INDENT) if text[0] in f" {_BREAKS}" else ""
    ends = [each in _BREAKS for each in text[-2:]]
    chomping = "-" if not ends[-1] else "+" if ends == [True] or all(ends) else ""
    lines = re.split(f"([{_BREAKS}])", text)
    padded = (line if line in _BREAKS else " " * indent + line for line in lines)
    return f"|{hint}{chomping}\n{''.join(padded)}"


def _fold_text(text: str, indent: int, column: int) -> str:
    """Return a text with line breaks instead of spaces where lines are too long."""
    if column + len(text) <= _WIDTH:
        return text
    return "".join(_fold(text, indent, column, last=len(text)))


def _fold(text: str, indent: int, column: int, last: int) -> Iterator[str]:
    """Yield the characters of a text; spaces from ``last`` on are not folded."""
    previous = ""
    for place, character in enumerate(text):
        is_space = character == " "
        if previous and previous in _BREAKS and character not in _BREAKS:
            yield " " * indent
            column = indent
        if is_space and previous != " " and column > _WIDTH and 0 < place < last and text[place + 1] != " ":
            yield "\n" + " " * indent
            column = indent
        else:
            yield character
            column = 0 if character in _BREAKS else column + 1 + (character == _QUOTE)
        previous = character


def _single_quoted(text: str, indent: int, column: int, *, can_fold: bool) -> str:
    last = len(text) - 1 if can_fold else 0
    return "".join(_fold(text.replace("'", _QUOTE), indent, column, last)).replace(_QUOTE, "''")


def _double_quoted(text: str, indent: int, column: int, *, can_fold: bool) -> str:
    parts: list[str] = []
    previous = ""
    for place, character in enumerate(text):
        following = text[place + 1 : place + 2]
        if character != " " or text[0] == _MARK:
            part = _escape(character, always=text[0] == _MARK)
        elif can_fold and previous != " " and column > _WIDTH and place and following:
            part = "\n" + " " * indent + ("\\" if following == " " else "")
            column = -1 if following != " " else 0
            column += indent - len(part) + 1
        else:
            part = character
        parts.append(part)
        column += len(part)
        previous = character if len(part) == 1 or part[0] == "\n" else ""
    return "".join(parts)


def _is_special(text: str) -> bool:
    """Return whether a text has characters that are escaped."""
    return (_SPECIAL_ASCII if text.isascii() else _SPECIAL).search(text) is not None


def _escape(character: str, *, always: bool) -> str:
    """Return a character in double quotes."""
    if not always and character not in f'"\\{_BREAKS}' and not _is_special(character):
        return character
    code = ord(character)
    if character in _ESCAPES:
        return f"\\{_ESCAPES[character]}"
    return f"\\x{code:02X}" if code <= 0xFF else f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _is_plain(text: str) -> bool:
    """Return whether yaml.v2 reads an unquoted text as a string."""
    if not text or text in _WORDS or _BASE_60.fullmatch(text) or _TIME.fullmatch(text):
        return False
    plain = text.replace("_", "") if text[0] in "+-0123456789" else text
    if text[0] in "+-0123456789." and (_INTEGER.fullmatch(plain) or _FLOAT.fullmatch(plain)):
        return text[0] == "." and "_" in text
    return True


def _sorted_keys(keys: Iterable[str]) -> list[str]:
    """Return keys in the order of yaml.v2, which is that of Python for letters alone."""
    found = list(keys)
    is_plain = all(key.isalpha() for key in found)
    return sorted(found) if is_plain else sorted(found, key=cmp_to_key(_compare_keys))


def _compare_keys(left: str, right: str) -> int:
    """Compare keys in the sort order of yaml.v2: numbers by value, letters last."""
    for place, (one, other) in enumerate(zip(left, right, strict=False)):
        if one != other:
            return _order(left, right, place)
    return len(left) - len(right)


def _order(left: str, right: str, place: int) -> int:
    """Compare two texts that first differ at an index."""
    one, other = left[place], right[place]
    if one.isalpha() and other.isalpha():
        return ord(one) - ord(other)
    if one.isalpha() or other.isalpha():
        return -1 if other.isalpha() else 1
    lead = 1 if "0" in (one, other) and _follows_digit(left, place) else 0
    numbers = [_number(text, place, lead) for text in (left, right)]
    if numbers[0] != numbers[1]:
        return -1 if numbers[0] < numbers[1] else 1
    return ord(one) - ord(other)


def _follows_digit(text: str, place: int) -> bool:
    """Return whether digits that are not all zero precede an index."""
    digits = re.search(r"[0-9]*$", text[:place])
    return bool(digits and digits[0].strip("0"))


def _number(text: str, place: int, lead: int) -> tuple[int, int]:
    """Return the number at an index, and its end."""
    found = re.compile(r"[0-9]*").match(text, place)
    digits = found[0] if found else ""
    return int(f"{lead}{digits}"), place + len(digits)
