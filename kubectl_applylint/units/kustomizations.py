"""Reads the references of kustomizations quickly: a repository may have thousands, and most only list files.

Any text in a kustomization counts as a reference if it is the path of a file or of another kustomization: a false
reference costs nothing, and no changed file is overlooked.
"""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.records import dataclass, field, replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, items, mapping
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.render.kustomize_fields import (
    KUSTOMIZATION,
    Use,
    chart_folder,
    chart_kustomization,
    names_charts,
    references,
)
from kubectl_applylint.sources.text.manifests import first_document

_FOLDERS: Final = {field: use for field, use in KUSTOMIZATION.items() if use in (Use.RESOURCE, Use.FOLDER, Use.PLUGIN)}
"""The fields that may refer to other kustomizations."""
_OF_PLUGINS: Final = {field: use for field, use in KUSTOMIZATION.items() if use is Use.PLUGIN}
_PLUGINS: Final = regex(rb"^[\"']?(?:generators|transformers|validators)\b", re.MULTILINE | re.IGNORECASE)
_LISTS: Final = frozenset(field.removesuffix("[]") for field in _FOLDERS)
_KEY: Final = regex(r"([A-Za-z][A-Za-z0-9]*)[ \t]*:[ \t]*(.*)")
_ITEM: Final = regex(r"[ \t]*-[ \t]+([\w./@+~-]+|\"[^\"\\]+\"|'[^'\\]+')[ \t]*(?:#.*)?")
_COMMENT: Final = regex(r"(?:^|[ \t])#.*", re.MULTILINE)
_WORD: Final = regex(r"\"([^\"\\\n]+)\"|'([^'\\\n]+)'|([^\s:'\"\[\]{},=]+)")
_COMPONENT: Final = regex(r"^kind[ \t]*:[ \t]*[\"']?Component\b", re.MULTILINE)
_FOREIGN: Final = regex(r"^apiVersion[ \t]*:[ \t]*[\"']?(?!kustomize\.config\.k8s\.io/)\S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Kustomization:
    """References of a kustomization, relative to its folder; ``others`` to kustomizations, ``words`` to any file."""

    others: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    is_applied: bool = True
    """Whether it is of kind Kustomization, not a Component."""
    charts: tuple[str, ...] = ()
    """The folders of the charts that kustomize renders, which may be in the repository."""


def read(content: bytes) -> Kustomization:
    """Return the references in the text of a kustomization, none if it cannot be parsed."""
    text = content.decode("utf-8", "replace")
    bare = _COMMENT.sub("", text)
    words = frozenset(next(filter(None, found)) for found in _WORD.findall(bare))
    others = _listed_entries(text)
    is_applied = not _COMPONENT.search(bare) and not _FOREIGN.search(bare)
    charts = _chart_folders(mapping(first_document(content))) if names_charts(content) else ()
    return Kustomization(_parse_references(content) if others is None else others, words, is_applied, charts)


def _chart_folders(document: JsonObject) -> tuple[str, ...]:
    return tuple(chart_folder(document, mapping(entry)) for entry in items(document.get("helmCharts")))


def read_with_plugins(content: bytes, read_file: Callable[[str], bytes]) -> Kustomization:
    """Return the references in the text of a kustomization, with those in its plugin configurations.

    Plugins read files that only their configuration names; ``read_file`` returns the content of a file relative to the
    kustomization, empty if it is missing.
    """
    own = read(content)
    if not _PLUGINS.search(content):
        return own
    named = [reference.text for reference in references(mapping(first_document(content)), _OF_PLUGINS)]
    texts = [read_file(one) or one.encode() for one in named]
    words = (read(text).words for text in texts)
    documents = (chart_kustomization(mapping(first_document(text))) for text in texts if names_charts(text))
    charts = (chart for document in documents for chart in _chart_folders(document))
    return replace(own, words=own.words.union(*words), charts=(*own.charts, *charts))


def _listed_entries(text: str) -> tuple[str, ...] | None:
    """Return the list entries that may refer to kustomizations; ``None`` if the text needs a parser."""
    found, inside = [], False
    for line in text.splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        if line[0] not in " \t-":
            key = _KEY.match(line)
            if key is None:
                inside = False
                continue
            inside = key[1] in _LISTS
            if inside and not key[2].startswith("#") and key[2] not in ("", "[]"):
                return None
        elif inside:
            item = _ITEM.fullmatch(line)
            if item is None:
                return None
            found.append(item[1].strip("\"'"))
    return tuple(found)


def _parse_references(content: bytes) -> tuple[str, ...]:
    document: Json = first_document(content)
    named = (reference.text for reference in references(mapping(document), _FOLDERS))
    return tuple(text for text in named if "\n" not in text)


@dataclass(frozen=True, slots=True)
class Graph:
    """All kustomizations of a revision by folder, and its files."""

    kustomizations: Mapping[str, Kustomization]
    file_of: Mapping[str, str]
    """The path of the kustomization in a folder."""
    has: Callable[[str], bool]
    """Returns whether a path is a file."""
    below: Callable[[str], Iterable[str]]
    """Returns the files below a folder."""
    _closures: dict[str, frozenset[str]] = field(default_factory=dict, repr=False, compare=False)
    """The closures that are known: several steps ask for that of each folder."""

    def roots(self) -> frozenset[str]:
        """Return the folders of root kustomizations: those that no other one refers to."""
        named = {other for folder in self.kustomizations for other in self._others(folder)}
        applied = {folder for folder, one in self.kustomizations.items() if one.is_applied}
        return frozenset(applied - named)

    def closure(self, folder: str) -> frozenset[str]:
        """Return the files of a kustomization, including those of the kustomizations that it refers to."""
        if folder not in self._closures:
            self._closures[folder] = self._closure(folder)
        return self._closures[folder]

    def _closure(self, folder: str) -> frozenset[str]:
        files: set[str] = set()
        seen, todo = {folder}, [folder]
        while todo:
            current = todo.pop()
            files.update(self._files(current))
            more = [other for other in self._others(current) if other not in seen]
            seen.update(more)
            todo += more
        return frozenset(files)

    def used_files(self) -> frozenset[str]:
        """Return the files that belong to any kustomization."""
        return frozenset(path for folder in self.kustomizations for path in self._files(folder))

    def _files(self, folder: str) -> Iterator[str]:
        yield self.file_of[folder]
        start = f"{folder}/" if folder else ""
        for word in self.kustomizations[folder].words:
            path = resolve_reference(folder, word) if "/" in word else start + word
            if path is not None and self.has(path):
                yield path
        for chart in self._charts(folder):
            yield from self.below(chart)

    def charts(self) -> frozenset[str]:
        """Return the folders of the charts in the repository that kustomizations render."""
        return frozenset(chart for folder in self.kustomizations for chart in self._charts(folder))

    def _charts(self, folder: str) -> Iterator[str]:
        paths = (resolve_reference(folder, chart) for chart in self.kustomizations[folder].charts)
        return (path for path in paths if path and self.has(posixpath.join(path, CHART)))

    def _others(self, folder: str) -> Iterator[str]:
        paths = (resolve_reference(folder, other) for other in self.kustomizations[folder].others)
        return (path for path in paths if path is not None and path in self.kustomizations and path != folder)


def resolve_reference(folder: str, reference: str) -> str | None:
    """Return the path of a reference from a folder, or ``None`` if it leads out of the repository."""
    if reference.startswith("/") or "://" in reference:
        return None
    whole = posixpath.normpath(posixpath.join(folder, reference))
    if whole.startswith("../") or whole == "..":
        return None
    return "" if whole == "." else whole
