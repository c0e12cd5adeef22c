"""The settings of Argo CD in files: in the ConfigMap, in values of its chart, or in the object of its operator."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, text_at
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.declarations import ARGO_GROUP
from kubectl_applylint.tools.argocd.settings import (
    BUILD_OPTIONS,
    EXCLUSIONS,
    FLAGS,
    IN_YAML,
    INCLUSIONS,
    LABEL_KEY,
    PARAMETERS,
    SETTINGS,
    TRACKING_METHOD,
    is_read,
)
from kubectl_applylint.units.reading import is_too_deep, read

WORDS: Final = (
    *(SETTINGS, TRACKING_METHOD, LABEL_KEY, *IN_YAML, BUILD_OPTIONS, "kustomize.path.", "configManagementPlugins"),
    *FLAGS,
    *("resourceTrackingMethod", "resourceExclusions", "resourceInclusions", "kustomizeBuildOptions"),
)
"""A file with settings contains one of these."""
_WORDS: Final = tuple(word.encode() for word in WORDS)
_BORDER: Final = regex(rb"(?m)^---")
_OF_OPERATOR: Final = {
    "resourceTrackingMethod": TRACKING_METHOD,
    "applicationInstanceLabelKey": LABEL_KEY,
    "resourceExclusions": EXCLUSIONS,
    "resourceInclusions": INCLUSIONS,
    "kustomizeBuildOptions": BUILD_OPTIONS,
}
"""The fields of an ``ArgoCD`` object of the operator that become settings."""


def settings_in(texts: Mapping[str, bytes], namespace: str) -> Iterator[JsonObject]:
    """Yield the data of each ConfigMap with settings for a namespace that files have or a chart or operator makes.

    Values of the chart argo-cd have the data in ``configs.cm``, wherever the values are written.
    """
    for path in sorted(texts):
        # Manifests of a whole installation are large, and few of their objects have settings.
        parts = (part for part in _BORDER.split(texts[path]) if any(word in part for word in _WORDS))
        for document in chain.from_iterable(read(path, part) for part in parts):
            if not is_too_deep(document.object):
                yield from filter(None, map(known_settings, _data_of(document.object, namespace)))


def known_settings(data: JsonObject) -> JsonObject:
    """Return the data of the ConfigMap that predictions depend on, with parsed YAML; nothing else of it is kept."""
    return {key: _value(key, value) for key, value in data.items() if is_read(key) and _is_plain(value)}


def _data_of(item: JsonObject, namespace: str) -> Iterator[JsonObject]:
    home = text_at(item, "metadata", "namespace")
    is_here = not home or not namespace or home == namespace
    kind = (text_at(item, "apiVersion").partition("/")[0], text_at(item, "kind"))
    if kind == ("v1", "ConfigMap"):
        is_named = text_at(item, "metadata", "name") in (SETTINGS, PARAMETERS)
        yield from [mapping(item.get("data"))] if is_named and is_here else ()
    elif kind == (ARGO_GROUP, "ArgoCD"):
        spec = mapping(item.get("spec"))
        own = {name: spec[key] for key, name in _OF_OPERATOR.items() if key in spec}
        yield from [{**own, **mapping(spec.get("extraConfig"))}] if is_here else ()
    else:
        yield from _chart_settings(item)


def _chart_settings(value: Json) -> Iterator[JsonObject]:
    """Yield each ``configs.cm`` and ``configs.params`` in a value, and in the values of charts in its texts."""
    if isinstance(value, str) and "configs:" in value and ("cm:" in value or "params:" in value):
        inner = first_document(value.encode())
        yield from () if isinstance(inner, str) or is_too_deep(inner) else _chart_settings(inner)
    elif isinstance(value, dict):
        found = (dig(value, "configs", name) for name in ("cm", "params"))
        yield from (one for one in found if isinstance(one, dict))
        for one in value.values():
            yield from _chart_settings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _chart_settings(one)


def _value(key: str, value: Json) -> Json:
    return first_document(value.encode()) if key.startswith(IN_YAML) and isinstance(value, str) else value


def _is_plain(value: Json) -> bool:
    """Return whether a value is none that a template or a patch makes."""
    return not isinstance(value, str) or ("{{" not in value and "$(" not in value)
