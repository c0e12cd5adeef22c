"""Reads the objects and files of deployment tools, with tolerance for invalid contents."""

from collections.abc import Callable, Collection, Iterable, Iterator
from itertools import chain
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Path
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, dig, items, mapping
from kubectl_applylint.sources.files.globs import PatternError, path_pattern
from kubectl_applylint.sources.text.manifests import decode
from kubectl_applylint.sources.text.positions import TextPositions
from kubectl_applylint.sources.text.stream import Piece, pieces
from kubectl_applylint.sources.text.yaml_events import YamlError
from kubectl_applylint.units.model import Reason

_MOST_LEVELS: Final = 100
"""Maximum nesting of an object of a tool; the deepest fields that are read have some ten levels."""


def boolean_at(value: Json, *keys: str) -> bool | None:
    """Return the boolean at ``keys``, or ``None`` if there is none."""
    found = dig(value, *keys)
    return found if isinstance(found, bool) else None


def is_too_deep(value: Json) -> bool:
    """Return whether a value is nested deeper than ``_MOST_LEVELS``, and thus unsafe for recursion."""
    level = [value]
    for _ in range(_MOST_LEVELS):
        level = [inner for one in level for inner in (*mapping(one).values(), *items(one))]
        if not level:
            return False
    return True


def is_kind(document: Document, kind: str, group: str) -> bool:
    """Return whether a document is an object of this kind, in any version."""
    return document.ref.kind == kind and document.ref.group == group


def reason(document: Document, path: Path) -> Reason:
    """Return the reason that an object declares a unit, with the line of the field."""
    ref = document.ref
    location = document.locate(path)
    return Reason(f"{ref.kind} {ref.namespaced_name}".rstrip(), location.file, location.span.line)


def read(file: str, content: bytes) -> Iterator[Document]:
    """Yield the mappings of a configuration file, up to the first document that cannot be parsed."""
    try:
        for index, piece in enumerate(pieces(decode(content)[0])):
            if isinstance(piece.value, dict):
                yield _document(file, index, piece)
    except YamlError:
        return


def _document(file: str, index: int, piece: Piece) -> Document:
    positions = TextPositions(piece.nodes, piece.value, piece.first_line, extent=piece.extent)
    return Document(file, index, piece.value, ref_of(mapping(piece.value)), positions)


def matching(pattern: str, paths: Iterable[str]) -> Iterator[str]:
    """Yield the paths that match a pattern; an invalid pattern matches nothing."""
    try:
        matches: Callable[[str], bool] = path_pattern(pattern).matches
    except PatternError:
        return iter(())
    return filter(matches, paths)


def matching_names(patterns: Iterable[str], names: Collection[str]) -> frozenset[str]:
    """Return the names that match any of the patterns; most patterns are plain names, which are compared directly."""
    found = ((pattern,) if pattern in names else matching(pattern, names) for pattern in patterns)
    return frozenset(chain.from_iterable(found))


def folders_of(paths: Iterable[str]) -> frozenset[str]:
    """Return all folders that contain these files, directly or in subfolders; ``""`` is the root."""
    found = {""}
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)
