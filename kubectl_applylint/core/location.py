"""Places in files: where a value stands, and how it is told."""

from typing import Final, Protocol

from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of source text: lines and columns count from 1, the end column is the one after the last character."""

    line: int
    column: int
    end_line: int
    end_column: int


NOWHERE: Final = Span(0, 0, 0, 0)
"""Where something stands that no text holds: an object that only the cluster has."""


@dataclass(frozen=True, slots=True, order=True)
class Location:
    """A place in a file that the user named; ``file`` is ``-`` for standard input.

    With the span ``NOWHERE`` it is no file but an object of the cluster, ``file`` being its name.
    """

    file: str
    span: Span

    @property
    def is_text(self) -> bool:
        """Whether there is a text that it points into."""
        return self.span != NOWHERE

    def __str__(self) -> str:
        return f"{self.file}:{self.span.line}:{self.span.column}" if self.is_text else self.file


class Positions(Protocol):
    """Finds where in the source text a key or a value stands."""

    def key(self, path: Path) -> Span | None:
        """Return where the last step's key is written (for a list element: its first character), if it is."""

    def value(self, path: Path) -> Span | None:
        """Return where the value at ``path`` is written, if it is."""
