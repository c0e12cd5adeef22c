"""The values of YAML documents that are written plainly, straight from the parser's events.

Nearly all manifests are: without anchors, tags and merge keys, and with every key once. Their values need no node tree,
which takes twice as long to build as to read the text, and twenty times the text's memory. ``yaml_nodes`` says what all
other documents mean, and refuses what kubectl refuses.
"""

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeAlias

from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.recursion import USUAL_LEVELS
from kubectl_applylint.sources.yaml_dialect import may_be_escaped_slash, may_end_flow
from kubectl_applylint.sources.yaml_events import BEFORE, BadYaml, TextMark, TextRange, parser_of
from kubectl_applylint.sources.yaml_scalars import BadScalar, Scalar, key_text, number, plain

_MERGE = "<<"
_VALUES = frozenset({ScalarEvent, MappingStartEvent, SequenceStartEvent, AliasEvent})
_Next: TypeAlias = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class PlainDocument:
    """The value of a document, in which every key stands once, and where it is written."""

    value: Json
    extent: TextRange


class _NotPlain(Exception):
    """Something that takes the node tree to read, or to refuse."""


def read_plain(text: str) -> PlainDocument | None:
    """Return the first document of ``text`` if it is written plainly, else ``None``: it may be fine all the same."""
    if may_be_escaped_slash(text):
        return None
    try:
        with parser_of(text) as parser:
            return _document(parser.get_event)
    except (_NotPlain, BadYaml, BadScalar):
        return None


def _document(next_event: _Next) -> PlainDocument:
    while type(first := next_event()) in BEFORE:
        pass
    if type(first) not in _VALUES:
        raise _NotPlain
    reader = _Reader(next_event, first.end_mark)
    return PlainDocument(reader.value(first, USUAL_LEVELS), TextRange(first.start_mark, reader.end))


@dataclass(slots=True)
class _Reader:
    """Makes values of events, and keeps where what it has read ends."""

    next_event: _Next
    end: TextMark

    def value(self, event: Any, levels: int) -> Json:
        """Return the value that begins with ``event`` and nests no deeper than ``levels``."""
        kind = type(event)
        if kind is ScalarEvent:
            return _scalar(event)
        if kind is AliasEvent or event.anchor or event.tag or not levels:
            raise _NotPlain
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
            raise _NotPlain
        self._end(event, key, in_flow=in_flow)
        return found

    def _list(self, levels: int, *, in_flow: bool) -> Json:
        next_event, found = self.next_event, list[Json]()
        event: Any = None
        while type(end := next_event()) is not SequenceEndEvent:
            event = end
            found.append(self.value(event, levels))
            if in_flow:
                _check_flow(event)
        self._end(event, end, in_flow=in_flow)
        return found

    def _end(self, last: Any, end: Any, *, in_flow: bool) -> None:
        """Keep where a collection ends: a block with its last child, which has told so if it is a collection."""
        is_scalar = type(last) is ScalarEvent
        if in_flow or last is None:
            self.end = end.end_mark
        elif is_scalar:
            self.end = last.end_mark


def _check_flow(*inner: Event) -> None:
    if any(type(event) is ScalarEvent and may_end_flow(event.value, event.style) for event in inner):
        raise _NotPlain


def _scalar(event: ScalarEvent) -> Scalar:
    if event.anchor or event.tag:
        raise _NotPlain
    value = plain(event.value) if event.implicit[0] else event.value
    return number(value) if type(value) is int or type(value) is float else value


def _name(event: ScalarEvent) -> str:
    """Return the text of a key, of which there is one copy however often it comes up."""
    if event.anchor or event.tag or event.value == _MERGE:
        raise _NotPlain
    return _plain_name(event.value) if event.implicit[0] else sys.intern(event.value)


# Most manifests have the same keys; to look one up takes a tenth of the time.
@lru_cache(maxsize=4096)
def _plain_name(text: str) -> str:
    return sys.intern(key_text(plain(text)))
