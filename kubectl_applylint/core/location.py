"""Places in files and their notation."""

from typing import Final, Protocol

from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A range of source text: lines and columns count from 1; the end column is the one after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE: Final = Span(0, 0, 0, 0)
"""The position of an object that exists only in the cluster."""


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file that the user named; ``file`` is ``-`` for standard input.

    With the span ``NOWHERE`` it is an object of the cluster, and ``file`` is its name.
    """

    file: str
    span: Span

    @property
    def is_text(self) -> bool:
        """Whether the place is in a text."""
        return self.span != NOWHERE

    def __str__(self) -> str:
        return f"{self.file}:{self.span.line}:{self.span.column}" if self.is_text else self.file


class Positions(Protocol):
    """The positions of keys and values in the source text."""

    def key(self, path: Path) -> Span | None:
        """Return where the key of the last step is written (for a list element: its first character), or ``None``."""

    def value(self, path: Path) -> Span | None:
        """Return where the value at ``path`` is written, or ``None``."""
