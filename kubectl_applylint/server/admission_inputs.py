"""The kinds of objects that admission plugins read: limits, quotas, accounts, policies, webhooks, classes."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, dig

GroupKind: TypeAlias = tuple[str, str]
"""Group and kind of objects, without a version."""
_REGISTRATION: Final = "admissionregistration.k8s.io"
ACCOUNT: Final[GroupKind] = ("", "ServiceAccount")
POLICY: Final[GroupKind] = (_REGISTRATION, "ValidatingAdmissionPolicy")
BINDING: Final[GroupKind] = (_REGISTRATION, "ValidatingAdmissionPolicyBinding")
MUTATING_POLICY: Final[GroupKind] = (_REGISTRATION, "MutatingAdmissionPolicy")
MUTATING_BINDING: Final[GroupKind] = (_REGISTRATION, "MutatingAdmissionPolicyBinding")
STORAGE_CLASS: Final[GroupKind] = ("storage.k8s.io", "StorageClass")
INGRESS_CLASS: Final[GroupKind] = ("networking.k8s.io", "IngressClass")
PRIORITY_CLASS: Final[GroupKind] = ("scheduling.k8s.io", "PriorityClass")
RUNTIME_CLASS: Final[GroupKind] = ("node.k8s.io", "RuntimeClass")
_KINDS: Final[frozenset[GroupKind]] = frozenset(
    {
        *(("", kind) for kind in ("LimitRange", "Namespace", "ResourceQuota")),
        *((_REGISTRATION, f"{what}WebhookConfiguration") for what in ("Mutating", "Validating")),
        *(MUTATING_POLICY, MUTATING_BINDING),
        *(ACCOUNT, POLICY, BINDING, STORAGE_CLASS, INGRESS_CLASS, PRIORITY_CLASS, RUNTIME_CLASS),
    }
)


def input_kinds(objects: Iterable[JsonObject]) -> frozenset[GroupKind]:
    """Return the kinds that admission reads if ``objects`` exist; policies among them add their parameters' kinds."""
    return _KINDS.union(kind for item in objects if (kind := parameter_kind(item)) is not None)


def parameter_kind(item: JsonObject) -> GroupKind | None:
    """Return the kind of the parameters if the object is a policy with parameters, else ``None``."""
    ref = ref_of(item)
    version, kind = (dig(item, "spec", "paramKind", name) for name in ("apiVersion", "kind"))
    if (ref.group, ref.kind) != POLICY or not isinstance(version, str) or not isinstance(kind, str):
        return None
    return version.rpartition("/")[0], kind
