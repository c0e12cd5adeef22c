"""Whether all that a kustomization is made of is there, so that rendering it fetches nothing and reads nothing else.

The rules are those of kustomize: ``IsRemoteFile`` and ``NewRepoSpecFromURL`` tell what is an address, and what is no
address is a path from the folder of the kustomization.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Final

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in
from kubectl_applylint.sources.render.kustomize_fields import KUSTOMIZATION, PLUGINS, FieldReference, Use, references
from kubectl_applylint.sources.text.manifests import decode
from kubectl_applylint.sources.text.positions import TextPositions
from kubectl_applylint.sources.text.stream import Piece, pieces
from kubectl_applylint.sources.text.yaml_events import BadYaml

_URL: Final = regex(r"\s*https?:|.*://", re.IGNORECASE | re.DOTALL)
# Whatever some version of kustomize has cloned: with a scheme, a user, a host before a colon, a well-known host or a
# query. What is meant as a path and looks like one of these can be written with ./ in front.
_REPOSITORY: Final = regex(
    r"[^/]*[:@]|(?:www\.)?(?:github|gitlab|\S*amazonaws|\S*googleapis)\.com/|bitbucket\.org/|.*(?:://|::|\?)",
    re.IGNORECASE | re.DOTALL,
)
_OWN_FOLDER: Final = regex(r"\.\.?(?:/|$)")
_PLAIN: Final = frozenset({"apiversion", "kind", "metadata", "resources"})
"""The keys of a kustomization that only lists files."""


class UnrenderableReason(StrEnum):
    """What keeps a kustomization from being rendered, in words for people."""

    ADDRESS = "kustomize treats it as a URL, and nothing is fetched"
    OUTSIDE = "it is outside the repository"
    MISSING = "file or directory not found"
    CHART = "it requires helm to render a chart"
    PROGRAM = "it requires a plugin that is not built into kustomize"
    DERIVED = (
        "the directory generates the plugin configuration, so the files that it reads are unknown; list files instead"
    )
    UNREADABLE = "it is not valid YAML"


@dataclass(frozen=True, slots=True)
class BrokenReference:
    """A value that names something that is not there; the place is counted from 1, 0 where it is not known."""

    file: str
    place: tuple[int, int]
    field: str
    text: str
    reason: UnrenderableReason
    use: Use

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is not the kustomization that is broken: what it refers to is not in the repository."""
        may_be_cloned = self.reason is UnrenderableReason.MISSING and self.use in (Use.RESOURCE, Use.FOLDER, Use.PLUGIN)
        return may_be_cloned or self.reason not in (UnrenderableReason.MISSING, UnrenderableReason.UNREADABLE)

    @property
    def is_remote(self) -> bool:
        """Whether it is in the way only as long as nothing may be fetched."""
        return self.reason in (UnrenderableReason.ADDRESS, UnrenderableReason.DERIVED)

    def __str__(self) -> str:
        words = (self.field, self.text.partition("\n")[0][:200], self.reason.value)
        return ": ".join(filter(None, words))


