"""The Applications that an ``ApplicationSet`` of Argo CD generates and deletes.

Mirrors ``applicationset/utils`` of Argo CD 3.6.
"""

from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.values import JsonObject, items, mapping, text_at
from kubectl_applylint.merge import json_merge
from kubectl_applylint.sources.text.manifests import first_document
from kubectl_applylint.tools.argocd.settings import set_policy
from kubectl_applylint.tools.argocd.templates import has_actions
from kubectl_applylint.units.reading import boolean_at, is_too_deep

_FINALIZER: Final = "resources-finalizer.argocd.argoproj.io"
DELETING_FINALIZERS: Final = (_FINALIZER, f"{_FINALIZER}/foreground", f"{_FINALIZER}/background")
"""The finalizers of an Application that delete its objects with it."""
_DIRECTIVE: Final = "$patch"
_DELETING_POLICIES: Final = ("", "sync", "create-delete")


def generated_application(application: JsonObject, generator: Document) -> JsonObject:
    """Return an Application as its set creates it: in the namespace of the set, and with a finalizer."""
    metadata = {**mapping(application.get("metadata")), "namespace": generator.ref.namespace}
    is_preserved = boolean_at(generator.object, "spec", "syncPolicy", "preserveResourcesOnDeletion") is True
    if not is_preserved and not metadata.get("finalizers"):
        metadata = {**metadata, "finalizers": [_FINALIZER]}
    return {"apiVersion": generator.ref.api_version, "kind": "Application", **application, "metadata": metadata}


def with_patch(application: JsonObject, patch: str) -> JsonObject | None:
    """Return an Application with a rendered ``templatePatch``; ``None`` if that is not known.

    Of the fields of an Application, only the finalizers merge as a list. The project is never patched.
    """
    if has_actions(patch) or _DIRECTIVE in patch:
        return None
    change = first_document(patch.encode())
    if not isinstance(change, dict) or is_too_deep(change):
        return None if patch.strip() else application
    merged = mapping(json_merge.merge(application, change))
    before, after = (mapping(one.get("metadata")).get("finalizers") for one in (application, merged))
    if before and after and before != after:
        metadata = {**mapping(merged.get("metadata")), "finalizers": [*dict.fromkeys((*items(before), *items(after)))]}
        merged = {**merged, "metadata": metadata}
    project = text_at(application, "spec", "project")
    return {**merged, "spec": {**mapping(merged.get("spec")), "project": project}} if project else merged


def deletes_applications(generator: JsonObject, settings: JsonObject) -> bool:
    """Return whether a set deletes the Applications that it no longer generates, under these settings."""
    own = text_at(generator, "spec", "syncPolicy", "applicationsSync")
    return set_policy(settings, own) in _DELETING_POLICIES
