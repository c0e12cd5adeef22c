"""Kustomizations without the parts that cannot be rendered here.

Each such part is an entry of a kustomization: a remote base, a file that does not exist, a plugin. It is left out of
the texts that are rendered, and so are patches whose target is missing then, as kustomize fails on these.
"""

import json
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.paths import Field, Index, Path, render
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.values import Json, JsonObject, items, text_at
from kubectl_applylint.sources.render.locality import BrokenReference, UnrenderableReason
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES, is_kustomization
from kubectl_applylint.sources.text.manifests import all_documents, decode
from kubectl_applylint.sources.text.stream import pieces
from kubectl_applylint.sources.text.yaml_events import YamlError

BASES: Final = ("resources", "bases", "components")
"""The fields that refer to other kustomizations."""
GENERATORS: Final = ("configMapGenerator", "secretGenerator")
CHARTS: Final = ("helmCharts", "helmChartInflationGenerator")
_SOURCES: Final = (*BASES, "generators", "transformers", "validators", *GENERATORS, *CHARTS)


@dataclass(frozen=True, slots=True)
class MissingPart:
    """An entry of a kustomization that is not rendered, with the first reason."""

    fault: BrokenReference
    name: str
    """The field of the kustomization, as it is written."""
    path: Path
    value: Json = field(repr=False)

    @property
    def file(self) -> str:
        """The kustomization."""
        return self.fault.kustomization

    def __str__(self) -> str:
        text = "" if self.fault.text.startswith("{") else self.fault.text.partition("\n")[0][:200]
        return ": ".join(filter(None, (render(self.path), text, self.fault.reason.value)))


@dataclass(frozen=True, slots=True)
class UnmatchedEntry:
    """An entry of a kustomization that is left out, as its target is missing."""

    file: str
    """The kustomization."""
    name: str
    """The field."""
    value: Json = field(repr=False)


@dataclass(frozen=True, slots=True)
class PartialTree:
    """The texts of kustomizations without their missing parts."""

    texts: Mapping[str, bytes] = field(repr=False)
    parts: tuple[MissingPart, ...]
    documents: Mapping[str, JsonObject] = field(repr=False, default_factory=dict)
    """The kustomizations that differ from the original ones, by path."""
    unmatched: tuple[UnmatchedEntry, ...] = field(repr=False, default=())
    sources: Mapping[str, str] = field(repr=False, default_factory=dict)
    """The files that are copies of objects of others, with these."""

    @property
    def amended(self) -> Mapping[str, bytes]:
        """The texts to render."""
        own = {path: json.dumps(document).encode() for path, document in self.documents.items()}
        return {**self.texts, **own}


def without_missing_parts(texts: Mapping[str, bytes], faults: Iterable[BrokenReference]) -> PartialTree | None:
    """Return the kustomizations among some files without the parts with faults, or ``None`` if this is impossible."""
    parts: dict[tuple[str, Path], MissingPart] = {}
    documents: dict[str, JsonObject] = {}
    for fault in faults:
        document = documents.get(fault.kustomization) or only_document(texts.get(fault.kustomization, b""))
        if not fault.entry or not isinstance(fault.entry[0], Field) or document is None:
            return None
        if fault.reason is UnrenderableReason.UNREADABLE:
            return None
        documents[fault.kustomization] = document
        name, path = fault.entry[0].name, _entry_path(fault.entry)
        value = document.get(name) if len(path) == 1 else items(document.get(name))[_position(path)]
        parts.setdefault((fault.kustomization, path), MissingPart(fault, name, path, value))
    for file, path in sorted(parts, key=lambda key: (key[0], -_position(key[1]))):
        documents[file] = _without_entry(documents[file], path)
    return PartialTree(texts, tuple(parts.values()), documents)


def only_document(text: bytes) -> JsonObject | None:
    """Return the document of a kustomization, or ``None`` if it has none, several, or is no map."""
    try:
        values = [piece.value for piece in pieces(decode(text)[0])]
    except YamlError:
        return None
    return values[0] if len(values) == 1 and isinstance(values[0], dict) else None


