"""The kinds of objects that decide about others: namespaces, limits, quotas, accounts, policies, webhooks, classes."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, dig
from kubectl_applylint.server import classes

GroupKind: TypeAlias = tuple[str, str]
"""Group and kind of objects, whatever their version."""
_REGISTRATION: Final = "admissionregistration.k8s.io"
ACCOUNT: Final[GroupKind] = ("", "ServiceAccount")
POLICY: Final[GroupKind] = (_REGISTRATION, "ValidatingAdmissionPolicy")
BINDING: Final[GroupKind] = (_REGISTRATION, "ValidatingAdmissionPolicyBinding")
_KINDS: Final[frozenset[GroupKind]] = frozenset(
    {
        *(("", kind) for kind in ("LimitRange", "Namespace", "ResourceQuota")),
        *((_REGISTRATION, f"{what}WebhookConfiguration") for what in ("Mutating", "Validating")),
        *(ACCOUNT, POLICY, BINDING, classes.STORAGE, classes.INGRESS, classes.PRIORITY, classes.RUNTIME),
    }
)


def deciding(objects: Iterable[JsonObject]) -> frozenset[GroupKind]:
    """Return the kinds that decide about others where ``objects`` are: policies among them may name more of them."""
    return _KINDS.union(kind for item in objects if (kind := parameter_kind(item)) is not None)


def parameter_kind(item: JsonObject) -> GroupKind | None:
    """Return the kind of the parameters of an object that is a policy with parameters, else ``None``."""
    ref = ref_of(item)
    version, kind = (dig(item, "spec", "paramKind", name) for name in ("apiVersion", "kind"))
    if (ref.group, ref.kind) != POLICY or not isinstance(version, str) or not isinstance(kind, str):
        return None
    return version.rpartition("/")[0], kind
