"""What a ``ResourceSet`` of the Flux operator creates from its inputs.

Fields as in the definition of controlplaneio-fluxcd/flux-operator v1.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
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
from kubectl_applylint.tools.flux.set_functions import TemplateError, TemplateMeter
from kubectl_applylint.tools.flux.set_template import render
from kubectl_applylint.units.reading import is_too_deep

_RECONCILE: Final = f"{OPERATOR}/reconcile"
_COPY: Final = f"{OPERATOR}/copyFrom"
_GROUP: Final = f"resourceset.{OPERATOR}"
"""The prefix of the labels that name the ResourceSet of an object; its ``commonMetadata`` may override them."""
_MOST_TEXT: Final = 8 * 1024 * 1024
"""Maximum number of characters of all objects of a set."""


def build_set(resource_set: Document, inputs: Sequence[JsonObject]) -> Input:
    """Return the objects that a ResourceSet creates; raise ``TemplateError`` if they are not known."""
    spec = mapping(resource_set.object.get("spec"))
    if is_too_deep(spec):
        raise TemplateError("it is nested too deeply")
    steps = items(spec.get("steps")) or [spec]
    labels, annotations = common_metadata(resource_set.object)
    owner = {f"{_GROUP}/name": resource_set.ref.name, f"{_GROUP}/namespace": resource_set.ref.namespace}
    common = FluxKustomization("", "", common_labels=(*owner.items(), *labels), common_annotations=annotations)
    texts = _Texts(inputs)
    found = [one for step in steps for one in _objects_of_step(mapping(step), texts, resource_set.file)]
    if len(steps) > 1 and len({one.ref.identity for one in found}) < len(found):
        raise TemplateError("two steps have the same object")
    documents = (
        at_declaration(replace(one, object=common.with_common(one.object)), resource_set, index)
        for index, one in enumerate(found)
    )
    return Input(tuple(documents))


class _Texts:
    """Renders templates for each of some inputs, and counts the work and the text for all of them."""

    def __init__(self, inputs: Sequence[JsonObject]) -> None:
        self.inputs, self._meter, self._left = inputs, TemplateMeter(), _MOST_TEXT

    def __call__(self, template: str) -> Iterator[str]:
        """Yield the text for each input, or the one text without inputs."""
        for values in self.inputs or (None,):
            text = render(template, values, self._meter)
            self._left -= len(text) + 1
            if self._left < 0:
                raise TemplateError("its objects are too large")
            yield text


def _objects_of_step(step: JsonObject, texts: _Texts, file: str) -> Iterator[Document]:
    """Yield the objects of the resources of a step, then of its template; later ones of a name are left out."""
    names = set()
    for document, is_plain in chain(_resources(step, texts, file), _template_objects(step, texts, file)):
        is_disabled = not is_plain and annotations_of(document.object).get(_RECONCILE) == "disabled"
        if is_disabled or (not is_plain and document.ref.identity in names):
            continue
        names.add(document.ref.identity)
        _require_no_copy(document)
        yield document


def _require_no_copy(document: Document) -> None:
    if _COPY in annotations_of(document.object):
        raise TemplateError(f"{document.ref} is a copy of an object of the cluster")


def _resources(step: JsonObject, texts: _Texts, file: str) -> Iterator[tuple[Document, bool]]:
    """Yield the objects of ``resources``, and whether there are no inputs, with which none is left out."""
    for resource in items(step.get("resources")):
        for text in texts(format_yaml(resource)):
            found = _parse(text, file)
            if len(found) != 1:
                raise TemplateError("an entry of resources is not one object")
            yield found[0], not texts.inputs


def _template_objects(step: JsonObject, texts: _Texts, file: str) -> Iterator[tuple[Document, bool]]:
    template = text_at(step, "resourcesTemplate")
    for text in texts(template) if template else ():
        yield from ((one, False) for one in _parse(text, file))


def _parse(text: str, file: str) -> tuple[Document, ...]:
    found = read_text(text, file)
    if found.problems:
        raise TemplateError("a template does not render to objects")
    return found.documents
