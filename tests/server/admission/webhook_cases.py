"""Webhooks, and an object that they are called about."""

from typing import Final

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.admission.objects import namespaced_object

MAP: Final = namespaced_object("v1", "ConfigMap", "shop", data={"a": "b"})
MAPS: Final[JsonObject] = {
    "apiGroups": [""],
    "apiVersions": ["v1"],
    "operations": ["CREATE"],
    "resources": ["configmaps"],
}
"""The rule of a webhook that is called about new ConfigMaps."""


def configuration(kind: str, **webhook: Json) -> JsonObject:
    """Return a configuration, ``Mutating`` or ``Validating``, of one webhook."""
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": f"{kind}WebhookConfiguration",
        "metadata": {"name": "w"},
        "webhooks": [{"name": "w.example.com", **webhook}],
    }
