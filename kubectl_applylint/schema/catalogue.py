"""The bundled definitions of the custom kinds that many clusters have, read from the files that ship with the package.

``scripts/generate_catalogue.py`` writes the files and describes their format. The index is read when a kind without
another definition is met, and the definitions of an API group when one of its kinds is in the index.
"""

import json
import zlib
from bisect import bisect_left
from collections.abc import Mapping
from functools import cache
from pkgutil import get_data
from typing import Final

from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import Json, JsonObject, items
from kubectl_applylint.schema.crd import OPENED
from kubectl_applylint.schema.types import Gvk

_INNER: Final = ("items", "additionalProperties")
_PRESERVE: Final = "x-kubernetes-preserve-unknown-fields"
_NOTIFICATION: Final = "notification.toolkit.fluxcd.io"
_KINDS_OF_OPERATOR: Final = ("FluxInstance", "ResourceSet", "ResourceSetInputProvider")
_OPENED: Final = {_PRESERVE: True, OPENED: True}


@dataclass(frozen=True, slots=True)
class Project:
    """A project whose definitions are bundled."""

    name: str
    path: str
    """The Go module, or the repository."""
    version: str
    date: str
    """The date of the version, ``2026-09-10``."""
    licence: str
    """The SPDX identifier."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A kind in the catalogue."""

    group: str
    kind: str
    versions: tuple[str, ...]
    """The served versions."""
    project: Project


def entries() -> tuple[CatalogueEntry, ...]:
    """Return every kind of the catalogue, sorted by group and kind."""
    return tuple(map(_entry, _lines("index.tsv")))


def find(gvk: Gvk) -> CatalogueEntry | None:
    """Return the entry of a kind that the catalogue has in this version, or ``None``."""
    group, _, version = gvk[0].rpartition("/")
    lines, prefix = _lines("index.tsv"), f"{group}\t{gvk[1]}\t"
    position = bisect_left(lines, prefix)
    if position == len(lines) or not lines[position].startswith(prefix):
        return None
    entry = _entry(lines[position])
    return entry if version in entry.versions else None


@cache
def definition(entry: CatalogueEntry, *, is_exact: bool = False) -> JsonObject:
    """Return the CustomResourceDefinition of an entry, always the same object.

    The cluster may have another version of it, so that fields that it does not declare are kept, unless it is the
    ``is_exact`` one.
    """
    spec, schemas = _definitions(entry.group)[entry.kind], _schemas(entry.group, is_exact)
    versions = [{**each, "schema": {"openAPIV3Schema": schemas[each["schema"]]}} for each in spec["versions"]]
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{spec['names']['plural']}.{entry.group}"},
        "spec": {**spec, "versions": versions},
    }


def projects() -> Mapping[str, Project]:
    """Return the projects by name."""
    return {name: Project(name, *rest) for name, *rest in (line.split("\t") for line in _lines("projects.tsv"))}


_projects: Final = cache(projects)


def _entry(line: str) -> CatalogueEntry:
    group, kind, versions, project = line.split("\t")
    return CatalogueEntry(group, kind, tuple(versions.split(",")), _projects()[project])


@cache
def _lines(file: str) -> list[str]:
    return _content(file).decode().split("\n")[:-1]


def _content(file: str) -> bytes:
    return get_data(__name__, f"catalogue/{file}") or b""


@cache
def _file(group: str) -> JsonObject:
    """Return the file of an API group."""
    found: JsonObject = json.loads(zlib.decompress(_content(f"{group}.json.z")))
    return found


def _definitions(group: str) -> JsonObject:
    found: JsonObject = _file(group)["definitions"]
    return found


@cache
def _schemas(group: str, is_exact: bool) -> list[JsonObject]:
    """Return the schemas of an API group, in which positions are replaced by the schemas at them."""
    found: list[JsonObject] = []
    for packed in _file(group)["schemas"]:
        schema = dict(packed)
        if "properties" in packed:
            schema["properties"] = {name: found[place] for name, place in packed["properties"].items()}
        schema |= {name: found[packed[name]] for name in _INNER if _is_position(packed.get(name))}
        schema |= _values_of_operator(group, schema)
        found.append(schema if is_exact or not _is_closed(schema) else {**schema, **_OPENED})
    return found


def _values_of_operator(group: str, schema: JsonObject) -> JsonObject:
    """Return the values of an enumeration of kinds with those that the Flux operator adds when it installs Flux.

    Mirrors ``notificationPatchTmpl`` of ``github.com/controlplaneio-fluxcd/flux-operator``.
    """
    values = items(schema.get("enum"))
    return {"enum": [*values, *_KINDS_OF_OPERATOR]} if group == _NOTIFICATION and "Kustomization" in values else {}


def _is_position(value: Json) -> bool:
    """Return whether a value is a position; ``additionalProperties`` may be a boolean."""
    return type(value) is int


def _is_closed(schema: JsonObject) -> bool:
    """Return whether a schema is that of an object without other fields than the declared ones."""
    return schema.get("type") == "object" and "additionalProperties" not in schema and _PRESERVE not in schema
