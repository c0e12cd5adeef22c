"""Ignored differences that objects name themselves, in the annotation of Argo CD 3.6.

Mirrors ``ExtractIgnoreDifferencesFromAnnotations`` in ``util/argo/diff``; earlier versions have no such annotation.
"""

from collections.abc import Iterable, Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import Json, items, mapping
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.ignores import IgnoreRule
from kubectl_applylint.tools.argocd.options import IGNORE_DIFFERENCES


def annotated_rules(documents: Iterable[Document]) -> Iterator[IgnoreRule]:
    """Yield a rule for each object of an Application with the annotation; other values than a list are ignored."""
    for document in documents:
        text = annotations_of(document.object).get(IGNORE_DIFFERENCES)
        pointers = tuple(_pointers(text)) if isinstance(text, str) else ()
        if pointers:
            ref = document.ref
            yield IgnoreRule(ref.group, ref.kind, ref.name, ref.namespace, pointers)


def _pointers(text: str) -> Iterator[str]:
    """Yield the JSON pointers in an annotation, none if one is not a text."""
    found: list[Json] = [*items(mapping(first_document(text.encode())).get("jsonPointers"))]
    if all(isinstance(one, str) for one in found):
        yield from map(str, found)
