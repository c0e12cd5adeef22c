"""The outcome of an apply in a part file, with those positions in files that reports show."""

from collections.abc import Iterator, Mapping, Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Location, Span
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.paths import Path, as_written_in
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.secrets.masking import mask_objects


@dataclass(frozen=True, slots=True)
class PartApply:
    """An object, its position, and its outcome."""

    file: str
    index: int
    object: JsonObject
    ref: ObjectRef
    outcome: Outcome
    has_manifest: bool
    spans: tuple[tuple[Path, Span], ...]
    """The positions of the changed fields, or of their nearest parents that the file contains."""
    origins: tuple[tuple[Path, Location], ...] = ()
    """The fields that another file sets."""

    @property
    def document(self) -> Document:
        """The document, with the positions that the part file contains."""
        spans, origins = dict(self.spans), dict(self.origins)
        positions = _StoredPositions(spans)
        return Document(self.file, self.index, self.object, self.ref, positions, self.has_manifest, set_at=origins.get)


@dataclass(frozen=True, slots=True)
class _StoredPositions:
    spans: Mapping[Path, Span]

    def key(self, path: Path) -> Span | None:
        """Return ``None``: all positions are stored as those of values."""

    def value(self, path: Path) -> Span | None:
        """Return the stored position of a path."""
        return self.spans.get(path)


def part_applies(
    outcomes: Sequence[tuple[Document, Outcome]], known: Sequence[JsonObject], *, show_secrets: bool
) -> tuple[PartApply, ...]:
    """Return masked outcomes with their objects, which are masked here unless ``show_secrets``.

    ``known`` are objects with Secrets whose values other objects may repeat.
    """
    objects = [document.object for document, _ in outcomes]
    shown = objects if show_secrets else mask_objects([*objects, *known])[: len(objects)]
    return tuple(
        _part_apply(document, outcome, item) for (document, outcome), item in zip(outcomes, shown, strict=True)
    )


def _part_apply(document: Document, outcome: Outcome, shown: JsonObject) -> PartApply:
    paths = dict.fromkeys([(), *(as_written_in(document.object, change.path) for change in outcome.changes)])
    origins = ((path, document.set_at(path)) for path in paths)
    return PartApply(
        document.file,
        document.index,
        shown,
        document.ref,
        outcome,
        document.has_manifest,
        tuple(dict(span for path in paths for span in _nearest_position(document, path)).items()),
        tuple((path, origin) for path, origin in origins if origin),
    )


def _nearest_position(document: Document, path: Path) -> Iterator[tuple[Path, Span]]:
    """Yield the position of a path, or else that of its nearest parent that the file contains."""
    for length in range(len(path), -1, -1):
        span = document.positions.key(path[:length]) or document.positions.value(path[:length])
        if span is not None:
            yield path[:length], span
            return
