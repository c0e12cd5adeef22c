"""Defaults of admissionregistration.k8s.io, as kube-apiserver 1.36 sets them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import fields_with_defaults

WEBHOOK = {
    "failurePolicy": "Fail",
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "timeoutSeconds": 10,
}
MATCH = {"matchPolicy": "Equivalent", "namespaceSelector": {}, "objectSelector": {}}


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "admissionregistration.k8s.io/v1",
            "ValidatingWebhookConfiguration",
            {"webhooks": [{"rules": [{}], "clientConfig": {"service": {}}}]},
            {"webhooks": [{"rules": [{"scope": "*"}], "clientConfig": {"service": {"port": 443}}, **WEBHOOK}]},
            id="validating webhook",
        ),
        pytest.param(
            "admissionregistration.k8s.io/v1",
            "MutatingWebhookConfiguration",
            {"webhooks": [{"timeoutSeconds": 3}]},
            {"webhooks": [{**WEBHOOK, "timeoutSeconds": 3, "reinvocationPolicy": "Never"}]},
            id="mutating webhook",
        ),
        pytest.param(
            "admissionregistration.k8s.io/v1",
            "ValidatingAdmissionPolicy",
            {"spec": {"matchConstraints": {"resourceRules": [{}]}}},
            {"spec": {"failurePolicy": "Fail", "matchConstraints": {**MATCH, "resourceRules": [{"scope": "*"}]}}},
            id="admission policy",
        ),
        pytest.param(
            "admissionregistration.k8s.io/v1alpha1",
            "MutatingAdmissionPolicyBinding",
            {"spec": {"paramRef": {}}},
            {"spec": {"paramRef": {"parameterNotFoundAction": "Deny"}}},
            id="alpha binding",
        ),
        pytest.param(
            "admissionregistration.k8s.io/v1",
            "ValidatingAdmissionPolicyBinding",
            {"spec": {"paramRef": {}}},
            {"spec": {"paramRef": {}}},
            id="binding: the server requires what only alpha has a default for",
        ),
    ],
)
def test_a_kind_gets_its_defaults(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert fields_with_defaults(api_version, kind, fields) == added
