"""StorageObjectInUseProtection: adds finalizers that protect storage in use from deletion.

Mirrors ``plugin/pkg/admission/storage/storageobjectinuseprotection``.
"""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import mapping
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation

_FINALIZERS: Final[Mapping[Gvk, str]] = {
    ("v1", "PersistentVolumeClaim"): "kubernetes.io/pvc-protection",
    ("v1", "PersistentVolume"): "kubernetes.io/pv-protection",
    ("storage.k8s.io/v1", "VolumeAttributesClass"): "kubernetes.io/vac-protection",
}


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a new object with the finalizer of its kind."""
    new, kind = attributes.new, attributes.kind
    finalizer = _FINALIZERS.get((kind.api_version, kind.name))
    metadata = mapping(new.get("metadata"))
    finalizers = metadata.get("finalizers") or []
    if not attributes.creating or finalizer is None or finalizer in finalizers:
        return Mutation(new)
    return Mutation({**new, "metadata": {**metadata, "finalizers": [*finalizers, finalizer]}})
