"""Defaults of the groups that have few of them."""

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.server.defaults.support import defaulted

RBAC = "rbac.authorization.k8s.io"
WEBHOOK = {
    "failurePolicy": "Fail",
    "matchPolicy": "Equivalent",
    "namespaceSelector": {},
    "objectSelector": {},
    "timeoutSeconds": 10,
}
MATCH = {"matchPolicy": "Equivalent", "namespaceSelector": {}, "objectSelector": {}}
DRIVER = {
    "attachRequired": True,
    "podInfoOnMount": False,
    "storageCapacity": False,
    "fsGroupPolicy": "ReadWriteOnceWithFSType",
    "volumeLifecycleModes": ["Persistent"],
    "requiresRepublish": False,
    "seLinuxMount": False,
}
CONVERSION = {"conversion": {"strategy": "None"}}
HOOK = {"webhook": {"clientConfig": {"service": {"name": "n"}}}}
CLAIM = "ResourceClaim"
ALPHA = "PriorityLevelConfiguration"
KEEPS_ZERO = {"annotations": {"flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": ""}}


@pytest.mark.parametrize(
    ("api_version", "kind", "fields", "added"),
    [
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {}},
            {"spec": {"policyTypes": ["Ingress"]}},
            id="policy for ingress",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {"egress": [{"ports": [{"port": 1}]}]}},
            {"spec": {"egress": [{"ports": [{"port": 1, "protocol": "TCP"}]}], "policyTypes": ["Ingress", "Egress"]}},
            id="policy for both",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            {"spec": {"policyTypes": ["Egress"]}},
            {"spec": {"policyTypes": ["Egress"]}},
            id="policy for egress alone",
        ),
        pytest.param(
            "networking.k8s.io/v1",
            "IngressClass",
            {"spec": {"parameters": {}}},
            {"spec": {"parameters": {"scope": "Cluster"}}},
            id="parameters of an ingress class",
        ),
        pytest.param("networking.k8s.io/v1", "IngressClass", {"spec": {}}, {"spec": {}}, id="no parameters"),
        pytest.param(
            "discovery.k8s.io/v1",
            "EndpointSlice",
            {"ports": [{}]},
            {"ports": [{"name": "", "protocol": "TCP"}]},
            id="port of an endpoint slice",
        ),
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
        pytest.param(
            "storage.k8s.io/v1",
            "StorageClass",
            {},
            {"reclaimPolicy": "Delete", "volumeBindingMode": "Immediate"},
            id="storage class",
        ),
        pytest.param(
            "storage.k8s.io/v1",
            "CSIDriver",
            {"spec": {"volumeLifecycleModes": []}},
            {"spec": DRIVER},
            id="storage driver",
        ),
        pytest.param(
            "scheduling.k8s.io/v1",
            "PriorityClass",
            {},
            {"preemptionPolicy": "PreemptLowerPriority"},
            id="priority class",
        ),
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
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            {"spec": {"names": {"kind": "Widget", "plural": "widgets"}}},
            {
                "spec": {
                    **CONVERSION,
                    "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
                }
            },
            id="names of a definition",
        ),
        pytest.param(
            "apiextensions.k8s.io/v1",
            "CustomResourceDefinition",
            {"spec": {"names": {"kind": "W", "singular": "s", "listKind": "l"}, "conversion": HOOK}},
            {
                "spec": {
                    "names": {"kind": "W", "singular": "s", "listKind": "l"},
                    "conversion": {"webhook": {"clientConfig": {"service": {"name": "n", "port": 443}}}},
                }
            },
            id="conversion by webhook",
        ),
        pytest.param(
            "apiregistration.k8s.io/v1",
            "APIService",
            {"spec": {"service": {}}},
            {"spec": {"service": {"port": 443}}},
            id="API service",
        ),
        pytest.param(
            "flowcontrol.apiserver.k8s.io/v1",
            "FlowSchema",
            {"spec": {}},
            {"spec": {"matchingPrecedence": 1000}},
            id="flow schema",
        ),
        pytest.param(
            "flowcontrol.apiserver.k8s.io/v1",
            ALPHA,
            {"spec": {"limited": {"limitResponse": {"queuing": {}}}}},
            {
                "spec": {
                    "limited": {
                        "nominalConcurrencyShares": 30,
                        "lendablePercent": 0,
                        "limitResponse": {"queuing": {"queues": 64, "handSize": 8, "queueLengthLimit": 50}},
                    }
                }
            },
            id="limited level",
        ),
        pytest.param(
            "flowcontrol.apiserver.k8s.io/v1",
            ALPHA,
            {"spec": {"exempt": {}}},
            {"spec": {"exempt": {"nominalConcurrencyShares": 0, "lendablePercent": 0}}},
            id="exempt level",
        ),
        pytest.param(
            "resource.k8s.io/v1",
            CLAIM,
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"exactly": {"tolerations": [{"key": "k"}]}},
                            {"firstAvailable": [{"allocationMode": "All"}]},
                        ]
                    }
                }
            },
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {
                                "exactly": {
                                    "allocationMode": "ExactCount",
                                    "count": 1,
                                    "tolerations": [{"key": "k", "operator": "Equal"}],
                                }
                            },
                            {"firstAvailable": [{"allocationMode": "All"}]},
                        ]
                    }
                }
            },
            id="devices",
        ),
        pytest.param(
            "resource.k8s.io/v1beta1",
            CLAIM,
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"deviceClassName": "c"},
                            {"firstAvailable": [{}]},
                            {"deviceClassName": "c", "count": 2},
                        ]
                    }
                }
            },
            {
                "spec": {
                    "devices": {
                        "requests": [
                            {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 1},
                            {"firstAvailable": [{"allocationMode": "ExactCount", "count": 1}]},
                            {"deviceClassName": "c", "allocationMode": "ExactCount", "count": 2},
                        ]
                    }
                }
            },
            id="devices of v1beta1",
        ),
        pytest.param("v1", "ConfigMap", {"data": {}}, {"data": {}}, id="a kind without defaults"),
    ],
)
def test_what_a_kind_gets(api_version: str, kind: str, fields: JsonObject, added: JsonObject) -> None:
    assert defaulted(api_version, kind, fields) == added


@pytest.mark.parametrize(
    ("metadata", "limited", "shares"),
    [
        pytest.param({}, {"nominalConcurrencyShares": 0}, 30, id="zero is none"),
        pytest.param(KEEPS_ZERO, {"nominalConcurrencyShares": 0}, 0, id="zero is meant"),
        pytest.param({}, {"nominalConcurrencyShares": 5}, 5, id="written"),
    ],
)
def test_shares_of_the_old_version(metadata: JsonObject, limited: JsonObject, shares: int) -> None:
    level = {"metadata": metadata, "spec": {"limited": limited}}
    result = defaulted("flowcontrol.apiserver.k8s.io/v1beta3", ALPHA, level, "1.30")

    assert result["spec"]["limited"] == {"nominalConcurrencyShares": shares, "lendablePercent": 0}


def test_an_old_claim_waits_for_its_pod() -> None:
    claim = defaulted("resource.k8s.io/v1alpha2", CLAIM, {"spec": {}}, "1.30")

    assert claim == {"spec": {"allocationMode": "WaitForFirstConsumer"}}


def test_a_driver_since_1_37() -> None:
    driver = defaulted("storage.k8s.io/v1", "CSIDriver", {"spec": {}}, "1.37")

    assert driver["spec"] == {**DRIVER, "preventPodSchedulingIfMissing": False}
