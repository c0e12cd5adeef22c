"""Defaults of admissionregistration.k8s.io; mirrors pkg/apis/admissionregistration, defaults.go of each version."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults

_WEBHOOK: Final[JsonObject] = {
    "failurePolicy": "Fail",
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "timeoutSeconds": 10,
}
_ALL_SCOPES: Final[JsonObject] = {"scope": "*"}
_POLICIES: Final[Mapping[str, JsonObject]] = {
    "ValidatingAdmissionPolicySpec": {"failurePolicy": "Fail"},
    "MutatingAdmissionPolicySpec": {"failurePolicy": "Fail"},
    "MatchResources": {"matchPolicy": "Equivalent", "namespaceSelector": {}, "objectSelector": {}},
    "NamedRuleWithOperations": _ALL_SCOPES,
}

ADMISSION: Final = Defaults(
    package="io.k8s.api.admissionregistration",
    constant={
        **_POLICIES,
        "ValidatingWebhook": _WEBHOOK,
        "MutatingWebhook": {**_WEBHOOK, "reinvocationPolicy": "Never"},
        "RuleWithOperations": _ALL_SCOPES,
        "ServiceReference": {"port": 443},
    },
)
ADMISSION_BETA: Final = Defaults(package="io.k8s.api.admissionregistration", versions=("v1beta1",), constant=_POLICIES)
ADMISSION_ALPHA: Final = Defaults(
    package="io.k8s.api.admissionregistration",
    versions=("v1alpha1",),
    constant={**_POLICIES, "ParamRef": {"parameterNotFoundAction": "Deny"}},
)
