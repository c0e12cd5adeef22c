"""Finds what a FluxInstance among the objects of a side creates."""

from collections.abc import Iterable

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.variable_sources import data_of
from kubectl_applylint.tools.flux.instances import created_objects, patches_of_sync
from kubectl_applylint.tools.flux.release_values import ValuesError, release_values
from kubectl_applylint.tools.flux.substitution import Source

_FILE = "sync.yaml"


def instance_objects(document: Document, configs: Iterable[Document], objects: NamedObjects) -> tuple[Document, ...]:
    """Return the source and the Kustomization that an object makes the operator create, or nothing.

    ``configs`` are ConfigMaps of the same units, from which a HelmRelease of the chart may take its values.
    """
    item = _with_values(document, configs, objects)
    made = created_objects(item)
    patches = patches_of_sync(item) if made else []
    return _patch(made, patches) if patches else made


def _with_values(document: Document, configs: Iterable[Document], objects: NamedObjects) -> Document:
    """Return a HelmRelease with the values of ``valuesFrom`` in its own ones; any other object unchanged."""
    spec = document.object.get("spec")
    if not isinstance(spec, dict) or not spec.get("valuesFrom"):
        return document
    own = {one.ref.identity: one for one in configs}

    def source(kind: str, namespace: str, name: str) -> Source:
        found = own.get(("", kind, namespace, name))
        found = found or objects.nearest(("", kind), namespace, name, file=document.file)
        return data_of(kind, name, found, is_optional=True)

    try:
        values = release_values(document.object, source).values
    except ValuesError:
        return document
    return replace(document, object={**document.object, "spec": {**spec, "values": values}})


def _patch(made: tuple[Document, ...], patches: list[JsonObject]) -> tuple[Document, ...]:
    """Return the objects after patches, in one run of kustomize; unchanged if it fails, as it does for their units."""
    # kustomize takes 15 ms to import, and few instances have such patches.
    from kubectl_applylint.sources.render.kustomize import render_files  # noqa: PLC0415

    kustomization = {"resources": [_FILE], "patches": patches}
    texts = {
        _FILE: "---\n".join(format_yaml(one.object) for one in made).encode(),
        "kustomization.yaml": format_yaml(kustomization).encode(),
    }
    found = {one.ref.kind: one.object for one in render_files(texts, "kustomization.yaml", str).documents}
    if {one.ref.kind for one in made} != found.keys():
        return made
    return tuple(replace(one, object=found[one.ref.kind], ref=ref_of(found[one.ref.kind])) for one in made)
