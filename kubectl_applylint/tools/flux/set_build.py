"""What a ``ResourceSet`` of the Flux operator creates from its inputs.

Fields as in the definition of controlplaneio-fluxcd/flux-operator v1.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.go_yaml import format_yaml
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import JsonObject, items, mapping, text_at
from kubectl_applylint.sources.text.manifests import Input, read_text
from kubectl_applylint.tools.flux.instances import OPERATOR
from kubectl_applylint.tools.flux.kustomization import FluxKustomization, common_metadata
from kubectl_applylint.tools.flux.rendered_positions import at_declaration
from kubectl_applylint.tools.flux.set_functions import TemplateError
from kubectl_applylint.tools.flux.set_template import render
from kubectl_applylint.units.reading import is_too_deep

_RECONCILE: Final = f"{OPERATOR}/reconcile"
_COPY: Final = f"{OPERATOR}/copyFrom"
_MOST_OBJECTS: Final = 5000


def build_set(resource_set: Document, inputs: Sequence[JsonObject]) -> Input:
    """Return the objects that a ResourceSet creates; raise ``TemplateError`` if they are not known."""
    spec = mapping(resource_set.object.get("spec"))
    if is_too_deep(spec):
        raise TemplateError("it is nested too deeply")
    steps = items(spec.get("steps")) or [spec]
    labels, annotations = common_metadata(resource_set.object)
    common = FluxKustomization("", "", common_labels=labels, common_annotations=annotations)
    found = [one for step in steps for one in _objects_of_step(mapping(step), inputs, resource_set.file)]
    if len(steps) > 1 and len({one.ref.identity for one in found}) < len(found):
        raise TemplateError("two steps have the same object")
    documents = (
        at_declaration(replace(one, object=common.with_common(one.object)), resource_set, index)
        for index, one in enumerate(found)
    )
    return Input(tuple(documents))


def _objects_of_step(step: JsonObject, inputs: Sequence[JsonObject], file: str) -> Iterator[Document]:
    """Yield the objects of the resources of a step, then of its template; later ones of a name are left out."""
    names = set()
    every = [*_resources(step, inputs, file), *_template_objects(step, inputs, file)]
    if len(every) > _MOST_OBJECTS:
        raise TemplateError("it creates too many objects")
    for document, is_plain in every:
        is_disabled = not is_plain and annotations_of(document.object).get(_RECONCILE) == "disabled"
        if is_disabled or (not is_plain and document.ref.identity in names):
            continue
        names.add(document.ref.identity)
        _require_no_copy(document)
        yield document


def _require_no_copy(document: Document) -> None:
    if _COPY in annotations_of(document.object):
        raise TemplateError(f"{document.ref} is a copy of an object of the cluster")


def _resources(step: JsonObject, inputs: Sequence[JsonObject], file: str) -> Iterator[tuple[Document, bool]]:
    """Yield the objects of ``resources``, and whether there are no inputs, with which none is left out."""
    for resource in items(step.get("resources")):
        text = format_yaml(resource)
        for values in inputs or (None,):
            found = _parse(render(text, values), file)
            if len(found) != 1:
                raise TemplateError("an entry of resources is not one object")
            yield found[0], not inputs


def _template_objects(step: JsonObject, inputs: Sequence[JsonObject], file: str) -> Iterator[tuple[Document, bool]]:
    template = text_at(step, "resourcesTemplate")
    for values in (inputs or (None,)) if template else ():
        yield from ((one, False) for one in _parse(render(template, values), file))


def _parse(text: str, file: str) -> tuple[Document, ...]:
    found = read_text(text, file)
    if found.problems:
        raise TemplateError("a template does not render to objects")
    return found.documents
