"""Defaults of rbac.authorization.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults

RBAC = "rbac.authorization.k8s.io"


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            f"{RBAC}/v1",
            "RoleBinding",
            {
                "roleRef": {"apiGroup": ""},
                "subjects": [{"kind": "User"}, {"kind": "Group", "apiGroup": ""}, {"kind": "ServiceAccount"}],
            },
            {
                "roleRef": {"apiGroup": RBAC},
                "subjects": [
                    {"kind": "User", "apiGroup": RBAC},
                    {"kind": "Group", "apiGroup": RBAC},
                    {"kind": "ServiceAccount"},
                ],
            },
            id="role binding",
        ),
        pytest.param(
            f"{RBAC}/v1",
            "ClusterRoleBinding",
            {"roleRef": {}, "subjects": [{"kind": "User", "apiGroup": "x"}]},
            {"roleRef": {"apiGroup": RBAC}, "subjects": [{"kind": "User", "apiGroup": "x"}]},
            id="cluster role binding",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added
