"""Rendered objects with the positions of their source files.

Kustomize notes the origin of an object on demand, and then every transformer with every object: a kustomization with
many patches takes ten times as long. So if no field of the kustomizations renames objects, the source of an object is
the file that lists, or the kustomization that generates, the object of its kind and name, and no origins are requested.
"""

import os
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Final, TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.state import ObjectRef, annotations_of
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.kustomization import Folders, kustomization_in
from kubectl_applylint.sources.render.kustomize_fields import Use, references
from kubectl_applylint.sources.render.kustomize_files import KustomizeFiles
from kubectl_applylint.sources.render.kustomize_positions import FilePositions, SourcePositions
from kubectl_applylint.sources.render.origin_annotation import ORIGIN, origin_file, with_origin, without_origin
from kubectl_applylint.sources.render.render_programs import renumber
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import Input, first_document, read_text, with_undecodable

_LISTS: Final = {"resources[]": Use.RESOURCE, "bases[]": Use.RESOURCE, "components[]": Use.FOLDER}
_KEEPING: Final = frozenset(
    {
        *("apiVersion", "kind", "metadata", "resources", "bases", "components", "namespace", "images", "replicas"),
        *("commonLabels", "labels", "commonAnnotations", "vars", "crds", "configurations", "openapi", "sortOptions"),
        *("patches", "patchesStrategicMerge", "patchesJson6902"),
        *("configMapGenerator", "secretGenerator", "generatorOptions"),
    }
)
"""The fields of kustomizations that rename no objects, apart from some patches."""
_GENERATED: Final = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}
_HASH: Final = regex(r"-[a-z0-9]{10}$")
"""Matches the hash at the end of the name of a generated object."""
_RENAMING: Final = regex(rb"allowNameChange|allowKindChange|/(?:metadata/name|kind|apiVersion)\b|/metadata[\"'\s,}]")
"""Matches what a patch that renames an object contains."""
_Name: TypeAlias = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Overlay:
    """The overlay folder, the kustomization in it, and the paths of all files that it consists of."""

    folder: str
    kustomization: str
    """The displayed name of its file."""
    path: str
    files: frozenset[str]
    origin_folder: str = ""
    """The folder that origins in the objects are relative to; empty if they have none."""


@dataclass(frozen=True, slots=True)
class ObjectSources:
    """The files that the objects of a kustomization come from, by their kinds and names."""

    listed: Mapping[_Name, Mapping[str, str]] = field(repr=False)
    """The file with an object of each name, by its namespace; empty for any if kustomizations set namespaces."""
    generated: Mapping[tuple[str, str], str] = field(repr=False)
    """The kustomization that generates an object, by its kind and name without hash."""

    def path(self, ref: ObjectRef) -> str:
        """Return the path of the source of a rendered object, empty if that is unknown or may be one of several."""
        by_namespace = self.listed.get(_name(ref), {})
        hashless = _HASH.sub("", ref.name)
        generated = {self.generated.get((ref.kind, name), "") for name in (ref.name, hashless)} if not ref.group else {}
        found = {by_namespace.get("") or by_namespace.get(ref.namespace, ""), *generated} - {""}
        return found.pop() if len(found) == 1 else ""

    def paths(self, documents: Sequence[Document]) -> list[str] | None:
        """Return the path of the source of each rendered object, or ``None`` if one is unknown."""
        names = {(_name(one.ref), one.ref.namespace) for one in documents}
        found = [self.path(one.ref) for one in documents]
        return found if all(found) and len(names) == len(documents) else None


def object_sources(path: str, where: Folders, files: frozenset[str]) -> ObjectSources | None:
    """Return the sources of the objects of a kustomization; ``files`` are all that it consists of.

    The result is ``None`` if a field may rename objects, or generate others than ConfigMaps and Secrets, or if two
    objects may get the same name.
    """
    walk = _ResourceWalk(where)
    walk.follow(path)
    others = files.difference(walk.resources)
    if not walk.is_known or any(_RENAMING.search(where.read(file)) for file in others):
        return None
    listed: dict[_Name, dict[str, str]] = {}
    for file in walk.resources:
        for one in with_undecodable(read_text(where.read(file), file)).documents:
            of_name = listed.setdefault(_name(one.ref), {})
            namespace = "" if walk.sets_namespace else one.ref.namespace
            if namespace in of_name or (of_name and "" in (namespace, *of_name)):
                return None
            of_name[namespace] = file
    return ObjectSources(listed, walk.generated)


