"""The parsing events of a YAML document, from libyaml if PyYAML was built with it.

libyaml and go-yaml, kubectl's parser, are ports of one scanner, so they agree on nearly every text and use the same
error messages. PyYAML's scanner in pure Python is some six times slower, and rejects a little more.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

import yaml
from yaml.error import MarkedYAMLError
from yaml.events import (
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    StreamEndEvent,
    StreamStartEvent,
)
from yaml.parser import Parser as PythonParser
from yaml.reader import Reader, ReaderError
from yaml.scanner import Scanner

from kubectl_applylint.core.records import dataclass

_FORBIDDEN = "[^\t\n\r -~\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""A pattern that takes 4 ms to compile, and is needed only for unreadable texts."""


@dataclass(frozen=True, slots=True)
class OwnMark:
    """A ``TextMark`` that is not from a parser."""

    line: int
    column: int
    index: int


_ABSURD_DEPTH = 1000
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
BEFORE = frozenset({StreamStartEvent, DocumentStartEvent})
"""The events before the first value of a document."""
_AFTER = frozenset({DocumentEndEvent, StreamEndEvent})


class TextMark(Protocol):
    """A position in the text."""

    @property
    def line(self) -> int:
        """The line, counted from 0."""

    @property
    def column(self) -> int:
        """The column in characters, counted from 0."""

    @property
    def index(self) -> int:
        """The number of characters before it."""


@dataclass(frozen=True, slots=True)
class TextRange:
    """The start and end of a document."""

    start: TextMark
    end: TextMark


class MarkedEvent(Protocol):
    """The common fields of all events."""

    start_mark: TextMark
    end_mark: TextMark


class SeenScalar(MarkedEvent, Protocol):
    """A scalar event of the scanner; the first element of ``implicit`` is true for plain scalars."""

    anchor: str | None
    tag: str | None
    implicit: tuple[bool, bool]
    value: str
    style: str | None


class SeenAlias(MarkedEvent, Protocol):
    """A reference to an anchor."""

    anchor: str


class SeenStart(MarkedEvent, Protocol):
    """The start of a map or a list."""

    anchor: str | None
    flow_style: bool | None


class YamlError(ValueError):
    """Raised for text that kubectl cannot parse, with the reason and the position."""

    def __init__(self, problem: str, mark: TextMark) -> None:
        super().__init__(problem)
        self.problem, self.mark = problem, mark


class _PythonParser(Reader, Scanner, PythonParser):
    """PyYAML's parser in pure Python, with the interface of the one that uses libyaml."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        PythonParser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skip whitespace, and tabs where libyaml allows them: in brackets and after a token."""
        Scanner.scan_to_next_token(self)
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            Scanner.scan_to_next_token(self)


class EventParser(Protocol):
    """A parser of PyYAML."""

    def get_event(self) -> Event | None:
        """Return the next event."""

    def dispose(self) -> None:
        """Release the parser's state."""


_PARSER: Callable[[str], EventParser] = _PythonParser
try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml.
    pass
else:
    _PARSER = CParser


def events(text: str) -> Iterator[Event]:
    """Yield the events of the first document of ``text``, none if it is empty; raises ``YamlError``."""
    with parser_of(text) as parser:
        while type(event := parser.get_event()) not in _AFTER:
            if type(event) not in BEFORE and event is not None:
                yield event


@contextmanager
def parser_of(text: str) -> Iterator[EventParser]:
    """Provide a parser for ``text``; its errors are raised as ``YamlError``."""
    parser: EventParser | None = None
    try:
        parser = _PARSER(text)
        yield parser
    except ReaderError as error:
        raise _bad_character(text, error) from None
    except MarkedYAMLError as error:
        raise _complaint(error) from None
    finally:
        if parser is not None:
            parser.dispose()


def is_yaml(text: str) -> bool:
    """Return whether all of ``text`` is YAML, even if kubectl rejects it; false if it is nested absurdly deep."""
    depth = 0
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            depth += isinstance(event, CollectionStartEvent) - isinstance(event, CollectionEndEvent)
            if depth > _ABSURD_DEPTH:
                return False
    except yaml.YAMLError:
        return False
    return True


def _complaint(error: MarkedYAMLError) -> YamlError:
    problem, mark = error.problem or error.context or "", error.problem_mark
    # For an unclosed quote, its start is the useful position.
    if mark is None or "end of stream" in problem:
        mark = error.context_mark or mark
    return YamlError(problem, mark or OwnMark(0, 0, 0))


def _bad_character(text: str, error: ReaderError) -> YamlError:
    found = re.search(_FORBIDDEN, text)
    before = text[: found.start()] if found else ""
    return YamlError(error.reason, OwnMark(before.count("\n"), len(before) - before.rfind("\n") - 1, len(before)))
