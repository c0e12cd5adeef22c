"""Where a document refers to: objects, pods of a selector, directories of Flux and Argo CD, files of kustomizations."""

import os
import posixpath
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kubectl_applylint.cli.editor.texts import OpenText, uri_of
from kubectl_applylint.core.cursor import path_at
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.location import Span
from kubectl_applylint.core.paths import Path, fields
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.utf16 import index_at
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.checks._selectors import accepts, pod_labels
from kubectl_applylint.lint.links import (
    DirectoryLink,
    Link,
    ObjectLink,
    SelectorLink,
    is_link_to,
    link_at,
    words_of,
)
from kubectl_applylint.report.formats.lsp import location
from kubectl_applylint.run.sides.places import Place
from kubectl_applylint.run.sides.side import Side
from kubectl_applylint.sources.files.files import EXTENSIONS
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES, is_kustomization
from kubectl_applylint.sources.text.manifests import decode, read_text

_WORD: Final = regex(r"""[^\s"',\[\]{}]+""")
_TOP: Final = Span(1, 1, 1, 1)
_MAIN_FILES: Final = (*KUSTOMIZATION_FILES, "Chart.yaml")


def documents_of(document: OpenText) -> Sequence[Document]:
    """Return the objects in the text of an open document."""
    return read_text(document.text, document.uri).documents


def field_at(document: OpenText, position: tuple[int, int]) -> tuple[Document, Path] | None:
    """Return the object and the path at a position of an open document, counted as the protocol does."""
    line, lines = position[0], document.lines
    column = index_at(lines[line], position[1]) + 1 if line < len(lines) else 1
    for one in documents_of(document):
        path = path_at(one, line + 1, column)
        if path is not None:
            return one, path
    return None


def definitions(document: OpenText, position: tuple[int, int], place: Place | None) -> list[JsonObject]:
    """Return the places that the field at a position refers to, in ``place`` or else in the document alone."""
    if place and is_kustomization(place.paths[0]):
        path = _named_path(document, position, posixpath.dirname(place.paths[0]))
        return [] if path is None else _file_locations(place.side, path)
    found = field_at(document, position)
    link = link_at(*found) if found else None
    if found is None or link is None:
        return []
    if isinstance(link, DirectoryLink):
        return _file_locations(place.side, posixpath.normpath(link.path)) if place else []
    targets = list(_targets(found[0], link, _candidates(document, link, place)))
    return [_object_location(one, link, document, place) for one in _in_same_unit(targets, place)]


def _named_path(document: OpenText, position: tuple[int, int], folder: str) -> str | None:
    """Return the path, relative to the folder of a kustomization, that is written at a position."""
    lines = document.lines
    text = lines[position[0]] if position[0] < len(lines) else ""
    index = index_at(text, position[1])
    words = (word[0] for word in _WORD.finditer(text) if word.start() <= index <= word.end())
    return next((posixpath.normpath(posixpath.join(folder, word)) for word in words), None)


def _file_locations(side: Side, path: str) -> list[JsonObject]:
    """Return the place of a file, or of the main file in a directory; none if it does not exist."""
    start = "" if path == os.curdir else f"{path.strip('/')}/"
    inside = sorted(one for one in side.paths if one.startswith(start) and "/" not in one[len(start) :])
    main = [one for one in inside if one[len(start) :] in _MAIN_FILES]
    found = [path] if path in side.paths else main or [one for one in inside if one.endswith(EXTENSIONS)]
    return [location(_uri(side, one), _TOP, ()) for one in found[:1]]


def _uri(side: Side, path: str) -> str:
    return uri_of(os.path.abspath(side.label(path)))


def _candidates(document: OpenText, link: Link, place: Place | None) -> Sequence[Document]:
    """Return the objects in the files that may have a target of a link."""
    if place is None:
        return documents_of(document)
    words = words_of(link)
    files = sorted(one for one in place.side.mentioning(words) if one.endswith(EXTENSIONS)) if words else []
    return place.side.read(files).documents


def _targets(source: Document, link: Link, candidates: Iterable[Document]) -> Iterator[Document]:
    for one in candidates:
        match link:
            case ObjectLink():
                is_target = is_link_to(link, source, one)
            case SelectorLink(selector=selector):
                labels, space = pod_labels(one.object), source.ref.namespace
                is_near = not space or one.ref.namespace in ("", space)
                is_target = bool(labels) and is_near and accepts(selector, labels)
            case DirectoryLink():
                is_target = False
        if is_target:
            yield one


def _in_same_unit(targets: Sequence[Document], place: Place | None) -> Sequence[Document]:
    """Return the targets in the units of the document, or all if these have none."""
    if place is None or place.known is None:
        return targets
    units = [unit.files for unit in place.known.units if place.paths[0] in unit.files]
    near = {place.side.label(path) for path in frozenset[str]().union(*units)}
    return [one for one in targets if one.file in near] or targets


def _object_location(target: Document, link: Link, document: OpenText, place: Place | None) -> JsonObject:
    """Return the place of a target: its name, or the labels of its pods."""
    is_selected = isinstance(link, SelectorLink)
    is_pod = target.ref.kind == "Pod"
    labels = ("metadata", "labels") if is_pod else ("spec", "template", "metadata", "labels")
    span = target.locate(fields(*labels) if is_selected else fields("metadata", "name")).span
    if place is None:
        return location(document.uri, span, document.lines)
    path = place.path_of(target.file) or ""
    lines = decode(place.side.content(path))[0].split("\n")
    return location(_uri(place.side, path), span, lines)
