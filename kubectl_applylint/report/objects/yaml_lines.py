"""Values as YAML in kubectl's style, line by line, with optional comments.

Mappings keep their order. Text that some YAML reader could interpret differently is quoted; YAML 1.1 and 1.2 read the
output as the same value.
"""

import json
from collections.abc import Callable, Iterator
from typing import Final, TypeAlias

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.safe_text import Target, inert, page
from kubectl_applylint.core.values import Json

Note: TypeAlias = Callable[[Path], str]
"""Returns the comment for the line where the value at a path begins, with its sign; empty for none."""

_PLAIN: Final = regex(r"[A-Za-z_/](?:[A-Za-z0-9_./@%+=,()-]|:(?=[^ ])| (?=[A-Za-z0-9_./@%+=,()-]))*")
_AMOUNT: Final = regex(r"\d+(?:\.\d+)?(?:%|[munkMGTP]i?)")
_WORDS: Final = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
"""Words that mean true, false or null without quotes in some version of YAML."""
_UNPRINTABLE: Final = regex("[\ufffe\uffff]")
_BLOCK: Final = regex(r"(?! )[^\x00-\x09\x0b-\x1f]*[^\n\x00-\x1f]\n?")
"""Texts that can be block scalars: they begin at the margin, have no control characters except line breaks, and end
with one at most."""


def yaml_lines(value: Json, note: Note, path: Path = ()) -> Iterator[str]:
    """Yield the lines of a value, without indentation."""
    if isinstance(value, dict) and value:
        for key, held in value.items():
            yield from _field(_text(key), held, note, (*path, Field(key)))
    elif isinstance(value, list) and value:
        for position, held in enumerate(value):
            yield from _item(held, note, (*path, Index(position)))
    else:
        yield _with_note(_scalar(value), note(path))


def _field(key: str, value: Json, note: Note, path: Path) -> Iterator[str]:
    if _is_block(value):
        first, *text = _block(value, note(path))
        yield from (f"{key}: {first}", *(_indent(line, "  ") for line in text))
    elif isinstance(value, (dict, list)) and value:
        indent = "  " if isinstance(value, dict) else ""
        yield _with_note(f"{key}:", note(path))
        yield from (_indent(line, indent) for line in yaml_lines(value, note, path))
    else:
        yield _with_note(f"{key}: {_scalar(value)}", note(path))


def _item(value: Json, note: Note, path: Path) -> Iterator[str]:
    lines = _block(value, note(path)) if _is_block(value) else yaml_lines(value, note, path)
    yield f"- {next(lines)}"
    yield from (_indent(line, "  ") for line in lines)


def _indent(line: str, indent: str) -> str:
    return line and f"{indent}{line}"


def _is_block(value: Json) -> bool:
    is_long = isinstance(value, str) and "\n" in value.rstrip("\n")
    return is_long and _BLOCK.fullmatch(value) is not None and _is_harmless(value)


def _is_harmless(text: str) -> bool:
    return not _UNPRINTABLE.search(text) and inert(text) == text


def _block(text: str, note: str) -> Iterator[str]:
    yield _with_note("|" if text.endswith("\n") else "|-", note)
    yield from text.removesuffix("\n").split("\n")


def _with_note(line: str, note: str) -> str:
    return f"{line}  {note}" if note else line


def _scalar(value: Json) -> str:
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _WORDS
    if is_plain or _AMOUNT.fullmatch(text):
        return text
    quoted = page(json.dumps(text, ensure_ascii=False), Target.JSON)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
