"""Edits the fields of a manifest within its text; everything else, including comments, stays unchanged.

Uncertain edits are rejected: the new text is parsed again and must contain exactly the intended objects.
"""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias, assert_never

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.paths import Field, Index, Path, PathStep
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, equal
from kubectl_applylint.lint.fixes.field_edits import (
    FieldEdit,
    NotEditableError,
    RemoveField,
    RenameField,
    SetValue,
    apply_edit,
    ordered_edits,
)
from kubectl_applylint.lint.model import Edit
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.sources.text.positions import TextPositions
from kubectl_applylint.sources.text.scalar_text import as_scalar, is_json
from kubectl_applylint.sources.text.yaml_events import TextMark, YamlError
from kubectl_applylint.sources.text.yaml_nodes import ListNode, MapNode, Node, ScalarNode, is_merge

_ENTRY: Final = regex(r"[ ]*-[ ]+\Z")
_INDENT: Final = regex(r"[ ]*\Z")
_OTHER_BREAKS: Final = regex("\r(?!\n)|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029\ufeff]")
_DEFINES_OR_REFERS: Final = ("&", "*", "!")
_SEPARATOR: Final = "\n---"
_MOST_COMPARED: Final = 4000
"""Maximum number of lines for separate hunks; larger changes are one hunk."""

Patch: TypeAlias = tuple[int, int, str]
"""A replacement: the start and end index, and the new text."""


def is_as_written(document: Document) -> bool:
    """Return whether an object is written literally in its file, not rendered by a kustomization or chart."""
    return document.source is None and isinstance(document.positions, TextPositions)


def edited_text(text: str, file: str, index: int, edits: Sequence[FieldEdit]) -> str:
    """Return the text of a file after edits of its object number ``index``, counted from 0.

    Raises ``NotEditableError`` for edits that would affect anything else: values from an alias or a merge key, lines
    with comments that would be lost, and text with unusual line breaks.
    """
    if _OTHER_BREAKS.search(text):
        raise NotEditableError("the file has unusual line breaks")
    section = _section(text, file, index)
    part, before = section.text, section.read
    manifest = _document(before, section.index).object
    for edit in ordered_edits(manifest, edits):
        wanted = apply_edit(manifest, edit)
        part = part if equal(manifest, wanted) else _edited_once(part, file, section.index, edit)
        manifest = wanted
    _verify(before, read_text(part, file), section.index, manifest)
    return text[: section.start] + part + text[section.start + len(section.text) :]


@dataclass(frozen=True, slots=True)
class _Section:
    """A part of a text that is parsed on its own, and the number of an object in it."""

    text: str
    start: int
    read: Input
    index: int


def _section(text: str, file: str, index: int) -> _Section:
    """Return the document with an object of a text, or the whole text if its documents cannot be separated.

    A file with thousands of documents is not parsed again for each edit.
    """
    read = _read_cached(text, file)
    whole = _Section(text, 0, read, index)
    positions = _document(read, index).positions
    if not isinstance(positions, TextPositions):
        return whole
    start = _begin_of_line(text, positions.first_line)
    end = text.find(_SEPARATOR, start) + 1 or len(text)
    same = [number for number, one in enumerate(read.documents) if _first_line(one) == positions.first_line]
    part = read_text(text[start:end], file)
    is_same = not part.problems and equal(
        [one.object for one in part.documents], [read.documents[number].object for number in same]
    )
    return _Section(text[start:end], start, part, same.index(index)) if is_same else whole


@lru_cache(maxsize=1)
def _read_cached(text: str, file: str) -> Input:
    """Return the parsed text; findings of one file follow each other."""
    return read_text(text, file)


@lru_cache(maxsize=1)
def _begins_of_lines(text: str) -> Sequence[int]:
    return [0, *(found.end() for found in re.finditer("\n", text))]


def _begin_of_line(text: str, line: int) -> int:
    begins = _begins_of_lines(text)
    return begins[line] if line < len(begins) else len(text)


def _first_line(document: Document) -> int:
    """Return the number of lines before the document of an object, -1 if it is in no text."""
    return document.positions.first_line if isinstance(document.positions, TextPositions) else -1


def _document(read: Input, index: int) -> Document:
    if read.problems or index >= len(read.documents):
        raise NotEditableError("the file cannot be read")
    return read.documents[index]


