"""The values of YAML documents that are written plainly, straight from the parser's events.

Nearly all manifests are: without anchors, tags and merge keys, and with every key once. Their values need no node tree,
which takes twice as long to build as to read the text, and twenty times the text's memory. ``yaml_nodes`` says what all
other documents mean, and refuses what kubectl refuses.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from yaml.events import AliasEvent, Event, MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.recursion import USUAL_LEVELS
from kubectl_applylint.sources.yaml_dialect import may_be_escaped_slash, may_end_flow
from kubectl_applylint.sources.yaml_events import BadYaml, TextMark, events
from kubectl_applylint.sources.yaml_scalars import BadScalar, Scalar, key_text, number, plain

_MERGE = "<<"
_Next: TypeAlias = Callable[[], Any]


@dataclass(frozen=True, slots=True)
class PlainDocument:
    """The value of a document, in which every key stands once, and where its text begins."""

    value: Json
    start: TextMark


class _NotPlain(Exception):
    """Something that takes the node tree to read, or to refuse."""


def read_plain(text: str) -> PlainDocument | None:
    """Return the first document of ``text`` if it is written plainly, else ``None``: it may be fine all the same."""
    if may_be_escaped_slash(text):
        return None
    next_event: _Next = events(text).__next__
    try:
        first = next_event()
        return PlainDocument(_value(first, next_event, USUAL_LEVELS), first.start_mark)
    except (_NotPlain, BadYaml, BadScalar, StopIteration):
        return None


def _value(event: Any, next_event: _Next, levels: int) -> Json:
    """Return the value that begins with ``event`` and nests no deeper than ``levels``."""
    kind = type(event)
    if kind is ScalarEvent:
        return _scalar(event)
    if kind is AliasEvent or event.anchor or event.tag or not levels:
        raise _NotPlain
    if kind is MappingStartEvent:
        return _map(next_event, levels - 1, in_flow=bool(event.flow_style))
    return _list(next_event, levels - 1, in_flow=bool(event.flow_style))


def _map(next_event: _Next, levels: int, *, in_flow: bool) -> Json:
    found: dict[str, Json] = {}
    count = 0
    while type(key := next_event()) is ScalarEvent:
        name = _name(key)
        event = next_event()
        found[name] = _scalar(event) if type(event) is ScalarEvent else _value(event, next_event, levels)
        count += 1
        if in_flow:
            _check_flow(key, event)
    if type(key) is not MappingEndEvent or len(found) < count:
        raise _NotPlain
    return found


def _list(next_event: _Next, levels: int, *, in_flow: bool) -> Json:
    found: list[Json] = []
    while type(event := next_event()) is not SequenceEndEvent:
        found.append(_value(event, next_event, levels))
        if in_flow:
            _check_flow(event)
    return found


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
    return sys.intern(key_text(plain(event.value) if event.implicit[0] else event.value))
