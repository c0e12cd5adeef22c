"""Reads the values of plainly written YAML documents directly from parser events.

Nearly all manifests are plain: without anchors, tags and merge keys, and without duplicate keys. Their values need no
node tree, which takes twice as long to build as the text to parse, and twenty times its memory. ``yaml_nodes`` handles
all other documents, and rejects what kubectl rejects.
"""

import sys
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, TypeAlias

from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.system.recursion import USUAL_LEVELS
from kubectl_applylint.sources.text.yaml_blocks import KEY, SplitDocument, split_blocks
from kubectl_applylint.sources.text.yaml_dialect import may_be_escaped_slash, may_end_flow
from kubectl_applylint.sources.text.yaml_events import BEFORE, OwnMark, TextMark, TextRange, YamlError, parser_of
from kubectl_applylint.sources.text.yaml_scalars import Scalar, ScalarError, key_text, number, plain

_MERGE = "<<"
_VALUES = frozenset({ScalarEvent, MappingStartEvent, SequenceStartEvent, AliasEvent})
_Next: TypeAlias = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class PlainDocument:
    """The value of a document without duplicate keys, and its extent."""

    value: Json
    extent: TextRange


class _NotPlainError(Exception):
    """Raised for a construct that only the node tree can handle."""


def read_plain(text: str) -> PlainDocument | None:
    """Return the first document of ``text`` if it is plain, else ``None``; it may still be valid."""
    if may_be_escaped_slash(text):
        return None
    short = split_blocks(text)
    return (_read_parted(text, short) if short else None) or _read(text, _first)


def _read_parted(text: str, short: SplitDocument) -> PlainDocument | None:
    """Return a document whose blocks are parsed separately, or ``None`` if one of them is not a block."""
    read = {word: _block(block) for word, block in short.blocks.items()}
    blocks = {word: block.value for word, block in read.items() if block}
    found = _read(short.text, partial(_whole, blocks)) if len(blocks) == len(read) else None
    if found is None:
        return None
    end = found.extent.end
    behind = OwnMark(end.line, end.column, end.index + len(text) - len(short.text))
    return PlainDocument(found.value, TextRange(found.extent.start, behind))


@lru_cache(maxsize=512)
def _block(text: str) -> PlainDocument | None:
    """Return the value of a text that is exactly one block."""
    return _read(text, partial(_whole, {}))


def forget_blocks() -> None:
    """Release the cached blocks."""
    _block.cache_clear()


def _read(text: str, document: Callable[[_Next], PlainDocument]) -> PlainDocument | None:
    try:
        with parser_of(text) as parser:
            return document(parser.get_event)
    except (_NotPlainError, YamlError, ScalarError):
        return None


def _first(next_event: _Next) -> PlainDocument:
    """Return the first document of an event stream."""
    return _document(next_event, {}, USUAL_LEVELS)


def _whole(blocks: Mapping[str, Json], next_event: _Next) -> PlainDocument:
    """Return the only document of an event stream, with the words replaced by the values of ``blocks``.

    Each may be nested half as deep as usual.
    """
    left = dict(blocks)
    found = _document(next_event, left, USUAL_LEVELS // 2)
    if left or type(next_event()) is not DocumentEndEvent or type(next_event()) is not StreamEndEvent:
        raise _NotPlainError
    return found


def _document(next_event: _Next, blocks: dict[str, Json], levels: int) -> PlainDocument:
    while type(first := next_event()) in BEFORE:
        pass
    if type(first) not in _VALUES:
        raise _NotPlainError
    reader = _Reader(next_event, first.end_mark, blocks)
    return PlainDocument(reader.value(first, levels), TextRange(first.start_mark, reader.end))


@dataclass(slots=True)
class _Reader:
    """Builds values from events, and tracks the end of the last one.

    ``blocks`` are the values of the words; each one that is found is removed.
    """

    next_event: _Next
    end: TextMark
    blocks: dict[str, Json]

    def value(self, event: Any, levels: int) -> Json:
        """Return the value that begins with ``event``, nested at most ``levels`` deep."""
        kind = type(event)
        if kind is ScalarEvent:
            return _scalar(event)
        if kind is AliasEvent or event.anchor or event.tag or not levels:
            raise _NotPlainError
        if kind is MappingStartEvent:
            return self._map(levels - 1, in_flow=bool(event.flow_style))
        return self._list(levels - 1, in_flow=bool(event.flow_style))

    def _map(self, levels: int, *, in_flow: bool) -> Json:
        next_event, found, count = self.next_event, dict[str, Json](), 0
        event: Any = None
        while type(key := next_event()) is ScalarEvent:
            name = _name(key)
            event = next_event()
            found[name] = _scalar(event) if type(event) is ScalarEvent else self.value(event, levels)
            count += 1
            if in_flow:
                _check_flow(key, event)
        if type(key) is not MappingEndEvent or len(found) < count:
            raise _NotPlainError
        self._set_end(event, key, in_flow=in_flow)
        if self.blocks and not in_flow and type(word := found.get(KEY)) is str and word in self.blocks:
            found[KEY] = self.blocks.pop(word)
        return found

    def _list(self, levels: int, *, in_flow: bool) -> Json:
        next_event, found = self.next_event, list[Json]()
        event: Any = None
        while type(end := next_event()) is not SequenceEndEvent:
            event = end
            found.append(self.value(event, levels))
            if in_flow:
                _check_flow(event)
        self._set_end(event, end, in_flow=in_flow)
        return found

    def _set_end(self, last: Any, end: Any, *, in_flow: bool) -> None:
        """Set the end of a collection: a block ends with its last child."""
        is_scalar = type(last) is ScalarEvent
        if in_flow or last is None:
            self.end = end.end_mark
        elif is_scalar:
            self.end = last.end_mark


def _check_flow(*inner: Event) -> None:
    if any(type(event) is ScalarEvent and may_end_flow(event.value, event.style) for event in inner):
        raise _NotPlainError


def _scalar(event: ScalarEvent) -> Scalar:
    if event.anchor or event.tag:
        raise _NotPlainError
    value = plain(event.value) if event.implicit[0] else event.value
    return number(value) if type(value) is int or type(value) is float else value


def _name(event: ScalarEvent) -> str:
    """Return the text of a key; equal keys share one string."""
    if event.anchor or event.tag or event.value == _MERGE:
        raise _NotPlainError
    return _plain_name(event.value) if event.implicit[0] else sys.intern(event.value)


# Most manifests have the same keys; a cache lookup takes a tenth of the time.
@lru_cache(maxsize=4096)
def _plain_name(text: str) -> str:
    return sys.intern(key_text(plain(text)))
