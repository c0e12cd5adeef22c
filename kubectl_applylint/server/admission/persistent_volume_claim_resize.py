"""PersistentVolumeClaimResize: a bound claim grows only if its StorageClass allows it.

Mirrors ``plugin/pkg/admission/storage/persistentvolumeclaim/resize``.
"""

from typing import Final

from kubectl_applylint.core.state import Absent, ClusterView, Knowledge, Present, Unknown, annotations_of
from kubectl_applylint.core.values import Json, JsonObject, Missing, dig
from kubectl_applylint.server.admission.attributes import ALLOWED, AdmissionAttributes, AdmissionResult, forbidden
from kubectl_applylint.server.admission_inputs import STORAGE_CLASS
from kubectl_applylint.server.validate.amounts import amount

_CLASS_ANNOTATION: Final = "volume.beta.kubernetes.io/storage-class"
_NOT_EXPANDABLE: Final = (
    "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize"
)


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Reject a claim that requests more than before and whose class does not allow expansion."""
    new, old = attributes.new, attributes.old
    if old is None or amount(_size(new)) <= amount(_size(old)):
        return ALLOWED
    match _class_of(new, attributes.cluster_view):
        case Present(found) if found.get("allowVolumeExpansion"):
            return ALLOWED
        case Unknown():
            return AdmissionResult(open=("the claim grows only if its StorageClass has allowVolumeExpansion: true",))
        case _:
            return AdmissionResult(forbidden(attributes, _NOT_EXPANDABLE))


def _size(claim: JsonObject) -> Json | Missing:
    return dig(claim, "spec", "resources", "requests", "storage")


def _class_of(claim: JsonObject, cluster_view: ClusterView) -> Knowledge:
    """Return the class of a claim. A claim without a class may have got an unknown default class."""
    name = annotations_of(claim).get(_CLASS_ANNOTATION) or dig(claim, "spec", "storageClassName")
    if isinstance(name, str) and name:
        return cluster_view.lookup(*STORAGE_CLASS, name)
    is_known = not isinstance(name, Unknown) and not isinstance(cluster_view.all_objects(*STORAGE_CLASS), Unknown)
    return Absent() if is_known else Unknown("the class of the claim is not known")