def _verify(before: Input, after: Input, index: int, wanted: Json) -> None:
    """Raise ``NotEditableError`` unless the object at ``index`` is the wanted one, and all others are unchanged."""
    objects = [document.object for document in before.documents]
    objects[index] = wanted
    found = [document.object for document in after.documents]
    same = len(before.skipped) == len(after.skipped) and not after.problems
    if not same or not equal(found, objects):
        raise NotEditableError("the edit would change something else as well")


def _edited_once(text: str, file: str, index: int, edit: FieldEdit) -> str:
    positions = _document(read_text(text, file), index).positions
    if not isinstance(positions, TextPositions):
        raise NotEditableError("the object is in no text")
    begins = [0, *(found.end() for found in re.finditer("\n", text))]
    try:
        source = _SourceText(text, begins, positions.first_line, positions.nodes())
    except YamlError:
        raise NotEditableError("the file cannot be read") from None
    start, end, new = _patch(source, (*positions.base, *edit.path), edit)
    return text[:start] + new + text[end:]


@dataclass(frozen=True, slots=True)
class _SourceText:
    """A text, the start of each line, and the nodes of one document, whose lines count from ``first_line``."""

    text: str
    begins: Sequence[int]
    first_line: int
    root: Node

    def at(self, mark: TextMark) -> int:
        """Return the index of a mark in the text."""
        line = self.first_line + mark.line
        return min(self.begins[line] + mark.column, len(self.text)) if line < len(self.begins) else len(self.text)

    def begin_of_line(self, position: int) -> int:
        """Return the start of the line that contains a character."""
        return self.begins[bisect_right(self.begins, position) - 1]

    def end_of_line(self, position: int) -> int:
        """Return the index after the line break of the line that contains a character."""
        found = self.text.find("\n", position)
        return len(self.text) if found < 0 else found + 1

    def end(self, node: Node) -> int:
        """Return the end of a node, without the trailing line breaks of a block scalar or collection."""
        start = self.at(node.start)
        return start + len(self.text[start : self.at(node.end)].rstrip())

    def is_flow(self, node: MapNode | ListNode) -> bool:
        """Return whether a collection is in brackets; raise ``NotEditableError`` if it has an anchor or a tag."""
        first = self.text[self.at(node.start)]
        if first in _DEFINES_OR_REFERS:
            raise NotEditableError("what has an anchor or a tag is not edited")
        return first in "{["


def _patch(source: _SourceText, path: Path, edit: FieldEdit) -> Patch:
    parent = _descend(source.root, path[:-1])
    match edit:
        case RemoveField():
            return _removal(source, parent, path[-1])
        case SetValue():
            return _setting(source, parent, path[-1], edit)
        case RenameField(name=name):
            key = _pair(parent, path[-1])[0]
            return (source.at(key.start), source.end(key), _key_style(source, key, name))
        case _:
            assert_never(edit)


def _descend(node: Node, path: Path) -> MapNode | ListNode:
    for step in path:
        node = _pair(node, step)[1]
    if not isinstance(node, (MapNode, ListNode)):
        raise NotEditableError("what an alias refers to is not edited")
    return node


def _pair(node: Node, step: PathStep) -> tuple[Node, Node]:
    """Return the nodes of a key and its value; a list element is its own key."""
    match node, step:
        case MapNode(pairs=pairs), Field(name):
            found = [pair for pair in pairs if isinstance(pair[0], ScalarNode) and pair[0].value == name]
            if len(found) != 1 or is_merge(found[0][0]):
                raise NotEditableError("the key is a duplicate, or comes from an alias")
            return found[0]
        case ListNode(items=items), Index(position) if position < len(items):
            return (items[position],) * 2
        case _:
            raise NotEditableError("what an alias refers to is not edited")


def _members(node: MapNode | ListNode) -> list[tuple[Node, Node]]:
    return list(node.pairs) if isinstance(node, MapNode) else [(item, item) for item in node.items]


def _removal(source: _SourceText, parent: MapNode | ListNode, step: PathStep) -> Patch:
    members = _members(parent)
    number = members.index(_pair(parent, step))
    if len(members) == 1:
        raise NotEditableError("nothing would be left around it")
    if source.is_flow(parent):
        return _flow_removal(source, members, number)
    return _block_removal(source, members, number)