@dataclass(frozen=True, slots=True)
class Made:
    """What a kustomization is made of: files, and folders with kustomizations, and what is in the way."""

    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    faults: tuple[BrokenReference, ...] = ()


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a reference stands: relative to which folder it is meant, and its document, if that has places."""

    folder: str
    file: str
    piece: Piece | None = field(repr=False, default=None)

    def fault(self, reference: FieldReference, reason: UnrenderableReason) -> Made:
        span = None
        if self.piece is not None:
            span = TextPositions(self.piece.nodes, self.piece.value, self.piece.first_line).value(reference.path)
        place = (span.line, span.column) if span else (0, 0)
        return Made(
            faults=(BrokenReference(self.file, place, render(reference.path), reference.text, reason, reference.use),)
        )


def examined(folder: str, where: Folders) -> Made:
    """Return all that the kustomization in a folder is made of, those of others that it refers to among them."""
    found, todo, seen = [Made()], [folder], set[str]()
    while todo:
        inside = todo.pop()
        if inside not in seen:
            seen.add(inside)
            found.append(_kustomization(inside, where))
            todo += found[-1].folders
    return _joined(found)


def is_address(text: str, use: Use) -> bool:
    """Tell whether some version of kustomize would fetch what a text names: a URL, or a repository to clone."""
    if use in (Use.FILE, Use.KEYED_FILE, Use.FILE_OR_TEXT):
        return "\n" not in text and _URL.match(text) is not None
    return _OWN_FOLDER.match(text) is None and _REPOSITORY.match(text) is not None


def _joined(found: Iterable[Made]) -> Made:
    every = tuple(found)
    return Made(
        frozenset().union(*(one.files for one in every)),
        tuple(folder for one in every for folder in one.folders),
        tuple(fault for one in every for fault in one.faults),
    )


def _kustomization(folder: str, where: Folders) -> Made:
    file = kustomization_in(folder, where)
    if not file:
        return Made()
    found = _documents(file, where, KUSTOMIZATION, folder)
    return _joined((Made(frozenset({file})), *found))


def _documents(file: str, where: Folders, table: Mapping[str, Use] | None, folder: str) -> Iterator[Made]:
    """Yield what the documents of a file refer to, by a table, or those that configure plugins by theirs."""
    try:
        for piece in pieces(decode(where.read(file))[0]):
            fld = _Spot(folder, file, piece)
            yield from _document(piece.value, fld, where) if table is None else _every(piece.value, table, fld, where)
    except BadYaml:
        yield _Spot(folder, file).fault(FieldReference((), "", Use.FILE), UnrenderableReason.UNREADABLE)


def _every(value: Json, table: Mapping[str, Use], fld: _Spot, where: Folders) -> Iterator[Made]:
    return (_followed(reference, fld, where) for reference in references(value, table))


def _document(value: Json, fld: _Spot, where: Folders) -> Iterator[Made]:
    """Yield what a document refers to that configures a plugin."""
    kind = mapping(value).get("kind")
    table = PLUGINS.get(kind) if isinstance(kind, str) and mapping(value).get("apiVersion") == "builtin" else None
    if table is None:
        yield fld.fault(FieldReference((), str(kind or ""), Use.PLUGIN), UnrenderableReason.PROGRAM)
    else:
        yield from _every(value, table, fld, where)


def _followed(reference: FieldReference, fld: _Spot, where: Folders) -> Made:
    """Return what a reference leads to, with what that refers to in turn where it configures plugins."""
    match reference.use:
        case Use.CHART:
            return fld.fault(reference, UnrenderableReason.CHART)
        case Use.FILE_OR_TEXT if _is_text(reference.text):
            return Made()
        case Use.PLUGIN if _is_text(reference.text) and not _starts_as_address(reference.text):
            return _inline(reference, fld, where)
        case Use.KEYED_FILE:
            return _local(reference, reference.text.partition("=")[2] or reference.text, fld, where)
        case _:
            return _local(reference, reference.text, fld, where)


def _starts_as_address(text: str) -> bool:
    """Tell whether a text of several lines is cloned where it is no YAML: ``NewRepoSpecFromURL`` takes any of them."""
    return re.match(r"(?:git::)?(?:\w+://|[^\s/:]+@|github\.com[/:])", text, re.IGNORECASE) is not None


def _is_text(text: str) -> bool:
    """Tell whether a value is a document itself: a path is no map and has no line breaks."""
    try:
        return "\n" in text or any(isinstance(piece.value, dict) for piece in pieces(text))
    except BadYaml:
        return False


def _inline(reference: FieldReference, fld: _Spot, where: Folders) -> Made:
    inner = _Spot(fld.folder, fld.file)
    try:
        found = [made for piece in pieces(reference.text) for made in _document(piece.value, inner, where)]
    except BadYaml:
        return fld.fault(reference, UnrenderableReason.UNREADABLE)
    faults = [fault for made in found for fault in made.faults]
    # What is wrong inside of a text is told where the text stands.
    return _joined((*(Made(made.files, made.folders) for made in found), *_at(faults, reference, fld)))


def _at(faults: Iterable[BrokenReference], reference: FieldReference, fld: _Spot) -> Iterator[Made]:
    for fault in faults:
        inner = f"{render(reference.path)}: {fault.field}".removesuffix(": ")
        (outer,) = fld.fault(reference, fault.reason).faults
        yield Made(faults=(BrokenReference(outer.file, outer.place, inner, fault.text, fault.reason, fault.use),))


def _local(reference: FieldReference, text: str, fld: _Spot, where: Folders) -> Made:
    if is_address(text, reference.use) or is_address(reference.text, reference.use):
        return fld.fault(reference, UnrenderableReason.ADDRESS)
    path = _inside(fld.folder, text)
    if path is None:
        return fld.fault(reference, UnrenderableReason.OUTSIDE)
    if reference.use is not Use.FOLDER and where.has(path):
        of_plugin = _documents(path, where, None, fld.folder) if reference.use is Use.PLUGIN else ()
        return _joined((Made(frozenset({path})), *of_plugin))
    if reference.use in (Use.RESOURCE, Use.FOLDER, Use.PLUGIN):
        return _folder(reference, path, fld, where)
    return fld.fault(reference, UnrenderableReason.MISSING)


def _folder(reference: FieldReference, path: str, fld: _Spot, where: Folders) -> Made:
    real = where.real(path)
    if real is None:
        return fld.fault(reference, UnrenderableReason.OUTSIDE)
    if not kustomization_in(real, where):
        return fld.fault(reference, UnrenderableReason.MISSING)
    if reference.use is not Use.PLUGIN:
        return Made(folders=(real,))
    listed = _listed(real, where)
    if listed is None:
        return fld.fault(reference, UnrenderableReason.DERIVED)
    documents = (made for file in listed for made in _documents(file, where, None, fld.folder))
    return _joined((Made(frozenset(listed), (real,)), *documents))


def _listed(folder: str, where: Folders) -> list[str] | None:
    """Return the files that a kustomization lists which does nothing else, ``None`` for one that does more."""
    try:
        (piece,) = pieces(decode(where.read(kustomization_in(folder, where)))[0])
    except (BadYaml, ValueError):
        return None
    if not {key.casefold() for key in mapping(piece.value)} <= _PLAIN:
        return None
    named = [_inside(folder, one.text) for one in references(piece.value, {"resources[]": Use.RESOURCE})]
    found = [path for path in named if path is not None and where.has(path)]
    return found if len(found) == len(named) else None


def _inside(folder: str, text: str) -> str | None:
    """Return the path that a text leads to from a folder, ``None`` if that is outside of what is looked at."""
    whole = posixpath.normpath(posixpath.join(folder, text))
    if posixpath.isabs(text) or whole == ".." or whole.startswith("../") or "\0" in text:
        return None
    return "" if whole == "." else whole
