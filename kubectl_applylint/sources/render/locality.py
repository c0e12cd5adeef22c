"""Checks that all inputs of a kustomization exist within the repository, so that rendering fetches nothing.

The rules are those of kustomize: ``IsRemoteFile`` and ``NewRepoSpecFromURL`` define remote addresses. Anything else is
a path relative to the folder of the kustomization.
"""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import partial
from typing import Final

from kubectl_applylint.core.paths import Path, leaves, render
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in
from kubectl_applylint.sources.render.kustomize_fields import KUSTOMIZATION, PLUGINS, FieldReference, Use, references
from kubectl_applylint.sources.render.remote_bases import RemoteReference, base_folder, remote_reference
from kubectl_applylint.sources.text.manifests import decode
from kubectl_applylint.sources.text.positions import TextPositions
from kubectl_applylint.sources.text.stream import Piece, pieces
from kubectl_applylint.sources.text.yaml_events import YamlError

_URL: Final = regex(r"\s*https?:|.*://", re.IGNORECASE | re.DOTALL)
# Whatever some version of kustomize clones: with a scheme, a user, a host before a colon, a well-known host or a query.
# A local path that looks like one of these can be written with ./ in front.
_REPOSITORY: Final = regex(
    r"[^/]*[:@]|(?:www\.)?(?:github|gitlab|\S*amazonaws|\S*googleapis)\.com/|bitbucket\.org/|.*(?:://|::|\?)",
    re.IGNORECASE | re.DOTALL,
)
_OWN_FOLDER: Final = regex(r"\.\.?(?:/|$)")
_PLAIN: Final = frozenset({"apiversion", "kind", "metadata", "resources"})
"""The keys of a kustomization that only lists files."""


class UnrenderableReason(StrEnum):
    """The reason why a kustomization cannot be rendered, as a message."""

    ADDRESS = "kustomize treats it as a URL, and nothing is fetched"
    NOT_STORED = "it is not in the store; download it with applylint fetch"
    CYCLE = "it refers to a base that includes it, and kustomize rejects such a cycle"
    OUTSIDE = "it is outside the repository"
    MISSING = "file or directory not found"
    CHART = "it requires helm to render a chart"
    PROGRAM = "it requires a plugin that is not built into kustomize"
    DERIVED = (
        "the directory generates the plugin configuration, so the files that it reads are unknown; list files instead"
    )
    UNREADABLE = "it is not valid YAML"


_INVALID: Final = (UnrenderableReason.MISSING, UnrenderableReason.CYCLE, UnrenderableReason.UNREADABLE)
"""The reasons for which kustomize rejects a kustomization."""


@dataclass(frozen=True, slots=True)
class BrokenReference:
    """A reference to something that does not exist; its position is counted from 1, or is 0 if unknown."""

    file: str
    place: tuple[int, int]
    field: str
    text: str
    reason: UnrenderableReason
    use: Use
    kustomization: str = ""
    """The kustomization that has the reference, or that names the plugin configuration with it."""
    entry: Path = ()
    """The path of the reference in the kustomization."""
    files: frozenset[str] = frozenset()
    """The files behind the reference, without those of other kustomizations."""

    @property
    def is_elsewhere(self) -> bool:
        """Whether the target is only missing from the repository, and the kustomization itself is valid."""
        may_be_cloned = self.reason is UnrenderableReason.MISSING and self.use in (Use.RESOURCE, Use.FOLDER, Use.PLUGIN)
        return may_be_cloned or self.reason not in _INVALID

    def __str__(self) -> str:
        words = (self.field, self.text.partition("\n")[0][:200], self.reason.value)
        return ": ".join(filter(None, words))


@dataclass(frozen=True, slots=True)
class Inputs:
    """The inputs of a kustomization: files, folders with kustomizations, and broken references."""

    files: frozenset[str] = frozenset()
    folders: tuple[str, ...] = ()
    faults: tuple[BrokenReference, ...] = ()


@dataclass(frozen=True, slots=True)
class _ReferenceContext:
    """Where a reference is written: the folder that it is relative to, and its document, if that has positions."""

    folder: str
    file: str
    piece: Piece | None = field(repr=False, default=None)

    def fault(self, reference: FieldReference, reason: UnrenderableReason) -> Inputs:
        place = _place(self.piece, reference.path) if self.piece is not None else (0, 0)
        return Inputs(
            faults=(BrokenReference(self.file, place, render(reference.path), reference.text, reason, reference.use),)
        )


def _place(piece: Piece, path: Path) -> tuple[int, int]:
    span = TextPositions(piece.nodes, piece.value, piece.first_line).value(path)
    return (span.line, span.column) if span else (0, 0)


