"""Entries of kustomizations whose target is missing: kustomize fails on these.

They are patches that name their object themselves, ``replicas``, sources of ``replacements``, ``vars``, and generators
that add to an object. Objects are compared by kind and name only, as kustomize may have changed the name.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at
from kubectl_applylint.sources.render.missing_parts import (
    PartialTree,
    UnmatchedEntry,
    including,
    only_document,
    patch_documents,
    references_of,
    text_reader,
)
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import all_documents

_UNMATCHED_PATCH: Final = regex(r"no matches for Id (?P<id>[^;\s]+); failed to find unique target")
_UNMATCHED_NAMES: Final = {
    "replicas": regex(r"resource with name (?P<name>\S+) does not match a config"),
    "replacements": regex(r"nothing selected by [^/\s]*/(?P<name>[^.\s]+)"),
    "vars": regex(r"var '\{(?P<name>\w+) .*cannot be mapped to a field"),
    "Generator": regex(r'Name:\\*"(?P<name>[^"\\]+)\\*".*does not exist; cannot merge or replace'),
}
"""The error of kustomize about an entry of a field that refers to a missing object, with the name in the entry."""
_GENERATED: Final = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}
_ADDING: Final = ("merge", "replace")
IsUnmatched: TypeAlias = Callable[[str, Json], bool]
"""Returns whether an entry of a field, or a document of a patch, has no target."""


@dataclass(frozen=True, slots=True)
class _Name:
    """An object of a kustomization by its kind and name; an empty text stands for any."""

    kind: str
    name: str

    def is_target(self, kind: str, name: str) -> bool:
        """Return whether an entry may mean the object, whose name may have got a prefix or a suffix."""
        return (not kind or kind == self.kind) and (not name or self.name in name or name in self.name)


def without_entries_of_missing_objects(tree: PartialTree) -> PartialTree:
    """Return the tree without the entries whose target is not among the objects of its files and generators."""
    names = frozenset(_names(tree))
    generated = frozenset(one for one in names if one.kind in _GENERATED.values())

    def has_target(kind: str, name: str) -> bool:
        return any(one.is_target(kind, name) for one in names)

    def is_unmatched(field: str, value: Json) -> bool:
        own = mapping(value)
        match field:
            case "patches" | "patchesStrategicMerge":
                return not has_target(text_at(own, "kind"), text_at(own, "metadata", "name"))
            case "replicas":
                return not any(one.is_target("", text_at(own, "name")) for one in names - generated)
            case "replacements" | "vars":
                source = mapping(own.get("source" if field == "replacements" else "objref"))
                return bool(source) and not has_target(text_at(source, "kind"), text_at(source, "name"))
            case "configMapGenerator" | "secretGenerator":
                is_adding = text_at(own, "behavior") in _ADDING
                return is_adding and not has_target(_GENERATED[field], text_at(own, "name"))
            case _:
                return False

    return _without_entries(tree, is_unmatched) or tree


def _names(tree: PartialTree) -> Iterator[_Name]:
    """Yield the objects in the resources of all kustomizations, and those that their generators create."""
    amended = tree.amended
    for path in filter(is_kustomization, amended):
        document, read = only_document(amended[path]) or {}, text_reader(path, amended)
        files = (one for one in items(document.get("resources")) if isinstance(one, str))
        for one in (each for file in files for each in _objects(read(file)) if text_at(each, "metadata", "name")):
            yield _Name(text_at(one, "kind"), text_at(one, "metadata", "name"))
        for field, kind in _GENERATED.items():
            created = (one for one in items(document.get(field)) if text_at(one, "behavior") not in _ADDING)
            yield from (_Name(kind, text_at(one, "name")) for one in created)
        if document.get("generators"):
            yield _Name("ConfigMap", "")
            yield _Name("Secret", "")


def _objects(text: bytes) -> Iterator[Json]:
    for one in all_documents(text):
        yield from (one, *items(mapping(one).get("items")))


def without_unmatched(tree: PartialTree, complaint: str) -> PartialTree | None:
    """Return the tree without the entries that kustomize complains about, or ``None`` if there are none.

    The target of such an entry, or the source of a replacement, is missing.
    """
    is_unmatched = _unmatched_predicate(complaint)
    return _without_entries(tree, is_unmatched) if is_unmatched else None


def _without_entries(tree: PartialTree, is_unmatched: IsUnmatched) -> PartialTree | None:
    documents, dropped = dict(tree.documents), list[UnmatchedEntry]()
    for path in sorted(including(references_of(tree.texts), (part.file for part in tree.parts))):
        document = documents.get(path) or only_document(tree.texts[path]) or {}
        for name, entries in document.items():
            kept, lost = _split_entries(name, items(entries), is_unmatched, text_reader(path, tree.texts))
            if lost:
                documents[path] = {**documents.get(path, document), name: kept}
                dropped += (UnmatchedEntry(path, name, one) for one in lost)
    return replace(tree, documents=documents, unmatched=(*tree.unmatched, *dropped)) if dropped else None


def _unmatched_predicate(complaint: str) -> IsUnmatched | None:
    patch = _UNMATCHED_PATCH.search(complaint)
    if patch:
        return lambda name, value: name.startswith("patches") and _id(mapping(value)) == patch["id"]
    for suffix, pattern in _UNMATCHED_NAMES.items():
        found = pattern.search(complaint)
        if found:
            return _named_predicate(suffix, found["name"])
    return None


def _named_predicate(suffix: str, wanted: str) -> IsUnmatched:
    def is_named(name: str, value: Json) -> bool:
        own = mapping(value).get("source") if suffix == "replacements" else value
        return name.endswith(suffix) and text_at(own, "name") == wanted

    return is_named


def _id(patch: JsonObject) -> str:
    """Return the name of the target of a patch as kustomize prints it (``ResId.String``)."""
    group, _, version = text_at(patch, "apiVersion").rpartition("/")
    names = mapping(patch.get("metadata"))
    gvk = f"{text_at(patch, 'kind') or '[noKind]'}.{version or '[noVer]'}.{group or '[noGrp]'}"
    return f"{gvk}/{text_at(names, 'name') or '[noName]'}.{text_at(names, 'namespace') or '[noNs]'}"


def _split_entries(
    name: str, entries: Sequence[Json], is_unmatched: IsUnmatched, read: Callable[[str], bytes]
) -> tuple[list[Json], list[Json]]:
    """Return the entries to keep, and those that match nothing; of a patch with several documents only some may."""
    kept, lost = list[Json](), list[Json]()
    for entry in entries:
        is_patch = name.startswith("patches") and "target" not in mapping(entry)
        documents = [*patch_documents(entry, read)] if is_patch else []
        unmatched = [one for one in (documents if name.startswith("patches") else [entry]) if is_unmatched(name, one)]
        if not unmatched:
            kept.append(entry)
            continue
        lost += unmatched
        kept += (_inline(entry, one) for one in documents if one not in unmatched)
    return kept, lost


def _inline(entry: Json, document: JsonObject) -> Json:
    text = json.dumps(document)
    if not isinstance(entry, dict):
        return text
    return {**{key: value for key, value in entry.items() if key != "path"}, "patch": text}
