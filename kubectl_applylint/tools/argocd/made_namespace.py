"""The Namespace that a sync with ``CreateNamespace=true`` makes before all other objects.

Mirrors ``autoCreateNamespace`` of gitops-engine and ``controller/sync_namespace.go`` of Argo CD 3.6: it is not tracked,
and with ``managedNamespaceMetadata`` it is applied server-side in each sync.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject, dig, mapping, text_at, texts_at
from kubectl_applylint.tools.argocd.options import SERVER_SIDE, SYNC_OPTIONS

_OPTION: Final = "CreateNamespace=true"
_METADATA: Final = ("syncPolicy", "managedNamespaceMetadata")


def made_namespace(application: JsonObject) -> JsonObject | None:
    """Return the Namespace that a sync of an Application makes if its objects have none of that name.

    Only one whose metadata is managed, and written in each sync, has annotations.
    """
    spec = mapping(application.get("spec"))
    name = text_at(spec, "destination", "namespace")
    if not name or "{{" in name or _OPTION not in texts_at(spec, "syncPolicy", "syncOptions"):
        return None
    metadata: JsonObject = {"name": name}
    given = dig(spec, *_METADATA)
    if isinstance(given, dict):
        annotations = {**mapping(given.get("annotations")), SYNC_OPTIONS: SERVER_SIDE}
        labels = {"labels": given["labels"]} if given.get("labels") else {}
        metadata = {**metadata, **labels, "annotations": annotations}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": metadata}
