"""Positions of rendered objects: that of the object which declares them."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Positions, Span
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.records import dataclass, field


@dataclass(frozen=True, slots=True)
class DeclarationPositions:
    """Positions of a rendered object: the declaring object for the object itself, none for its fields."""

    declaring: Positions = field(repr=False)
    is_chart_definition: bool = False
    """Whether the object is in ``crds`` of a chart."""

    def key(self, path: Path) -> Span | None:
        """Return ``None``: no key of the object is written in the file."""

    def value(self, path: Path) -> Span | None:
        """Return the position of the declaring object for the object itself."""
        return None if path else self.declaring.value(())


def is_chart_definition(document: Document) -> bool:
    """Return whether a document is in ``crds`` of a chart that a HelmRelease installs."""
    return isinstance(document.positions, DeclarationPositions) and document.positions.is_chart_definition


def at_declaration(
    document: Document, declaring: Document, index: int, *, is_chart_definition: bool = False
) -> Document:
    """Return an object with the position of its declaring object."""
    return Document(
        declaring.file,
        index,
        document.object,
        document.ref,
        DeclarationPositions(declaring.positions, is_chart_definition),
        is_templated=True,
    )
