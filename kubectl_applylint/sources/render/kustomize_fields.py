"""The fields of kustomizations and of kustomize's built-in plugins whose values are paths.

A test compares the tables with the Go types of ``sigs.k8s.io/kustomize/api``.
"""

import posixpath
from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Final

from kubectl_applylint.core.paths import Field, Index, Path
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, text_at


class Use(Enum):
    """How kustomize uses a value."""

    FILE = auto()
    """Reads a file (``Loader.Load``), or fetches a URL."""
    KEYED_FILE = auto()
    """As ``FILE``, with an optional ``KEY=`` in front."""
    FILE_OR_TEXT = auto()
    """As ``FILE``, unless the value is an inline patch."""
    RESOURCE = auto()
    """Reads a file, else builds a folder, else clones a repository (``accumulateResources``)."""
    FOLDER = auto()
    """Builds a folder, or clones a repository (``accumulateComponents``)."""
    PLUGIN = auto()
    """As ``RESOURCE``, or an inline value. Either configures plugins, which may read files themselves."""
    CHART = auto()
    """Renders a chart with Helm, which may pull it from a remote repository."""


_SOURCES: Final = {"files[]": Use.KEYED_FILE, "envs[]": Use.FILE, "env": Use.FILE}
"""The data sources of ConfigMap and Secret generators (``KvPairSources``)."""
KUSTOMIZATION: Final[Mapping[str, Use]] = {
    "resources[]": Use.RESOURCE,
    "bases[]": Use.RESOURCE,
    "components[]": Use.FOLDER,
    "crds[]": Use.FILE,
    "configurations[]": Use.FILE,
    "openapi.path": Use.FILE,
    "patches[].path": Use.FILE,
    "patchesJson6902[].path": Use.FILE,
    "patchesStrategicMerge[]": Use.FILE_OR_TEXT,
    "replacements[].path": Use.FILE,
    **{f"configMapGenerator[].{field}": use for field, use in _SOURCES.items()},
    **{f"secretGenerator[].{field}": use for field, use in _SOURCES.items()},
    "generators[]": Use.PLUGIN,
    "transformers[]": Use.PLUGIN,
    "validators[]": Use.PLUGIN,
    "helmCharts[]": Use.CHART,
    "helmChartInflationGenerator[]": Use.CHART,
}
"""Fields of kustomizations and components; ``helmGlobals`` has no effect without charts."""
GENERATOR_KIND: Final = "HelmChartInflationGenerator"
"""The built-in plugin that renders a chart, as an entry of ``helmCharts`` does."""
PLUGINS: Final[Mapping[str, Mapping[str, Use]]] = {
    "AnnotationsTransformer": {},
    "ConfigMapGenerator": _SOURCES,
    "HashTransformer": {},
    GENERATOR_KIND: {"": Use.CHART},
    "IAMPolicyGenerator": {},
    "ImageTagTransformer": {},
    "LabelTransformer": {},
    "NamespaceTransformer": {},
    "PatchJson6902Transformer": {"path": Use.FILE},
    "PatchStrategicMergeTransformer": {"paths[]": Use.FILE_OR_TEXT},
    "PatchTransformer": {"path": Use.FILE},
    "PrefixSuffixTransformer": {},
    "PrefixTransformer": {},
    "ReplacementTransformer": {"replacements[].path": Use.FILE},
    "ReplicaCountTransformer": {},
    "SecretGenerator": _SOURCES,
    "SuffixTransformer": {},
    "ValueAddTransformer": {"targetFilePath": Use.FILE},
}
"""Fields of the kinds of ``apiVersion: builtin``, by kind."""


@dataclass(frozen=True, slots=True)
class FieldReference:
    """A value that is a reference, and its path in the document."""

    path: Path
    text: str
    use: Use


def references(document: Json, table: Mapping[str, Use]) -> Iterator[FieldReference]:
    """Yield the references in a document.

    As in Go, keys match in any case. A value of the wrong type is still searched for text.
    """
    for field, use in table.items():
        steps = tuple(filter(None, field.replace("[]", ".[]").split(".")))
        for path, value in _values(document, steps, ()):
            if use is Use.CHART:
                yield FieldReference(path, "", use)
            else:
                yield from (FieldReference(inner, text, use) for inner, text in _texts(value, path))


def _values(value: Json, steps: tuple[str, ...], path: Path) -> Iterator[tuple[Path, Json]]:
    if value is None:
        return
    if not steps:
        yield path, value
    elif steps[0] == "[]":
        elements = [((*path, Index(i)), one) for i, one in enumerate(value)] if isinstance(value, list) else []
        for inner, element in elements or ([] if isinstance(value, list) else [(path, value)]):
            yield from _values(element, steps[1:], inner)
    elif isinstance(value, dict):
        for key, element in value.items():
            if key.casefold() == steps[0].casefold():
                yield from _values(element, steps[1:], (*path, Field(key)))


def _texts(value: Json, path: Path) -> Iterator[tuple[Path, str]]:
    match value:
        case str():
            yield path, value
        case list():
            for position, element in enumerate(value):
                yield from _texts(element, (*path, Index(position)))
        case dict():
            for key, element in value.items():
                yield from _texts(element, (*path, Field(key)))
        case _:
            pass


def names_charts(content: bytes) -> bool:
    """Return whether a kustomization or the configuration of a plugin may have charts that kustomize renders."""
    return b"helmCharts" in content or GENERATOR_KIND.encode() in content


def chart_kustomization(configuration: JsonObject) -> JsonObject:
    """Return the kustomization with the entry of ``helmCharts`` that renders what a chart generator configures.

    It is empty if the document is not the configuration of a ``HelmChartInflationGenerator``.
    """
    if configuration.get("apiVersion") != "builtin" or configuration.get("kind") != GENERATOR_KIND:
        return {}
    fields = {key: value for key, value in configuration.items() if key not in ("apiVersion", "kind", "metadata")}
    settings = {key: value for key, value in fields.items() if key in ("chartHome", "configHome")}
    entry = {key: value for key, value in fields.items() if key not in settings}
    return {"helmCharts": [entry], "helmGlobals": settings}


def chart_home(kustomization: JsonObject) -> str:
    """Return the folder that a kustomization takes the charts of ``helmCharts`` from, relative to its own."""
    return posixpath.normpath(text_at(kustomization, "helmGlobals", "chartHome") or "charts")


def chart_folder(kustomization: JsonObject, entry: JsonObject) -> str:
    """Return the folder of the chart of an entry of ``helmCharts``, as kustomize looks for it before it downloads."""
    name, version = text_at(entry, "name"), text_at(entry, "version")
    is_versioned = bool(version and text_at(entry, "repo"))
    return posixpath.join(chart_home(kustomization), *[f"{name}-{version}"] * is_versioned, name)
