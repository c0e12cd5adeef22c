"""Files that change how Argo CD renders a path: overrides of options, Jsonnet, and those of other tools."""

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, text_at, texts_at
from kubectl_applylint.sources.render.chart_files import CHART
from kubectl_applylint.sources.text.classify import KUSTOMIZATION_FILES
from kubectl_applylint.tools.argocd.application_sources import GLOB, ApplicationSource, source_folders, sources_of
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.reading import boolean_at
from kubectl_applylint.units.remotes import is_same_repository

OVERRIDES: Final = ".argocd-source.yaml"
"""The file with options for all Applications that have a path."""
JSONNET: Final = ".jsonnet"
JSONNET_LIBRARY: Final = ".libsonnet"
SKIPPED: Final = "# +argocd:skip-file-rendering"
"""The mark of a manifest that is not applied."""
_SPECIAL: Final = regex(
    r"(?:.*/)?(?:\.argocd-source[^/]*\.yaml|[^/]*\.jsonnet|kustomization\.ya?ml|Kustomization|Chart\.yaml)"
)
_OF_RENDERERS: Final = frozenset({CHART, *KUSTOMIZATION_FILES})
"""The files of a path that Helm or kustomize renders."""

SpecialFiles: TypeAlias = Mapping[str, frozenset[str]]
"""The names of such files by their folder."""


def overrides_of(name: str) -> str:
    """Return the name of the file with options for one Application."""
    return f".argocd-source-{name}.yaml"


@lru_cache(maxsize=2)
def special_files(files: frozenset[str]) -> SpecialFiles:
    """Return the special files of a repository; they are the same for all of its Applications."""
    found: dict[str, set[str]] = {}
    for path in filter(_SPECIAL.fullmatch, files):
        folder, name = posixpath.split(path)
        found.setdefault(folder, set()).add(name)
    return {folder: frozenset(names) for folder, names in found.items()}


def has_special_files(application: JsonObject, special: SpecialFiles) -> bool:
    """Return whether a source of an Application is rendered in another way than the layout of its path shows."""
    names = {OVERRIDES, overrides_of(text_at(application, "metadata", "name"))}
    return any(_is_special(one, names, special) for one in sources_of(application) if one.path)


def folders_of_absent_tools(application: JsonObject, special: SpecialFiles) -> Iterator[str]:
    """Yield the folders without a chart and a kustomization whose source names Helm or kustomize: Argo CD fails."""
    for source in sources_of(application):
        folder = resolve_reference("", source.path) if source.path else None
        names = special.get(folder, frozenset()) if folder is not None else _OF_RENDERERS
        if folder is not None and names.isdisjoint(_OF_RENDERERS) and _has_other_tool(source, names):
            yield folder


def may_evaluate_jsonnet(application: JsonObject, files: Iterable[str]) -> bool:
    """Return whether a path of an Application has some of ``files``, which are in Jsonnet, or a folder of them."""
    folders = source_folders(application)
    return any(path.startswith(folders) for path in files if path.endswith(JSONNET))


def missing_value_files(
    application: JsonObject, files: Collection[str], special: SpecialFiles, remotes: Collection[str] = ()
) -> Iterator[str]:
    """Yield the value files of the charts of an Application that the repository with these ``remotes`` does not have.

    Those in other repositories, URLs and patterns are left out.
    """
    every = sources_of(application)
    own = (one for one in every if one.path and is_same_repository(one.url, remotes))
    sources = ((resolve_reference("", one.path), one) for one in own)
    charts = ((folder, one) for folder, one in sources if folder is not None and CHART in special.get(folder, ()))
    named = ((folder, name) for folder, one in charts for name in texts_at(one.options, "helm", "valueFiles"))
    references = {f"${one.ref}": is_same_repository(one.url, remotes) for one in every if one.ref}
    for folder, name in named:
        first, _, rest = name.partition("/")
        if "://" in name or GLOB.search(name) or not references.get(first, True):
            continue
        start, path = ("", rest) if first in references else (folder, name)
        if _value_file(start, path) not in files:
            yield posixpath.join(start, path)


def _value_file(folder: str, name: str) -> str | None:
    """Return the path of a value file; one that begins with ``/`` is relative to the root of the repository."""
    return resolve_reference("", name[1:]) if name.startswith("/") else resolve_reference(folder, name)


def _is_special(source: ApplicationSource, overrides: Collection[str], special: SpecialFiles) -> bool:
    folder = resolve_reference("", source.path)
    if folder is None:
        return False
    names = special.get(folder, frozenset())
    if not names.isdisjoint(overrides):
        return True
    if not names.isdisjoint(_OF_RENDERERS):
        return _has_other_tool(source, names)
    return any(name.endswith(JSONNET) for _, below in special_names(source, special) for name in below)


def special_names(source: ApplicationSource, special: SpecialFiles) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the folders with special files that a source with plain manifests reads, each with their names."""
    folder = resolve_reference("", source.path)
    is_recursive = boolean_at(source.options, "directory", "recurse") is True
    start = f"{folder}/" if folder else ""
    for path, names in special.items():
        if path == folder or (is_recursive and path.startswith(start)):
            yield path, names


def _has_other_tool(source: ApplicationSource, names: frozenset[str]) -> bool:
    """Return whether the options of a source choose a tool, or its folder has files of several."""
    tools = {
        "kustomize": not names.isdisjoint(KUSTOMIZATION_FILES),
        "helm": CHART in names,
        "directory": names.isdisjoint(_OF_RENDERERS),
    }
    named = [tool for tool in tools if source.options.get(tool) is not None]
    return any(not tools[tool] for tool in named) or (tools["kustomize"] and tools["helm"])
