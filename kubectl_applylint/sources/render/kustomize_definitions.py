"""Removes the schemas of CustomResourceDefinitions before rendering, and puts them back afterwards.

Most of the output of large kustomizations are schemas, which kustomize leaves unchanged but which cost it a third of a
second per megabyte. This is safe only if every patch names its target: a patch of definitions, a plugin or a
replacement could change schemas.
"""

import posixpath
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.gotext import encode
from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, objects_at, text_at
from kubectl_applylint.sources.render.kustomize_positions import SourcePositions
from kubectl_applylint.sources.text.classify import is_kustomization
from kubectl_applylint.sources.text.manifests import Input, first_document, read_text

_DEFINITION: Final = "CustomResourceDefinition"
_VERSION: Final = "apiextensions.k8s.io/v1"
_LARGE: Final = 20_000
"""Minimum size of a file, in bytes, for removing its schemas."""
_LEAVING_SCHEMAS: Final = frozenset(
    (
        *(
            "apiversion",
            "kind",
            "metadata",
            "resources",
            "bases",
            "components",
            "namespace",
            "nameprefix",
            "namesuffix",
        ),
        *("images", "replicas", "commonlabels", "labels", "commonannotations", "configmapgenerator", "secretgenerator"),
        *("generatoroptions", "sortoptions", "buildmetadata", "patches", "patchesstrategicmerge", "patchesjson6902"),
        *("vars", "configurations"),
    )
)
"""The keys of kustomizations, in lower case, that change no schema unless a patch or a path in them refers to one."""
_VERSIONS: Final = "spec/versions"
"""The start of paths to schemas in configurations of kustomize."""
_LABELS: Final = frozenset(("pairs", "includeselectors", "includetemplates"))
_ONE_KIND: Final = regex(r"[A-Za-z]+")
"""A kind that is no pattern: kustomize treats the kind of a target as a regular expression."""


@dataclass(frozen=True, slots=True)
class StrippedDefinitions:
    """A file of definitions without their schemas."""

    text: bytes = field(repr=False)
    schemas: Mapping[str, Mapping[str, Json]] = field(repr=False)
    """By the name of the definition and of its version, with sorted keys, as kustomize prints all objects."""


def strip_schemas(texts: Mapping[str, bytes]) -> Mapping[str, StrippedDefinitions]:
    """Return the large files of definitions without their schemas, by path; none if the kustomization may change
    schemas.
    """
    large = {path: text for path, text in texts.items() if len(text) >= _LARGE and _DEFINITION.encode() in text}
    found = {path: slim for path, text in large.items() if (slim := _strip_file(text))}
    if not found or not all(_leaves_schemas(path, texts) for path in texts if is_kustomization(path)):
        return {}
    return found


def with_schemas(rendered: JsonObject, schemas: Mapping[str, Json]) -> JsonObject | None:
    """Return a rendered definition with the schemas of its versions, or ``None`` if it has other versions."""
    versions = objects_at(rendered, "spec", "versions")
    if [version.get("name") for version in versions] != [*schemas]:
        return None
    whole = [_sort_keys({**version, "schema": schemas[version["name"]]}, levels=1) for version in versions]
    return {**rendered, "spec": {**rendered["spec"], "versions": whole}}


@lru_cache(maxsize=1024)
def _strip_file(content: bytes) -> StrippedDefinitions | None:
    """Return a file of definitions without their schemas, or ``None`` for any other file."""
    read = read_text(content, "")
    objects = [document.object for document in read.documents]
    if read.problems or read.skipped or not objects or not all(map(_is_plain, objects)):
        return None
    schemas = {item["metadata"]["name"]: _schemas(item) for item in objects}
    if len(schemas) < len(objects):
        return None
    return StrippedDefinitions("\n---\n".join(map(encode, map(_without_schemas, objects))).encode() + b"\n", schemas)


def _is_plain(item: JsonObject) -> bool:
    """Return whether an object is a definition with a name, whose versions all have names and schemas."""
    versions = objects_at(item, "spec", "versions")
    names = [version.get("name") for version in versions]
    is_whole = all(isinstance(name, str) for name in names) and len({*map(str, names)}) == len(names) > 0
    is_one = (
        item.get("kind") == _DEFINITION and item.get("apiVersion") == _VERSION and text_at(item, "metadata", "name")
    )
    return bool(is_one) and is_whole and all(isinstance(version.get("schema"), dict) for version in versions)


