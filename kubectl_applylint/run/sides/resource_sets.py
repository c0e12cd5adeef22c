"""Builds the objects of ResourceSets with the inputs in the files of a side."""

import json
from collections.abc import Iterable, Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.sides.line_positions import declaring_document
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.flux.resource_sets import PROVIDER, SetInputs, inputs_of
from kubectl_applylint.units.model import Unit

_ADVICE = "render it with flux-operator build, or accept it with incomplete: in the configuration"


def set_inputs(resource_set: Document, documents: Iterable[Document], objects: NamedObjects) -> SetInputs:
    """Return the inputs of a ResourceSet, from ``documents`` of the same unit or else from the files."""
    namespace = resource_set.ref.namespace
    own = {one.ref.name: one for one in documents if (one.ref.group, one.ref.kind) == PROVIDER}

    def provider(name: str) -> JsonObject | None:
        found = own.get(name) or objects.nearest(PROVIDER, namespace, name, file=resource_set.file)
        return found.object if found else None

    return inputs_of(resource_set, provider)


def set_objects(resource_set: Document, documents: Iterable[Document], objects: NamedObjects) -> tuple[Document, ...]:
    """Return the objects that a ResourceSet creates, none if they are not known."""
    inputs = set_inputs(resource_set, documents, objects)
    if inputs.reason:
        return ()
    built = _build(resource_set, inputs.sets)
    return () if isinstance(built, str) else built.documents


def build_set_unit(unit: Unit) -> Input:
    """Return the objects of the unit of a ResourceSet; a template that cannot be rendered is a problem."""
    applied = unit.applied
    built = _build(declaring_document(unit), json.loads(applied.inputs or "[]"))
    if isinstance(built, str):
        return Input(problems=(Problem(applied.reason.place, f"{unit.root} is not rendered: {built}", _ADVICE),))
    return built


def _build(resource_set: Document, inputs: Sequence[JsonObject]) -> Input | str:
    """Return the objects of a ResourceSet, or why they are not known."""
    # The templates take 5 ms to import, and most repositories have no ResourceSets.
    from kubectl_applylint.tools.flux.set_build import build_set  # noqa: PLC0415
    from kubectl_applylint.tools.flux.set_functions import TemplateError  # noqa: PLC0415  5 ms, as above

    try:
        return build_set(resource_set, inputs)
    except TemplateError as error:
        return str(error)
