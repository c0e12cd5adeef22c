"""The Applications that an ``ApplicationSet`` of Argo CD generates and deletes.

Mirrors ``applicationset/utils`` of Argo CD 3.6.
"""

from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import JsonObject, mapping, text_at
from kubectl_applylint.units.reading import boolean_at

_FINALIZER: Final = "resources-finalizer.argocd.argoproj.io"
DELETING_FINALIZERS: Final = (_FINALIZER, f"{_FINALIZER}/foreground", f"{_FINALIZER}/background")
"""The finalizers of an Application that delete its objects with it."""
_DELETING_POLICIES: Final = ("", "sync", "create-delete")


def generated_application(application: JsonObject, generator: Document) -> JsonObject:
    """Return an Application as its set creates it: in the namespace of the set, and with a finalizer."""
    metadata = {**mapping(application.get("metadata")), "namespace": generator.ref.namespace}
    is_preserved = boolean_at(generator.object, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True
    if not is_preserved and not metadata.get("finalizers"):
        metadata = {**metadata, "finalizers": [_FINALIZER]}
    return {"apiVersion": generator.ref.api_version, "kind": "Application", **application, "metadata": metadata}


def deletes_applications(generator: JsonObject) -> bool:
    """Return whether a set deletes the Applications that it no longer generates."""
    return text_at(generator, "spec", "syncPolicy", "applicationsSync") in _DELETING_POLICIES