def _entry_path(path: Path) -> Path:
    return path[:2] if len(path) > 1 and isinstance(path[1], Index) else path[:1]


def _position(path: Path) -> int:
    step = path[-1]
    return step.position if isinstance(step, Index) else 0


def _without_entry(document: JsonObject, path: Path) -> JsonObject:
    name = path[0].name if isinstance(path[0], Field) else ""
    if len(path) == 1:
        return {key: value for key, value in document.items() if key != name}
    kept = [one for position, one in enumerate(items(document.get(name))) if position != _position(path)]
    return {**document, name: kept}


def count_parts(texts: Mapping[str, bytes]) -> int:
    """Return the number of entries from which the kustomizations among some files take or generate objects."""
    return sum(_count_entries(path, texts) for path in texts if is_kustomization(path))


def _count_entries(path: str, texts: Mapping[str, bytes]) -> int:
    document, folder = only_document(texts[path]) or {}, posixpath.dirname(path)
    entries = [one for name in _SOURCES for one in items(document.get(name))]
    return sum(not (isinstance(one, str) and kustomization_at(folder, one, texts)) for one in entries)


def kustomization_at(folder: str, reference: str, texts: Collection[str]) -> str:
    """Return the kustomization in the folder that a reference leads to, empty if there is none."""
    inside = posixpath.normpath(posixpath.join(folder, reference))
    places = (posixpath.join("" if inside == "." else inside, name) for name in KUSTOMIZATION_FILES)
    return next((place for place in places if place in texts), "")


@dataclass(frozen=True, slots=True)
class References:
    """The kustomizations that another one lists, by path."""

    bases: frozenset[str]
    components: frozenset[str]


def references_of(texts: Mapping[str, bytes]) -> Mapping[str, References]:
    """Return what each kustomization among some files lists, by its path."""
    paths = [path for path in texts if is_kustomization(path)]
    documents = {path: only_document(texts[path]) or {} for path in paths}
    return {
        path: References(
            _listed_kustomizations(path, one, ("resources", "bases"), texts),
            _listed_kustomizations(path, one, ("components",), texts),
        )
        for path, one in documents.items()
    }


def _listed_kustomizations(
    path: str, document: JsonObject, fields: Iterable[str], texts: Collection[str]
) -> frozenset[str]:
    names = (one for field in fields for one in items(document.get(field)) if isinstance(one, str))
    return frozenset(kustomization_at(posixpath.dirname(path), one, texts) for one in names) - {""}


def including(references: Mapping[str, References], files: Iterable[str]) -> frozenset[str]:
    """Return some kustomizations, those that include them, and the components of all of these.

    These are the kustomizations that may change objects of ``files``.
    """
    found = frozenset(files)
    while True:
        more = {path for path, one in references.items() if found & (one.bases | one.components)}
        more |= {component for path in found if path in references for component in references[path].components}
        if more <= found:
            return found
        found |= more


def changed_by(references: Mapping[str, References], file: str) -> frozenset[str]:
    """Return the kustomizations whose objects one may change: its bases, and for a component those that include it."""
    found = frozenset((file,))
    while True:
        own = [one for path, one in references.items() if path in found]
        more = frozenset[str]().union(*(one.bases | one.components for one in own))
        more |= {path for path, one in references.items() if found & one.components}
        if more <= found:
            return found
        found |= more


def text_reader(path: str, texts: Mapping[str, bytes]) -> Callable[[str], bytes]:
    """Return a function that returns the content of a file that a kustomization names, empty if it is missing."""
    folder = posixpath.dirname(path)
    return lambda name: texts.get(posixpath.normpath(posixpath.join(folder, name)), b"")


def patch_documents(entry: Json, read: Callable[[str], bytes]) -> Iterator[JsonObject]:
    """Yield the documents of a strategic merge patch, which is a file or an inline text."""
    text = entry if isinstance(entry, str) else text_at(entry, "patch")
    path = entry if isinstance(entry, str) else text_at(entry, "path")
    content = (read(path) if path and "\n" not in path else b"") or text.encode()
    return (one for one in all_documents(content) if isinstance(one, dict))
