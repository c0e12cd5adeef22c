"""Objects of versions that went, as they read in the version that took their place.

What is expected stands in ``pkg/apis/*/v*/{defaults,conversion}.go`` of Kubernetes 1.15 to 1.25.
"""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.served import lifetimes, standing, successor
from kubectl_applylint.server.former import convert_former, differences

SCHEMA = load("1.37")
TEMPLATE = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "web", "image": "nginx"}]}}
SELECTOR = {"matchLabels": {"app": "web"}}


def spec_of(api_version: str, kind: str, spec: JsonObject, wanted: str) -> Json:
    found = convert_former({"apiVersion": api_version, "kind": kind, "spec": spec}, (wanted, kind), SCHEMA)
    assert found is not None
    assert found["apiVersion"] == wanted
    return found["spec"]


def test_a_deployment_of_the_first_group_selects_what_it_labels_and_keeps_its_old_defaults() -> None:
    found = spec_of(
        "extensions/v1beta1", "Deployment", {"template": TEMPLATE, "rollbackTo": {"revision": 1}}, "apps/v1"
    )

    assert found == {
        "selector": SELECTOR,
        "template": TEMPLATE,
        "progressDeadlineSeconds": 2147483647,
        "revisionHistoryLimit": 2147483647,
        "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 1}},
    }


def test_a_stateful_set_of_the_first_version_waits_for_pods_to_be_deleted() -> None:
    found = spec_of("apps/v1beta1", "StatefulSet", {"serviceName": "web", "template": TEMPLATE}, "apps/v1")

    assert found["updateStrategy"] == {"type": "OnDelete"}


@pytest.mark.parametrize("api_version", ["extensions/v1beta1", "networking.k8s.io/v1beta1"])
def test_an_ingress(api_version: str) -> None:
    backend = {"serviceName": "web", "servicePort": "http"}
    paths = [{"path": "/", "backend": {"serviceName": "web", "servicePort": 80}}]
    spec = {"backend": backend, "rules": [{"host": "x", "http": {"paths": paths}}, {"host": "y"}]}
    found = spec_of(api_version, "Ingress", spec, "networking.k8s.io/v1")

    service = {"service": {"name": "web", "port": {"number": 80}}}
    path = {"path": "/", "pathType": "ImplementationSpecific", "backend": service}
    assert found == {
        "defaultBackend": {"service": {"name": "web", "port": {"name": "http"}}},
        "rules": [{"host": "x", "http": {"paths": [path]}}, {"host": "y"}],
    }


def test_an_empty_selector_of_a_budget_selected_nothing() -> None:
    found = spec_of("policy/v1beta1", "PodDisruptionBudget", {"selector": {}}, "policy/v1")

    key = "pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match"
    assert found == {"selector": {"matchExpressions": [{"key": key, "operator": "Exists"}]}}
    assert spec_of("policy/v1beta1", "PodDisruptionBudget", {"selector": SELECTOR}, "policy/v1") == {
        "selector": SELECTOR
    }


def test_metrics_of_an_autoscaler() -> None:
    first = {"type": "Resource", "resource": {"name": "cpu", "targetAverageUtilization": 50}}
    then = {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 50}},
    }
    kind = "HorizontalPodAutoscaler"

    assert spec_of("autoscaling/v2beta1", kind, {"metrics": [first]}, "autoscaling/v2") == {"metrics": [then]}
    assert spec_of("autoscaling/v2beta2", kind, {"metrics": [then]}, "autoscaling/v2") == {"metrics": [then]}
    one = {"targetCPUUtilizationPercentage": 50, "maxReplicas": 3}
    assert spec_of("autoscaling/v1", kind, one, "autoscaling/v2") == {"maxReplicas": 3, "metrics": [then]}


def test_shares_of_a_priority_level() -> None:
    limited = {"type": "Limited", "limited": {"assuredConcurrencyShares": 5}}
    group = "flowcontrol.apiserver.k8s.io"
    found = spec_of(f"{group}/v1beta1", "PriorityLevelConfiguration", limited, f"{group}/v1")

    assert found == {"type": "Limited", "limited": {"nominalConcurrencyShares": 5}}


@pytest.mark.parametrize(
    "stored",
    [
        {"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "spec": {"version": "v1"}},
        {"apiVersion": "autoscaling/v2beta1", "kind": "HorizontalPodAutoscaler", "spec": {"metrics": [
            {"type": "Pods", "pods": {"metricName": "x", "targetAverageValue": 1}}]}},
    ],
    ids=["definition", "metric of pods"],
)  # fmt: skip
def test_a_former_object_without_a_conversion_is_unknown(stored: JsonObject) -> None:
    now = successor("1.37", (stored["apiVersion"], stored["kind"]))

    assert now is not None
    assert convert_former(stored, now, SCHEMA) is None


def test_differences_of_removed_versions_are_reported() -> None:
    went = [gvk for gvk in lifetimes() if standing("1.37", gvk).is_refused and successor("1.37", gvk)]

    assert len(differences(("extensions/v1beta1", "Ingress"))) == 4
    assert [gvk for gvk in lifetimes() if differences(gvk) and gvk not in went] == []
