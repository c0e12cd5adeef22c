"""Positions of rendered objects: that of the object which declares them."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Positions, Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass, field


@dataclass(frozen=True, slots=True)
class DeclarationPositions:
    """Positions of a rendered object: the declaring object for the object itself, none for its fields."""

    declaring: Positions = field(repr=False)

    def key(self, path: Path) -> Span | None:
        """Return ``None``: no key of the object is written in the file."""

    def value(self, path: Path) -> Span | None:
        """Return the position of the declaring object for the object itself."""
        return None if path else self.declaring.value(())


def at_declaration(document: Document, declaring: Document, index: int) -> Document:
    """Return an object with the position of its declaring object."""
    return Document(
        declaring.file,
        index,
        document.object,
        document.ref,
        DeclarationPositions(declaring.positions),
        is_templated=True,
    )
