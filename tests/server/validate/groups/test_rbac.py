"""Validation of roles and bindings: kube-apiserver 1.36.3, dry runs of 2026-11-21."""

from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.validate.objects import rejection_messages

BASE: Final[JsonObject] = {
    "apiVersion": "rbac.authorization.k8s.io/v1",
    "kind": "RoleBinding",
    "metadata": {"name": "x", "namespace": "default"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "a"},
    "subjects": [{"kind": "User", "name": "jane"}],
}


@pytest.mark.parametrize(
    ("patch", "errors"),
    [
        pytest.param({}, [], id="valid"),
        pytest.param(
            {"roleRef": {"kind": "Pod"}},
            ['roleRef.kind: Unsupported value: "Pod": supported values: "Role", "ClusterRole"'],
            id="kind of role",
        ),
        pytest.param({"roleRef": {"name": ""}}, ["roleRef.name: Required value"], id="no role"),
        pytest.param(
            {"subjects": [{"kind": "Robot", "name": "a"}]},
            ['subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"'],
            id="kind of subject",
        ),
        pytest.param({"subjects": [{"kind": "ServiceAccount", "name": "a"}]}, [], id="account of nowhere"),
        pytest.param(
            {"subjects": [{"kind": "ServiceAccount", "name": "a", "namespace": "b", "apiGroup": "c"}]},
            ['subjects[0].apiGroup: Unsupported value: "c": supported values: ""'],
            id="group of an account",
        ),
        pytest.param({"subjects": [{"kind": "User", "name": ""}]}, ["subjects[0].name: Required value"], id="no name"),
    ],
)
def test_errors_of_roles_and_bindings(patch: JsonObject, errors: list[str]) -> None:
    assert rejection_messages(BASE, patch) == errors
