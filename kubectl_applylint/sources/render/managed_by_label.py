"""The label with the version of kustomize, which ``buildMetadata: [managedByLabel]`` adds to each object.

Some builds of kustomize, such as the one in kubectl 1.32, do not know their version and write ``kustomize-(devel)``,
which the API server rejects. Argo CD and Flux run another build.
"""

from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import mapping

_LABEL: Final = "app.kubernetes.io/managed-by"
_NO_VERSION: Final = "kustomize-(devel)"
_ANY_VERSION: Final = "kustomize-${VERSION}"


def with_any_version(document: Document) -> Document:
    """Return an object with a placeholder in place of the version that kustomize does not know."""
    metadata = mapping(document.object.get("metadata"))
    labels = mapping(metadata.get("labels"))
    if labels.get(_LABEL) != _NO_VERSION:
        return document
    changed = {**metadata, "labels": {**labels, _LABEL: _ANY_VERSION}}
    return replace(document, object={**document.object, "metadata": changed})