def with_original_place(fault: BrokenReference, originals: Mapping[str, bytes]) -> BrokenReference:
    """Return a broken reference with its place in the original text, if its kustomization is not as it is written.

    ``originals`` are such texts by file. A reference that the original does not have has no place.
    """
    if fault.file not in originals or fault.file != fault.kustomization:
        return fault
    found = [*pieces(decode(originals[fault.file])[0])]
    return replace(fault, place=_place(found[0], fault.entry) if len(found) == 1 else (0, 0))


def find_inputs(folder: str, where: Folders) -> Inputs:
    """Return all inputs of the kustomization in a folder, including those of the kustomizations that it refers to."""
    found, todo, seen = [Inputs()], [folder], set[str]()
    while todo:
        inside = todo.pop()
        if inside not in seen:
            seen.add(inside)
            found.append(_kustomization(inside, where))
            todo += found[-1].folders
    return _union(found)


def is_address(text: str, use: Use) -> bool:
    """Return whether some version of kustomize would fetch a value: a URL, or a repository to clone."""
    if use in (Use.FILE, Use.KEYED_FILE, Use.FILE_OR_TEXT):
        return "\n" not in text and _URL.match(text) is not None
    return _OWN_FOLDER.match(text) is None and _REPOSITORY.match(text) is not None


def reference_of(text: str, use: Use) -> RemoteReference | None:
    """Return the remote base or file that ``applylint fetch`` can download for a value, ``None`` for other values."""
    return remote_reference(text, is_folder=use is Use.FOLDER) if use in (Use.RESOURCE, Use.FOLDER) else None


def _union(found: Iterable[Inputs]) -> Inputs:
    every = tuple(found)
    return Inputs(
        frozenset().union(*(one.files for one in every)),
        tuple(folder for one in every for folder in one.folders),
        tuple(fault for one in every for fault in one.faults),
    )


def _kustomization(folder: str, where: Folders) -> Inputs:
    file = kustomization_in(folder, where)
    if not file:
        return Inputs()
    found = _documents(file, where, KUSTOMIZATION, folder)
    return _union((Inputs(frozenset({file})), *found))


def _documents(file: str, where: Folders, table: Mapping[str, Use] | None, folder: str) -> Iterator[Inputs]:
    """Yield the inputs that the documents of a file refer to, by a table of fields, or by the tables of plugins."""
    try:
        for piece in pieces(decode(where.read(file))[0]):
            fld = _ReferenceContext(folder, file, piece)
            yield from (
                _document(piece.value, fld, where) if table is None else _entries(piece.value, table, fld, where)
            )
    except YamlError:
        yield _ReferenceContext(folder, file).fault(FieldReference((), "", Use.FILE), UnrenderableReason.UNREADABLE)


def _entries(value: Json, table: Mapping[str, Use], fld: _ReferenceContext, where: Folders) -> Iterator[Inputs]:
    """Yield the inputs behind each reference of a kustomization; their faults name the reference."""
    for reference in references(value, table):
        found = _follow(reference, fld, where)
        entry = partial(replace, kustomization=fld.file, entry=reference.path, files=found.files)
        faults = map(entry, found.faults)
        yield replace(found, faults=tuple(faults)) if found.faults else found


def _follow_all(value: Json, table: Mapping[str, Use], fld: _ReferenceContext, where: Folders) -> Iterator[Inputs]:
    return (_follow(reference, fld, where) for reference in references(value, table))


def _document(value: Json, fld: _ReferenceContext, where: Folders) -> Iterator[Inputs]:
    """Yield the inputs that a plugin configuration refers to."""
    kind = mapping(value).get("kind")
    table = PLUGINS.get(kind) if isinstance(kind, str) and mapping(value).get("apiVersion") == "builtin" else None
    if table is None or Use.CHART in table.values():
        yield Inputs(frozenset(_named_files(value, fld.folder, where)))
    if table is None:
        yield fld.fault(FieldReference((), str(kind or ""), Use.PLUGIN), UnrenderableReason.PROGRAM)
    else:
        yield from _follow_all(value, table, fld, where)


def _named_files(value: Json, folder: str, where: Folders) -> Iterator[str]:
    """Yield the files that texts in the configuration of a plugin name."""
    for _, text in leaves(value):
        path = _inside(folder, text) if isinstance(text, str) and "\n" not in text else None
        if path and where.has(path):
            yield path


