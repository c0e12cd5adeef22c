import pytest

from kubectl_applylint.core.state import ObjectRef, Unknown
from kubectl_applylint.core.values import Json
from kubectl_applylint.report.objects.created import created_words

POD: Json = {"containers": [{"image": "web:1", "ports": [{"containerPort": 80}, {"containerPort": 81}]}]}
TEMPLATE: Json = {"template": {"spec": POD}}
RULE: Json = {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]}


@pytest.mark.parametrize(
    ("version", "kind", "item", "words"),
    [
        ("apps/v1", "Deployment", {"spec": {"replicas": 0, **TEMPLATE}}, "replicas 0; image web:1; ports 80, 81"),
        ("apps/v1", "DaemonSet", {"spec": {"template": {"spec": {"containers": [{"image": "a"}]}}}}, "image a"),
        (
            "batch/v1",
            "CronJob",
            {"spec": {"schedule": "0 1 * * *", "jobTemplate": {"spec": TEMPLATE}}},
            "schedule 0 1 * * *; image web:1; ports 80, 81",
        ),
        (
            "v1",
            "Service",
            {
                "spec": {
                    "type": "ClusterIP",
                    "ports": [
                        {"port": 80, "targetPort": "http"},
                        {"port": 53, "protocol": "UDP"},
                        {"port": 8, "targetPort": 8},
                    ],
                }
            },
            "type ClusterIP; ports 80 → http, 53/UDP, 8",
        ),
        ("v1", "ConfigMap", {"data": dict.fromkeys("abcde", "x")}, "keys a, b, c and 2 more"),
        ("v1", "Secret", {"type": "Opaque", "data": {"a": "********"}}, "type Opaque; keys a"),
        ("v1", "ServiceAccount", {"metadata": {"name": "a"}}, ""),
        (
            "rbac.authorization.k8s.io/v1",
            "Role",
            {"rules": [RULE, {"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]},
            "rules deployments.apps (get, list), /metrics (get)",
        ),
        (
            "autoscaling/v2",
            "HorizontalPodAutoscaler",
            {"spec": {"scaleTargetRef": {"name": "web"}, "maxReplicas": 5}},
            "target web; replicas 1 to 5",
        ),
        ("v1", "ResourceQuota", {"spec": {"hard": {"pods": "5"}}}, "limits pods 5"),
        ("v1", "PersistentVolumeClaim", {"spec": {"resources": {"requests": {"storage": "1Gi"}}}}, "size 1Gi"),
        ("example.org/v1", "Thing", {"spec": {"a": True, "b": {"c": 2}, "d": "x", "e": ""}}, "a true, d x"),
        ("example.org/v1", "Thing", {"kind": "Thing", "driver": "d" * 80}, f"driver {'d' * 64}…"),
        ("example.org/v1", "Thing", {}, ""),
        ("serving.knative.dev/v1", "Service", {"spec": {"template": {}}}, ""),
        ("apps/v1", "Deployment", {"spec": {"replicas": Unknown("x"), "template": None}}, "replicas (unknown)"),
    ],
)
def test_a_new_object_is_described_by_the_main_fields_of_its_kind(
    version: str, kind: str, item: Json, words: str
) -> None:
    assert created_words(ObjectRef(version, kind, "shop", "web"), item) == words
