"""Value files, inline values and release names that Argo CD and Fleet objects set for a chart."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.templates import has_actions
from kubectl_applylint.units.kustomizations import resolve_reference
from kubectl_applylint.units.model import HelmOptions
from kubectl_applylint.units.reading import boolean_at, is_too_deep

_PLAIN_NAME: Final = regex(r"[\w-]+(?:\.[\w-]+)*")
"""Names of parameters that are a path of map keys; others have indexes or escapes."""


def argocd_options(source: Json, sources: Iterable[Json], release: str) -> HelmOptions | None:
    """Return Argo CD's options for a chart, or ``None`` if they contain templates.

    Value files come first, then inline values, then parameters. A file that begins with ``/`` or the name of another
    source (``$values/…``) is relative to the root of that repository, which is assumed to be this one. ``valuesObject``
    overrides ``values``.
    """
    helm = _shallow(dig(source, "helm"))
    if has_actions(json.dumps(helm, default=str)) or has_actions(release):
        return None
    names = {text_at(one, "ref") for one in sources}
    folder = text_at(source, "path")
    files = (_argocd_file(folder, one, names) for one in items(helm.get("valueFiles")) if isinstance(one, str))
    whole = helm.get("valuesObject")
    inline = whole if isinstance(whole, dict) else _shallow(first_document(text_at(helm, "values").encode()))
    values = _merge_values(inline, _parameters(items(helm.get("parameters"))))
    return _options(files, values, text_at(helm, "releaseName") or release)


def fleet_options(helm: Json, folder: str) -> HelmOptions:
    """Return Fleet's options for the chart of a bundle; ``folder`` is that of its ``fleet.yaml``."""
    files = (resolve_reference(folder, one) for one in items(dig(helm, "valuesFiles")) if isinstance(one, str))
    return _options(files, _shallow(dig(helm, "values")), text_at(helm, "releaseName"))


def _options(files: Iterable[str | None], values: JsonObject, release: str) -> HelmOptions:
    """Return the options with values encoded as JSON."""
    inline = json.dumps(values, sort_keys=True, default=str) if values else ""
    return HelmOptions(tuple(file for file in files if file), inline, release)


def _argocd_file(folder: str, file: str, names: Iterable[str]) -> str | None:
    """Return the path of a value file in the repository, or ``None`` if it is outside."""
    first, _, rest = file.partition("/")
    if first == "" or (first.startswith("$") and first[1:] in names):
        return resolve_reference("", rest)
    return resolve_reference(folder, file)


def _shallow(value: Json) -> JsonObject:
    """Return an object; empty if it is not a map or nested too deeply for recursion."""
    return {} if is_too_deep(value) else mapping(value)


def _parameters(parameters: Iterable[Json]) -> JsonObject:
    """Return the values that parameters set; names with indexes or escapes are skipped."""
    found: JsonObject = {}
    for one in parameters:
        name = text_at(one, "name")
        if _PLAIN_NAME.fullmatch(name):
            found = _merge_values(found, _nest(name.split("."), _typed_value(one)))
    return found


def _typed_value(parameter: Json) -> Json:
    """Return the value of a parameter as ``helm --set`` reads it: integers, booleans and null are not strings."""
    value = text_at(parameter, "value")
    if boolean_at(parameter, "forceString") is True:
        return value
    if re.fullmatch(r"0|-?[1-9][0-9]*", value):
        return int(value)
    words: Mapping[str, Json] = {"true": True, "false": False, "null": None}
    return words.get(value.lower(), value)


def _nest(names: Iterable[str], value: Json) -> JsonObject:
    """Return nested maps with a value at a path of keys."""
    first, *rest = names
    return {first: _nest(rest, value) if rest else value}


def _merge_values(below: JsonObject, above: JsonObject) -> JsonObject:
    """Return values merged over others: maps are merged, other values replaced."""
    return {**below, **dict(_merged_items(below, above))}


def _merged_items(below: JsonObject, above: JsonObject) -> Iterator[tuple[str, Json]]:
    """Yield the keys of ``above`` with values merged over those of ``below``."""
    for key, value in above.items():
        both = below.get(key), value
        yield key, _merge_values(both[0], both[1]) if isinstance(both[0], dict) and isinstance(both[1], dict) else value
