"""The parsing events of one YAML document, from libyaml where PyYAML was built with it.

libyaml and go-yaml, kubectl's parser, are one scanner in two languages, so that they agree on nearly every text and
word their complaints alike. PyYAML's scanner in pure Python is some six times slower, and refuses a little more.
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
"""A pattern that takes 4 ms to compile, and is needed for texts that nobody can read."""


@dataclass(frozen=True, slots=True)
class OwnMark:
    """A ``TextMark`` of our own making."""

    line: int
    column: int
    index: int


_ABSURD_DEPTH = 1000
_LOADER = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
BEFORE = frozenset({StreamStartEvent, DocumentStartEvent})
"""The events before the first value of a document."""
_AFTER = frozenset({DocumentEndEvent, StreamEndEvent})


class TextMark(Protocol):
    """A place in the text."""

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
    """Where a document begins and ends."""

    start: TextMark
    end: TextMark


class MarkedEvent(Protocol):
    """What all events have."""

    start_mark: TextMark
    end_mark: TextMark


class SeenScalar(MarkedEvent, Protocol):
    """A scalar as the scanner sees it; the first of ``implicit`` tells that it is plain."""

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
    """Text that kubectl cannot read: what is wrong, and where."""

    def __init__(self, problem: str, mark: TextMark) -> None:
        super().__init__(problem)
        self.problem, self.mark = problem, mark


class _PythonParser(Reader, Scanner, PythonParser):
    """PyYAML's parser in pure Python, with the face of the one that uses libyaml."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        PythonParser.__init__(self)

    def scan_to_next_token(self) -> None:
        """Skip white space, and tabs where libyaml allows them: inside of brackets and behind a token."""
        Scanner.scan_to_next_token(self)
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            Scanner.scan_to_next_token(self)


class EventParser(Protocol):
    """A parser of PyYAML."""

    def get_event(self) -> Event | None:
        """Return the next event."""

    def dispose(self) -> None:
        """Forget what the parser holds."""


_PARSER: Callable[[str], EventParser] = _PythonParser
try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml.
    pass
else:
    _PARSER = CParser


def events(text: str) -> Iterator[Event]:
    """Yield what the first document of ``text`` is made of, nothing if there is none; raise ``YamlError``."""
    with parser_of(text) as parser:
        while type(event := parser.get_event()) not in _AFTER:
            if type(event) not in BEFORE and event is not None:
                yield event


@contextmanager
def parser_of(text: str) -> Iterator[EventParser]:
    """Give what parses ``text``, event by event; what it cannot parse raises ``YamlError``."""
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
    """Return whether ``text`` is YAML from start to end, whatever kubectl makes of it (not so if it nests absurdly)."""
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
    # Of a quote that is not closed the beginning is of interest.
    if mark is None or "end of stream" in problem:
        mark = error.context_mark or mark
    return YamlError(problem, mark or OwnMark(0, 0, 0))


def _bad_character(text: str, error: ReaderError) -> YamlError:
    found = re.search(_FORBIDDEN, text)
    before = text[: found.start()] if found else ""
    return YamlError(error.reason, OwnMark(before.count("\n"), len(before) - before.rfind("\n") - 1, len(before)))