def _follow(reference: FieldReference, fld: _ReferenceContext, where: Folders) -> Inputs:
    """Return the inputs behind a reference, including those that plugin configurations refer to."""
    match reference.use:
        case Use.CHART:
            return fld.fault(reference, UnrenderableReason.CHART)
        case Use.FILE_OR_TEXT if _is_text(reference.text):
            return Inputs()
        case Use.PLUGIN if _is_text(reference.text) and not _starts_as_address(reference.text):
            return _inline(reference, fld, where)
        case Use.KEYED_FILE:
            return _local(reference, reference.text.partition("=")[2] or reference.text, fld, where)
        case _:
            return _local(reference, reference.text, fld, where)


def _starts_as_address(text: str) -> bool:
    """Return whether a multi-line text that is not YAML is cloned: ``NewRepoSpecFromURL`` accepts any of them."""
    return re.match(r"(?:git::)?(?:\w+://|[^\s/:]+@|github\.com[/:])", text, re.IGNORECASE) is not None


def _is_text(text: str) -> bool:
    """Return whether a value is an inline document: a path is not a map and has no line breaks."""
    try:
        return "\n" in text or any(isinstance(piece.value, dict) for piece in pieces(text))
    except YamlError:
        return False


def _inline(reference: FieldReference, fld: _ReferenceContext, where: Folders) -> Inputs:
    inner = _ReferenceContext(fld.folder, fld.file)
    try:
        found = [made for piece in pieces(reference.text) for made in _document(piece.value, inner, where)]
    except YamlError:
        return fld.fault(reference, UnrenderableReason.UNREADABLE)
    faults = [fault for made in found for fault in made.faults]
    # Faults inside of an inline document are reported at its position.
    return _union((*(Inputs(made.files, made.folders) for made in found), *_at(faults, reference, fld)))


def _at(faults: Iterable[BrokenReference], reference: FieldReference, fld: _ReferenceContext) -> Iterator[Inputs]:
    for fault in faults:
        inner = f"{render(reference.path)}: {fault.field}".removesuffix(": ")
        (outer,) = fld.fault(reference, fault.reason).faults
        yield Inputs(faults=(BrokenReference(outer.file, outer.place, inner, fault.text, fault.reason, fault.use),))


def _local(reference: FieldReference, text: str, fld: _ReferenceContext, where: Folders) -> Inputs:
    if is_address(text, reference.use) or is_address(reference.text, reference.use):
        is_fetched = reference_of(reference.text, reference.use) is not None
        return fld.fault(reference, UnrenderableReason.NOT_STORED if is_fetched else UnrenderableReason.ADDRESS)
    path = _inside(fld.folder, text)
    if path is None:
        return fld.fault(reference, UnrenderableReason.OUTSIDE)
    if reference.use is not Use.FOLDER and where.has(path):
        of_plugin = _documents(path, where, None, fld.folder) if reference.use is Use.PLUGIN else ()
        return _union((Inputs(frozenset({path})), *of_plugin))
    if reference.use in (Use.RESOURCE, Use.FOLDER, Use.PLUGIN):
        return _folder(reference, path, fld, where)
    return fld.fault(reference, UnrenderableReason.MISSING)


def _folder(reference: FieldReference, path: str, fld: _ReferenceContext, where: Folders) -> Inputs:
    real = where.real(path)
    if real is None:
        return fld.fault(reference, UnrenderableReason.OUTSIDE)
    if not kustomization_in(real, where):
        return fld.fault(reference, UnrenderableReason.MISSING)
    if reference.use is not Use.PLUGIN:
        return Inputs(folders=(real,))
    listed = _plain_resources(real, where)
    if listed is None:
        return fld.fault(reference, UnrenderableReason.DERIVED)
    documents = (made for file in listed for made in _documents(file, where, None, fld.folder))
    return _union((Inputs(frozenset(listed), (real,)), *documents))


def _plain_resources(folder: str, where: Folders) -> list[str] | None:
    """Return the resources of a kustomization that only lists files, or ``None`` for any other."""
    try:
        (piece,) = pieces(decode(where.read(kustomization_in(folder, where)))[0])
    except (YamlError, ValueError):
        return None
    if not {key.casefold() for key in mapping(piece.value)} <= _PLAIN:
        return None
    named = [_inside(folder, one.text) for one in references(piece.value, {"resources[]": Use.RESOURCE})]
    found = [path for path in named if path is not None and where.has(path)]
    return found if len(found) == len(named) else None


def _inside(folder: str, text: str) -> str | None:
    """Return the path of a reference from a folder, or ``None`` if it leads out of the repository or stored base."""
    whole, base = posixpath.normpath(posixpath.join(folder, text)), base_folder(folder)
    if posixpath.isabs(text) or whole == ".." or whole.startswith("../") or "\0" in text:
        return None
    if base and not f"{whole}/".startswith(f"{base}/"):
        return None
    return "" if whole == "." else whole
