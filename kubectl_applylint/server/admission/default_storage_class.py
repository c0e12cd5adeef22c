"""DefaultStorageClass: a new claim that names no StorageClass gets the default one.

Mirrors ``plugin/pkg/admission/storage/storageclass/setdefault``.
"""

from typing import Final

from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation
from kubectl_applylint.server.admission.default_class import DefaultClass, is_assumed, with_default_class
from kubectl_applylint.server.admission_inputs import STORAGE_CLASS

_STORAGE: Final = DefaultClass(
    kind=STORAGE_CLASS,
    marks=("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class"),
    field="storageClassName",
    older="volume.beta.kubernetes.io/storage-class",
)


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a claim with its class."""
    return with_default_class(attributes, _STORAGE)


def assumptions(attributes: AdmissionAttributes) -> tuple[str, ...]:
    """Return the assumption that no default class exists, if that is unknown."""
    return ("no StorageClass is the default of the cluster",) if is_assumed(attributes, _STORAGE) else ()
