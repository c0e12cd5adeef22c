"""The field of an object at a place of its text."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Field, Index, Path, PathStep
from kubectl_applylint.core.values import Json


def path_at(document: Document, line: int, column: int) -> Path | None:
    """Return the path of the innermost field whose key or value is at a place, ``None`` outside of the object."""
    extent, place = document.positions.value(()), (line, column)
    if extent is None or not _contains(extent, place):
        return None
    path: Path = ()
    value = document.object
    while (found := _child_at(document, path, value, place)) is not None:
        step, value, is_key = found
        path = (*path, step)
        if is_key:
            break
    return path


def _child_at(
    document: Document, path: Path, value: Json, place: tuple[int, int]
) -> tuple[PathStep, Json, bool] | None:
    """Return the field or element at a place, its value, and whether its key is there."""
    positions = document.positions
    for step, held in _children(value):
        key = positions.key((*path, step)) if isinstance(step, Field) else None
        if key and _contains(key, place):
            return step, held, True
    for step, held in _children(value):
        extent = positions.value((*path, step))
        if extent and _contains(extent, place):
            return step, held, False
    return None


def _children(value: Json) -> Iterator[tuple[PathStep, Json]]:
    if isinstance(value, dict):
        yield from ((Field(name), held) for name, held in value.items())
    elif isinstance(value, list):
        yield from ((Index(number), held) for number, held in enumerate(value))


def _contains(span: Span, place: tuple[int, int]) -> bool:
    """Return whether a place is in a span, or right after its last character in the same line."""
    end = (span.end_line, span.end_column)
    return (span.line, span.column) <= place and (place < end or (place == end and span.end_column > 1))
