"""The stages in which Flux applies objects, and their order within a stage.

Mirrors ``ApplyAllStaged`` and ``sort.go`` of ``github.com/fluxcd/pkg/ssa`` 0.77.
"""

from typing import Final, TypeAlias

from kubectl_applylint.core.state import ObjectRef

Rank: TypeAlias = tuple[int, str, str, str, str]

_FIRST: Final = (
    "CustomResourceDefinition",
    "Namespace",
    "ClusterRole",
    "ClusterClass",
    "RuntimeClass",
    "PriorityClass",
    "StorageClass",
    "VolumeSnapshotClass",
    "IngressClass",
    "GatewayClass",
    "ClusterRoleBinding",
    "ResourceQuota",
    "ServiceAccount",
    "Role",
    "RoleBinding",
    "ConfigMap",
    "Secret",
    "Service",
    "LimitRange",
    "Deployment",
    "StatefulSet",
    "CronJob",
    "PodDisruptionBudget",
)
_LAST: Final = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_POSITIONS: Final = {
    **{kind: place - len(_FIRST) for place, kind in enumerate(_FIRST)},
    **{kind: place + 1 for place, kind in enumerate(_LAST)},
}
_DEFINITIONS: Final = {
    "CustomResourceDefinition": "apiextensions.k8s.io",
    "Namespace": "",
    "ClusterRole": "rbac.authorization.k8s.io",
}


def stage(ref: ObjectRef) -> int:
    """Return the stage of an object: definitions, then classes, then the rest. A stage waits for the one before."""
    if _DEFINITIONS.get(ref.kind) == ref.group:
        return 0
    return 1 if ref.kind.endswith("Class") else 2


def rank(ref: ObjectRef) -> Rank:
    """Return the sort key of objects within a stage; deletions use the reverse order."""
    return (_POSITIONS.get(ref.kind, 0), ref.group, ref.kind, ref.namespace, ref.name)


def place(ref: ObjectRef) -> tuple[int, Rank]:
    """Return the sort key of objects across stages."""
    return (stage(ref), rank(ref))