def _flow_removal(source: _SourceText, members: Sequence[tuple[Node, Node]], number: int) -> Patch:
    """Remove a member with the comma before it, the first one with the comma after it."""
    key, value = members[number]
    start, end = source.at(key.start), source.end(value)
    if number:
        start = source.end(members[number - 1][1])
        _refuse_comments(source.text[start : source.at(key.start)])
    else:
        end = source.at(members[1][0].start)
        _refuse_comments(source.text[source.end(value) : end])
    return (start, end, "")


def _block_removal(source: _SourceText, members: Sequence[tuple[Node, Node]], number: int) -> Patch:
    """Remove the lines of a member; if it begins a list element, the second key moves to its place."""
    key, value = members[number]
    start, end = source.at(key.start), max(source.end(value), source.end(key))
    before = source.text[source.begin_of_line(start) : start]
    own = _INDENT.match(before) if key is not value else _ENTRY.match(before)
    if own:
        return (source.begin_of_line(start), source.end_of_line(end), "")
    if number or key is value or not _ENTRY.match(before):
        raise NotEditableError("the field shares its line with others")
    following = source.at(members[1][0].start)
    _refuse_comments(source.text[source.end_of_line(end) : following])
    return (start, following, "")


def _refuse_comments(text: str) -> None:
    if "#" in text:
        raise NotEditableError("a comment would be lost")


def _setting(source: _SourceText, parent: MapNode | ListNode, step: PathStep, edit: SetValue) -> Patch:
    value = edit.value
    if isinstance(parent, MapNode) and isinstance(step, Field):
        names = [key.value for key, _ in parent.pairs if isinstance(key, ScalarNode)]
        if step.name not in names:
            return _insertion(source, parent, step.name, value)
    node = _pair(parent, step)[1]
    start, end = source.at(node.start), source.end(node)
    written = source.text[start:end]
    if not isinstance(node, ScalarNode) or written.startswith(_DEFINES_OR_REFERS):
        raise NotEditableError("only single values without an anchor or a tag are replaced")
    if not written:
        return (start, start, f" {as_scalar(value, '')}")
    if edit.is_same_text and written != value:
        raise NotEditableError("the text was written otherwise")
    return (start, end, as_scalar(value, '"' if is_json(source.text) else written))


def _insertion(source: _SourceText, parent: MapNode, name: str, value: Json) -> Patch:
    """Insert a new field before the first one of a map in brackets, or else on a line below the last one."""
    if not parent.pairs:
        raise NotEditableError("the map is empty")
    first, last = parent.pairs[0][0], parent.pairs[-1][1]
    start = source.at(first.start)
    written = f"{_key_style(source, first, name)}: {as_scalar(value, source.text[start])}"
    if source.is_flow(parent):
        before = source.text[source.begin_of_line(start) : start]
        return (start, start, f"{written},{_line_break(source)}{before}" if not before.strip() else f"{written}, ")
    end = source.end_of_line(max(source.end(last), source.end(parent.pairs[-1][0])))
    line = " " * first.start.column + written + _line_break(source)
    return (end, end, line if source.text[end - 1] == "\n" else _line_break(source) + line.rstrip())


def _line_break(source: _SourceText) -> str:
    return "\r\n" if "\r\n" in source.text else "\n"


def _key_style(source: _SourceText, key: Node, name: str) -> str:
    return as_scalar(name, source.text[source.at(key.start)])


def hunks(file: str, before: str, after: str) -> tuple[Edit, ...]:
    """Return the edits that turn one text of a file into another, as replaced whole lines, from the top."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    rest = min(len(old), len(new)) - first
    last = next((n for n in range(rest) if old[-1 - n] != new[-1 - n]), rest)
    inner = (old[first : len(old) - last], new[first : len(new) - last])
    return tuple(
        Edit(Location(file, _lines(first + start, first + end, old)), "".join(inner[1][begin:stop]))
        for start, end, begin, stop in _differing(*inner)
    )


def _differing(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    if len(old) + len(new) > _MOST_COMPARED:
        return [(0, len(old), 0, len(new))]
    from difflib import SequenceMatcher  # noqa: PLC0415  3 ms, for runs with something to edit

    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [places for tag, *places in codes if tag != "equal"]  # type: ignore[misc]  # four numbers follow the tag


def _lines(start: int, end: int, lines: Sequence[str]) -> Span:
    """Return the span of whole lines, counted from 0; the last line of a text may not have a line break."""
    is_open = end == len(lines) and bool(lines) and not lines[-1].endswith("\n")
    if is_open:
        return Span(start + 1, 1, end, len(lines[-1]) + 1)
    return Span(start + 1, 1, end + 1, 1)
