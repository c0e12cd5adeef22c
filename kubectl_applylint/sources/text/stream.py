"""Splits a text into documents as kubectl does: JSON values, YAML documents, or JSON followed by YAML.

Mirrors ``YAMLOrJSONDecoder`` of apimachinery.
"""

import re
from collections.abc import Callable, Iterator
from functools import partial

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text import json_text, yaml_text
from kubectl_applylint.sources.text.yaml_events import OwnMark, TextRange, YamlError
from kubectl_applylint.sources.text.yaml_nodes import Node

BYTE_ORDER_MARK = "\ufeff"

_PEEKED = 4096
_MOST_JSON_BEFORE_YAML = 1
_READ_AT_ONCE = 4
_REPLACEMENT = "\ufffd"
_MARK = "---"
_SEPARATOR = regex(r"^---(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Piece:
    """A document: its value (never null), its extent, and access to its nodes.

    Lines of ``extent`` and of the nodes count from ``first_line``.
    """

    value: Json
    extent: TextRange
    nodes: Callable[[], Node] = field(repr=False, compare=False)
    first_line: int
    may_repeat: bool = True
    """Whether it may have duplicate keys."""
    section: Callable[[tuple[str, ...]], Node | None] = field(
        repr=False, compare=False, default=yaml_text.unknown_section
    )
    """Returns a node with the entry of some names alone, or ``None`` if only ``nodes`` can locate it."""


def pieces(text: str) -> Iterator[Piece]:
    """Yield the documents of ``text`` that are not empty.

    Raises ``YamlError`` where kubectl stops reading, with the position counted from the start of ``text``.
    """
    if text[:_PEEKED].lstrip().startswith("{"):
        return _json_pieces(text)
    return _yaml_pieces(text, 0)


def is_readable(text: str) -> bool:
    """Return whether kubectl reads ``text`` to its end."""
    try:
        return all(True for _ in pieces(text))
    except YamlError:
        return False


def _json_pieces(text: str) -> Iterator[Piece]:
    position, count, mark = 0, 0, OwnMark(0, 0, 0)
    while (start := json_text.after_space(text, position)) < len(text):
        try:
            value, position = json_text.read(text, start)
        except YamlError:
            rest = _yaml_start(text, position)
            if count > _MOST_JSON_BEFORE_YAML or rest is None:
                raise
            yield from _yaml_pieces(text[rest:], text.count("\n", 0, rest))
            return
        count += 1
        if value is not None:
            first = json_text.place_after(text, mark, start)
            mark = json_text.place_after(text, first, position)
            yield Piece(value, TextRange(first, mark), partial(json_text.compose, text, start), 0)


def _yaml_start(text: str, position: int) -> int | None:
    """Return where YAML starts after the JSON values: after whitespace up to the end of the line.

    ``None`` if fewer than four bytes follow, as the decoder reads that many at once, or if invalid bytes were replaced
    there.
    """
    space = len(text) - position - len(text[position:].lstrip())
    newline = text.find("\n", position, position + space)
    end = newline if newline >= 0 else position + space
    if len(text[end : end + _READ_AT_ONCE].encode()) < _READ_AT_ONCE or text[end] == _REPLACEMENT:
        return None
    return end + 1 if newline >= 0 else end


def _yaml_pieces(text: str, first_line: int) -> Iterator[Piece]:
    for line, chunk in _chunks(_with_plain_newlines(text), first_line):
        try:
            read = yaml_text.load(chunk)
        except YamlError as error:
            raise YamlError(
                error.problem, OwnMark(error.mark.line + line, error.mark.column, error.mark.index)
            ) from None
        if read.value is not None:
            yield Piece(read.value, read.extent, read.nodes, line, read.may_repeat, read.section)


def _with_plain_newlines(text: str) -> str:
    # Searching for one character takes a tenth of the time.
    plain = text.replace("\r\n", "\n") if "\r" in text else text
    return plain if plain.endswith("\n") else plain + "\n"


def _chunks(text: str, line: int) -> Iterator[tuple[int, str]]:
    """Yield each document with the number of lines before it, ``line`` for the first one.

    A separator line right at the start of a document belongs to it. Raises ``YamlError`` for a separator that shares
    its line with anything but a comment; the document before it is then lost, as in kubectl.
    """
    begin = 0
    for separator in _separators(text):
        here = line + text.count("\n", begin, separator.start())
        after = separator[1].strip()
        if after and not after.startswith("#"):
            raise YamlError(f"invalid Yaml document separator: {after[:40]}", OwnMark(here, 0, separator.start()))
        if separator.start() > begin:
            yield line, _without_mark(text[begin : separator.start()], line)
            begin, line = separator.end() + 1, here + 1
    if begin < len(text):
        yield line, _without_mark(text[begin:], line)


def _separators(text: str) -> Iterator[re.Match[str]]:
    """Yield the lines that begin with a separator; a regular expression alone would try the start of each line."""
    place = 0 if text.startswith(_MARK) else text.find(f"\n{_MARK}") + 1 or -1
    while place >= 0:
        found = _SEPARATOR.match(text, place)
        assert found is not None
        yield found
        place = text.find(f"\n{_MARK}", found.end()) + 1 or -1


def _without_mark(chunk: str, line: int) -> str:
    """Return ``chunk`` without a byte order mark at its start; one at the start of a later line is an error.

    kubectl treats the latter as a part of the key that follows, libyaml would skip it.
    """
    inner = chunk.find("\n" + BYTE_ORDER_MARK)
    if inner >= 0:
        raise YamlError(
            "there is a byte order mark before the key", OwnMark(line + chunk.count("\n", 0, inner) + 1, 0, 0)
        )
    return chunk.removeprefix(BYTE_ORDER_MARK)