def _schemas(item: JsonObject) -> Mapping[str, Json]:
    return {version["name"]: _sort_keys(version["schema"]) for version in objects_at(item, "spec", "versions")}


def _without_schemas(item: JsonObject) -> JsonObject:
    versions = [
        {key: value for key, value in version.items() if key != "schema"}
        for version in objects_at(item, "spec", "versions")
    ]
    return {**item, "spec": {**item["spec"], "versions": versions}}


def _sort_keys(value: Json, *, levels: int = 1000) -> Json:
    """Return a value with the keys of its maps sorted, down to some level."""
    if levels and isinstance(value, dict):
        return {key: _sort_keys(value[key], levels=levels - 1) for key in sorted(value)}
    return [_sort_keys(item, levels=levels - 1) for item in value] if levels and isinstance(value, list) else value


def _leaves_schemas(path: str, texts: Mapping[str, bytes]) -> bool:
    """Return whether a kustomization cannot change the schema of a definition."""
    content = _lower_keys(first_document(texts[path]))
    labels = (_lower_keys(each).keys() <= _LABELS for each in items(content.get("labels")))
    if not content.keys() <= _LEAVING_SCHEMAS or not all(labels):
        return False
    folder = posixpath.dirname(path)
    configurations = (texts.get(_join(folder, name)) for name in items(content.get("configurations")))
    is_plain = all(text is not None and not _names_versions(first_document(text)) for text in configurations)
    return is_plain and all(_patches_no_definition(patch, folder, texts) for patch in _patches(content))


def _lower_keys(value: Json) -> JsonObject:
    """Return a map with its keys in lower case: Go ignores their case."""
    return {key.casefold(): inner for key, inner in mapping(value).items()}


def _join(folder: str, name: Json) -> str:
    return posixpath.normpath(posixpath.join(folder, str(name)))


def _names_versions(value: Json) -> bool:
    """Return whether a configuration has a path into the versions of definitions."""
    if isinstance(value, dict):
        path = _lower_keys(value).get("path")
        is_inside = isinstance(path, str) and path.strip("/").startswith(_VERSIONS)
        return is_inside or any(map(_names_versions, value.values()))
    return isinstance(value, list) and any(map(_names_versions, value))


def _patches(content: JsonObject) -> Iterator[Json]:
    for name in ("patches", "patchesstrategicmerge", "patchesjson6902"):
        found = content.get(name)
        yield from found if isinstance(found, list) else [found] * (found is not None)


def _patches_no_definition(patch: Json, folder: str, texts: Mapping[str, bytes]) -> bool:
    """Return whether a patch applies only to objects that are no definitions, by its target or its own kind."""
    known = _lower_keys(patch)
    if "target" in known:
        kind = _lower_keys(known["target"]).get("kind")
        return isinstance(kind, str) and _ONE_KIND.fullmatch(kind) is not None and kind != _DEFINITION
    text_or_path = patch if isinstance(patch, str) else known.get("patch", known.get("path"))
    if not isinstance(text_or_path, str):
        return False
    text = text_or_path.encode() if "\n" in text_or_path else texts.get(_join(folder, text_or_path))
    return text is not None and _kinds(text).isdisjoint({_DEFINITION, None})


def _kinds(text: bytes) -> frozenset[str | None]:
    """Return the kinds of the objects in a text, with ``None`` for an object without one."""
    read = read_text(text, "")
    kinds: Iterable[str | None] = (document.ref.kind for document in read.documents)
    return frozenset(kinds) if read.documents and not (read.problems or read.skipped) else frozenset({None})


def with_all_schemas(found: Input, slim: Mapping[str, StrippedDefinitions]) -> Input | None:
    """Return the rendered input with the schemas of its definitions put back, or ``None`` on failure.

    Then the original files are rendered, so that error messages refer to them.
    """
    if found.problems:
        return None
    documents: list[Document] = []
    for document in found.documents:
        if document.file not in slim:
            # Without an origin, a definition may be one of those that were stripped.
            if document.ref.kind == _DEFINITION and document.source is None:
                return None
            documents.append(document)
            continue
        named = slim[document.file].schemas.get(document.source["metadata"]["name"]) if document.source else None
        whole = with_schemas(document.object, named) if named else None
        if whole is None:
            return None
        positions = document.positions
        positions = replace(positions, rendered=whole) if isinstance(positions, SourcePositions) else positions
        documents.append(replace(document, object=whole, positions=positions))
    return replace(found, documents=tuple(documents))
