"""Generators of ksops: they decrypt the files that they list, whose objects are known without their values.

Such a generator is replaced by resources with these objects (https://github.com/viaduct-ai/kustomize-sops), and by
generators of kustomize for Secrets and ConfigMaps that replace others or merge with them. Annotations with which
kustomize would add a hash to their names are left out, as the hash depends on the values.
"""

import base64
import binascii
import json
import posixpath
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.locality import UnrenderableReason
from kubectl_applylint.sources.render.missing_parts import MissingPart, PartialTree, only_document, text_reader
from kubectl_applylint.sources.text.encrypted import without_sops
from kubectl_applylint.sources.text.manifests import all_documents

_GROUP: Final = "viaduct.ai/"
_KIND: Final = "ksops"
_FIELDS: Final = frozenset({"apiVersion", "kind", "metadata", "files"})
"""The fields of a generator that only lists files."""
_HASH: Final = "kustomize.config.k8s.io/needs-hash"
_BEHAVIOR: Final = "kustomize.config.k8s.io/behavior"
_ENCRYPTED: Final = "ENC["
_DATA: Final = frozenset({"apiVersion", "kind", "metadata", "data", "sops"})
_GENERATED: Final[Mapping[object, frozenset[str]]] = {
    ("v1", "ConfigMap"): _DATA,
    ("v1", "Secret"): _DATA | {"stringData", "type"},
}
"""The kinds that kustomize generates, and the fields of such an object that a generator sets."""
_METADATA: Final = frozenset({"name", "namespace", "labels", "annotations"})
_PREFIX: Final = ".applylint-"
"""The beginning of the names of files with the objects of a generator."""


def with_listed_objects(tree: PartialTree) -> PartialTree:
    """Return the tree with the objects that its generators of ksops list as resources, and without these parts."""
    for part in tree.parts:
        found = _listed_objects(part, tree)
        if found:
            tree = _with_resources(tree, part, found)
    return tree


def _listed_objects(part: MissingPart, tree: PartialTree) -> Mapping[str, Sequence[JsonObject]]:
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


def _objects(content: bytes) -> Sequence[JsonObject]:
    """Return the objects of a file, none if one is not known completely."""
    found = [one for document in all_documents(content) for one in _flatten(mapping(document))]
    return found if all(map(_is_known, found)) else ()


def _flatten(manifest: JsonObject) -> Sequence[JsonObject]:
    """Return an object, or those of a list as kustomize reads them, each with the metadata of SOPS of the list."""
    entries = manifest.get("items")
    if not text_at(manifest, "kind").endswith("List") or not isinstance(entries, list):
        return (manifest,)
    sops = {"sops": manifest["sops"]} if "sops" in manifest else {}
    return [{**mapping(one), **sops} for one in entries]


def _is_known(manifest: JsonObject) -> bool:
    """Return whether the names of an object are known, and how it changes another one, if it does."""
    metadata = mapping(manifest.get("metadata"))
    names = [text_at(manifest, "apiVersion"), text_at(manifest, "kind"), text_at(metadata, "name")]
    is_readable = not any(_ENCRYPTED in name for name in (*names, text_at(metadata, "namespace")))
    return all(names) and is_readable and (not _behavior(manifest) or _generator(manifest) is not None)


def _behavior(manifest: JsonObject) -> str:
    return text_at(manifest, "metadata", "annotations", _BEHAVIOR)


def _generator(manifest: JsonObject) -> JsonObject | None:
    """Return the entry of a generator of kustomize that makes an object, ``None`` if there is none."""
    metadata, kind = mapping(manifest.get("metadata")), (manifest.get("apiVersion"), manifest.get("kind"))
    usual = _GENERATED.get(kind)
    if usual is None or not manifest.keys() <= usual or not metadata.keys() <= _METADATA:
        return None
    try:
        literals = [*_literals(without_sops(manifest))]
    except (ValueError, binascii.Error):
        return None
    named = {key: metadata[key] for key in ("name", "namespace") if key in metadata}
    options = {key: metadata[key] for key in ("labels",) if metadata.get(key)}
    own = {key: text for key, text in mapping(metadata.get("annotations")).items() if key not in (_BEHAVIOR, _HASH)}
    options |= {"annotations": own} if own else {}
    typed = {"type": manifest["type"]} if manifest.get("type") else {}
    options["disableNameSuffixHash"] = True
    return {**named, **typed, "behavior": _behavior(manifest), "literals": literals, "options": options}


def _literals(manifest: JsonObject) -> Iterator[str]:
    """Yield the data of an object as ``KEY=TEXT``; raise ``ValueError`` for what is no text."""
    is_encoded = manifest.get("kind") == "Secret"
    for key, value in mapping(manifest.get("data")).items():
        text = base64.b64decode(str(value), validate=True).decode() if is_encoded else str(value)
        yield f"{key}={text}"
    yield from (f"{key}={value}" for key, value in mapping(manifest.get("stringData")).items())


def _without_hash(manifest: JsonObject) -> JsonObject:
    metadata = mapping(manifest.get("metadata"))
    annotations = mapping(metadata.get("annotations"))
    if _HASH not in annotations:
        return manifest
    kept = {key: value for key, value in annotations.items() if key != _HASH}
    return {**manifest, "metadata": {**metadata, "annotations": kept}}


def _with_resources(tree: PartialTree, part: MissingPart, objects: Mapping[str, Sequence[JsonObject]]) -> PartialTree:
    folder = posixpath.dirname(part.file)
    texts = {path: text for path, each in objects.items() if (text := _text(each))}
    numbers = enumerate(texts, len(tree.sources))
    names = {path: posixpath.join(folder, f"{_PREFIX}{number}.yaml") for number, path in numbers}
    document = tree.documents.get(part.file) or only_document(tree.texts[part.file]) or {}
    resources: list[Json] = [*items(document.get("resources")), *map(posixpath.basename, names.values())]
    changing = [one for each in objects.values() for one in each if _behavior(one)]
    generators = {
        field: [*items(document.get(field)), *(_generator(one) for one in changing if one.get("kind") == kind)]
        for kind, field in (("ConfigMap", "configMapGenerator"), ("Secret", "secretGenerator"))
    }
    generators = {field: entries for field, entries in generators.items() if entries}
    return replace(
        tree,
        texts={**tree.texts, **{names[path]: text for path, text in texts.items()}},
        parts=tuple(one for one in tree.parts if one != part),
        documents={**tree.documents, part.file: {**document, "resources": resources, **generators}},
        sources={**tree.sources, **{name: path for path, name in names.items()}},
    )


def _text(manifests: Sequence[JsonObject]) -> bytes:
    """Return the objects of a file that are resources, as JSON."""
    return "\n---\n".join(json.dumps(_without_hash(one)) for one in manifests if not _behavior(one)).encode()
