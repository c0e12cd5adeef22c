"""Positions of objects whose line in a file is all that is known."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.units.model import Unit


@dataclass(frozen=True, slots=True)
class LinePositions:
    """The position of an object by its first line."""

    line: int

    def key(self, path: Path) -> Span | None:
        """Return ``None``: the position of keys is not known."""
        return None

    def value(self, path: Path) -> Span | None:
        """Return the line for the object itself."""
        return None if path else Span(self.line, 1, self.line, 1)


def declaring_document(unit: Unit) -> Document:
    """Return the object that declares a unit, as a document at its line."""
    item, why = unit.applied.tool_object or {}, unit.applied.reason
    return Document(why.file, 0, item, ref_of(item), LinePositions(why.line))
