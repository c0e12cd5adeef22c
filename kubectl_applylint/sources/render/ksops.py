"""Generators of ksops: they decrypt the files that they list, whose objects are known without their values.

Such a generator is replaced by resources with these objects (https://github.com/viaduct-ai/kustomize-sops). Annotations
with which kustomize would add a hash to their names are left out, as the hash depends on the values.
"""

import json
import posixpath
from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.locality import UnrenderableReason
from kubectl_applylint.sources.render.missing_parts import MissingPart, PartialTree, only_document, text_reader
from kubectl_applylint.sources.text.manifests import all_documents

_GROUP: Final = "viaduct.ai/"
_KIND: Final = "ksops"
_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata", "files"})
"""The fields of a generator that only lists files."""
_HASH: Final = "kustomize.config.k8s.io/needs-hash"
_BEHAVIOR: Final = "kustomize.config.k8s.io/behavior"
_ENCRYPTED: Final = "ENC["
_PREFIX: Final = ".applylint-"
"""The beginning of the names of files with the objects of a generator."""


def with_listed_objects(tree: PartialTree) -> PartialTree:
    """Return the tree with the objects that its generators of ksops list as resources, and without these parts."""
    for part in tree.parts:
        found = _listed_objects(part, tree)
        if found:
            tree = _with_resources(tree, part, found)
    return tree


def _listed_objects(part: MissingPart, tree: PartialTree) -> Mapping[str, bytes]:
    """Return the objects of the files that a generator lists, by file; none if some of its objects are unknown."""
    if part.name.casefold() != "generators" or part.fault.reason is not UnrenderableReason.PROGRAM:
        return {}
    read, text = text_reader(part.file, tree.texts), str(part.value)
    generators = list(map(mapping, all_documents(read(text) or text.encode())))
    if not generators or not all(map(_is_ksops, generators)):
        return {}
    folder = posixpath.dirname(part.file)
    names = [name for one in generators for name in items(one.get("files")) if isinstance(name, str)]
    objects = {posixpath.normpath(posixpath.join(folder, name)): _objects(read(name)) for name in names}
    return objects if all(objects.values()) else {}


def _is_ksops(generator: JsonObject) -> bool:
    is_own = text_at(generator, "apiVersion").startswith(_GROUP) and generator.get("kind") == _KIND
    return is_own and generator.keys() <= _FIELDS and bool(items(generator.get("files")))


def _objects(content: bytes) -> bytes:
    """Return the objects of a file as JSON, empty if one is not known completely."""
    found = list(map(mapping, all_documents(content)))
    is_known = all(map(_is_known, found))
    return "\n---\n".join(json.dumps(_without_hash(one)) for one in found).encode() if is_known else b""


def _is_known(manifest: JsonObject) -> bool:
    """Return whether a manifest is an object of its own with known names: one with ``behavior`` changes another."""
    metadata = mapping(manifest.get("metadata"))
    names = [text_at(manifest, "apiVersion"), text_at(manifest, "kind"), text_at(metadata, "name")]
    is_readable = not any(_ENCRYPTED in name for name in (*names, text_at(metadata, "namespace")))
    return all(names) and is_readable and not text_at(metadata, "annotations", _BEHAVIOR)


def _without_hash(manifest: JsonObject) -> JsonObject:
    metadata = mapping(manifest.get("metadata"))
    annotations = mapping(metadata.get("annotations"))
    if _HASH not in annotations:
        return manifest
    kept = {key: value for key, value in annotations.items() if key != _HASH}
    return {**manifest, "metadata": {**metadata, "annotations": kept}}


def _with_resources(tree: PartialTree, part: MissingPart, objects: Mapping[str, bytes]) -> PartialTree:
    folder = posixpath.dirname(part.file)
    numbers = enumerate(objects, len(tree.sources))
    names = {path: posixpath.join(folder, f"{_PREFIX}{number}.yaml") for number, path in numbers}
    document = tree.documents.get(part.file) or only_document(tree.texts[part.file]) or {}
    resources: list[Json] = [*items(document.get("resources")), *map(posixpath.basename, names.values())]
    return replace(
        tree,
        texts={**tree.texts, **{names[path]: content for path, content in objects.items()}},
        parts=tuple(one for one in tree.parts if one != part),
        documents={**tree.documents, part.file: {**document, "resources": resources}},
        sources={**tree.sources, **{name: path for path, name in names.items()}},
    )
