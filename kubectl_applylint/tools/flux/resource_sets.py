"""The ``ResourceSet`` objects of the Flux operator, and the inputs of their templates.

Fields as in the definition of controlplaneio-fluxcd/flux-operator v1.
"""

from collections.abc import Callable
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import dataclass
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, text_at
from kubectl_applylint.tools.flux.instances import OPERATOR
from kubectl_applylint.units.reading import is_kind

PROVIDER: Final = (OPERATOR, "ResourceSetInputProvider")
"""The group and the kind of objects with inputs."""
_STATIC: Final = "Static"


@dataclass(frozen=True, slots=True)
class SetInputs:
    """The input sets of a ResourceSet, or why they are not known."""

    sets: tuple[JsonObject, ...] = ()
    reason: str = ""


def is_resource_set(document: Document) -> bool:
    """Return whether a document is a ResourceSet of the Flux operator."""
    return is_kind(document, "ResourceSet", OPERATOR)


def provider_names(resource_set: JsonObject) -> tuple[str, ...]:
    """Return the names of the objects that a ResourceSet takes inputs from, sorted."""
    names = (text_at(one, "name") for one in items(dig(resource_set, "spec", "inputsFrom")))
    return tuple(sorted({name for name in names if name}))


def inputs_of(resource_set: Document, provider: Callable[[str], JsonObject | None]) -> SetInputs:
    """Return the inputs of a ResourceSet; ``provider`` returns the object with inputs of a name in its namespace."""
    spec = mapping(resource_set.object.get("spec"))
    if any("selector" in mapping(one) for one in items(spec.get("inputsFrom"))):
        return SetInputs(reason="its inputs are selected by labels")
    if text_at(spec, "inputStrategy", "name") not in ("", "Flatten"):
        return SetInputs(reason="its inputs are permuted")
    own = [_with_provider(mapping(one), resource_set.object) for one in items(spec.get("inputs"))]
    for name in provider_names(resource_set.object):
        found = provider(name)
        if found is None:
            return SetInputs(reason=f"ResourceSetInputProvider {name} is not in the files")
        if text_at(found, "spec", "type") != _STATIC:
            kind = text_at(found, "spec", "type")
            return SetInputs(reason=f"its inputs are those of ResourceSetInputProvider {name} of type {kind}")
        own.append(_with_provider(mapping(dig(found, "spec", "defaultValues")), found))
    return SetInputs(tuple(own))


def _with_provider(values: JsonObject, item: JsonObject) -> JsonObject:
    metadata = mapping(item.get("metadata"))
    names = {"name": metadata.get("name", ""), "namespace": metadata.get("namespace", "")}
    return {**values, "provider": {"apiVersion": item.get("apiVersion"), "kind": item.get("kind"), **names}}
