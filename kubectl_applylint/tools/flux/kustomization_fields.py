"""The fields of kustomization files that Flux keeps: it reads them into the Go type and writes that.

From the type ``Kustomization`` of ``sigs.k8s.io/kustomize/api/types`` 0.21; a test compares the table with it.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from kubectl_applylint.core.values import Json, JsonObject

Fields: TypeAlias = Mapping[str, "Fields | None"]
"""The fields of a type; ``None`` for values without fields of their own, and for maps with any keys."""


def _plain(names: str) -> Fields:
    return dict.fromkeys(names.split())


_OPTIONS: Final = _plain("annotations disableNameSuffixHash immutable labels")
_SOURCES: Final[Fields] = {**_plain("behavior env envs files literals name namespace"), "options": _OPTIONS}
_SELECTOR: Final = _plain("annotationSelector group kind labelSelector name namespace version")
_PATCH: Final[Fields] = {
    **_plain("patch path"),
    "options": _plain("allowKindChange allowNameChange"),
    "target": _SELECTOR,
}
_IMAGE: Final = _plain("digest name newName newTag tagSuffix")
_PLACE: Final = _plain("create delimiter encoding index")
KUSTOMIZATION: Final[Fields] = {
    **_plain("apiVersion bases buildMetadata commonAnnotations commonLabels components configurations crds generators"),
    **_plain("kind namePrefix nameSuffix namespace openapi patchesStrategicMerge resources transformers validators"),
    "configMapGenerator": _SOURCES,
    "generatorOptions": _OPTIONS,
    "helmChartInflationGenerator": _plain(
        "chartHome chartName chartRepoName chartRepoUrl chartVersion extraArgs helmBin helmHome releaseName "
        "releaseNamespace values valuesLocal valuesMerge"
    ),
    "helmCharts": _plain(
        "additionalValuesFiles apiVersions debug devel includeCRDs kubeVersion name nameTemplate namespace releaseName "
        "repo skipHooks skipTests valuesFile valuesInline valuesMerge version"
    ),
    "helmGlobals": _plain("chartHome configHome"),
    "imageTags": _IMAGE,
    "images": _IMAGE,
    "labels": {
        **_plain("includeSelectors includeTemplates pairs"),
        "fields": _plain("create group kind path version"),
    },
    "metadata": _plain("annotations labels name namespace"),
    "patches": _PATCH,
    "patchesJson6902": _PATCH,
    "replacements": {
        **_plain("path sourceValue"),
        "source": {**_plain("fieldPath group kind name namespace version"), "options": _PLACE},
        "targets": {"fieldPaths": None, "options": _PLACE, "reject": _SELECTOR, "select": _SELECTOR},
    },
    "replicas": _plain("count name"),
    "secretGenerator": {**_SOURCES, "type": None},
    "sortOptions": {"legacySortOptions": _plain("orderFirst orderLast"), "order": None},
    "vars": {
        "fieldref": _plain("fieldPath"),
        "name": None,
        "objref": _plain("apiVersion group kind name namespace version"),
    },
}


def known_fields(value: JsonObject, fields: Fields = KUSTOMIZATION) -> Mapping[str, Json]:
    """Return an object with the fields of its type alone, named as there: Go ignores the case of keys."""
    names = {name.casefold(): name for name in fields}
    found = ((names.get(key.casefold(), ""), item) for key, item in value.items() if item is not None)
    return {name: _known(item, fields[name]) for name, item in found if name}


def _known(value: Json, fields: Fields | None) -> Json:
    if fields is None:
        return value
    if isinstance(value, list):
        return [_known(item, fields) for item in value]
    return known_fields(value, fields) if isinstance(value, dict) else value
