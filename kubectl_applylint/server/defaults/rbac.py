"""Defaults of rbac.authorization.k8s.io; mirrors pkg/apis/rbac/v1/defaults.go."""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived

_GROUP: Final = "rbac.authorization.k8s.io"


def _subject_group(subject: JsonObject) -> JsonObject:
    """Users and groups have RBAC's own group, service accounts the core group, which is empty."""
    if subject.get("apiGroup") or subject.get("kind") not in ("User", "Group"):
        return {}
    return {"apiGroup": _GROUP}


RBAC: Final = Defaults(
    package="io.k8s.api.rbac",
    constant={"RoleBinding.roleRef": {"apiGroup": _GROUP}, "ClusterRoleBinding.roleRef": {"apiGroup": _GROUP}},
    derived={"Subject": (Derived(("apiGroup",), ("kind",), _subject_group),)},
)