class _ResourceWalk:
    """Finds what a kustomization and those that it includes list and generate. An object, as it goes through a tree."""

    def __init__(self, where: Folders) -> None:
        self._where = where
        self._seen: set[str] = set()
        self.resources: dict[str, None] = {}
        self.generated: dict[tuple[str, str], str] = {}
        self.is_known, self.sets_namespace = True, False

    def follow(self, path: str) -> None:
        """Add what a kustomization and those that it includes list and generate."""
        document = mapping(first_document(self._where.read(path)))
        if not document or not document.keys() <= _KEEPING:
            self.is_known = False
        if not self.is_known or path in self._seen:
            return
        self._seen.add(path)
        self.sets_namespace |= "namespace" in document
        for kind, name in _generator_names(document):
            self.is_known &= bool(name) and (kind, name) not in self.generated
            self.generated[kind, name] = path
        for one in references(document, _LISTS):
            inner = posixpath.normpath(posixpath.join(posixpath.dirname(path), one.text))
            if self._where.has(inner) and not is_kustomization(inner):
                self.resources[inner] = None
            else:
                self.follow(kustomization_in("" if inner == "." else inner, self._where))


def _generator_names(document: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the kind and the name of each object that a kustomization generates; no name for a part of another."""
    for field_name, kind in _GENERATED.items():
        for entry in items(document.get(field_name)):
            is_part = text_at(entry, "behavior") not in ("", "create")
            yield kind, "" if is_part else text_at(entry, "name")


def _name(ref: ObjectRef) -> _Name:
    return ref.group, ref.kind, ref.name


def with_source_positions(
    found: Input, overlay: Overlay, files: KustomizeFiles, paths: Sequence[str] | None = None
) -> Input:
    """Return the rendered objects with positions in their source files, and the texts of these files.

    ``paths`` are those of the source files, if the objects have no origins.
    """

    @cache
    def read(path: str) -> Input:
        return with_undecodable(read_text(files.original(path), files.display_name(path)))

    if paths is None:
        paths = [_source_path(annotations_of(one.object).get(ORIGIN), overlay, files) for one in found.documents]
    documents = renumber(
        _document(document, read(path) if path else None, files.display_name(path) if path else "", overlay)
        for document, path in zip(found.documents, paths, strict=True)
    )
    texts = {file: text for path in dict.fromkeys(paths) if path for file, text in read(path).texts.items()}
    return replace(found, documents=documents, texts=texts)


def _document(document: Document, source_file: Input | None, file: str, overlay: Overlay) -> Document:
    """Return a rendered object without its origin annotation, with positions in its source file."""
    own = without_origin(document.object)
    if overlay.origin_folder:
        origin = annotations_of(document.object).get(ORIGIN)
        own = with_origin(own, origin, overlay.folder, overlay.origin_folder)
    source = _source(document, source_file.documents) if source_file else None
    if source is None:
        return replace(document, object=own, file=file or overlay.kustomization, positions=FilePositions())
    positions = SourcePositions(own, source.object, source.positions)
    return replace(document, object=own, file=file, positions=positions, source=source.object)


def _source_path(annotation: Json, overlay: Overlay, files: KustomizeFiles) -> str:
    """Return the path in an origin, empty if it is not part of the kustomization, as manifests may forge origins."""
    origin = origin_file(annotation)
    if not origin or "\0" in origin:
        return ""
    place = os.path.relpath(os.path.join(os.path.realpath(overlay.folder), origin), files.top)
    path = place.replace(os.sep, "/")
    return path if files.folders.real(path) in overlay.files else ""


def _source(rendered: Document, documents: Sequence[Document]) -> Document | None:
    """Return the source object of a rendered one; name prefixes and suffixes may have been added."""
    alike = [one for one in documents if (one.ref.group, one.ref.kind) == (rendered.ref.group, rendered.ref.kind)]
    named = [one for one in alike if one.ref.name == rendered.ref.name]
    renamed = [one for one in alike if one.ref.name in rendered.ref.name]
    return next(iter(named or sorted(renamed, key=lambda one: -len(one.ref.name))), None)
