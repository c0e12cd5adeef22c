"""Names in objects, and the search for them in unchanged files."""

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.relations import index_query, references
from tests.rules.stories import document

CONTAINER: JsonObject = {
    "name": "web",
    "env": [
        {"name": "A", "valueFrom": {"configMapKeyRef": {"name": "settings", "key": "a"}}},
        {"name": "B", "valueFrom": {"secretKeyRef": {"name": "token", "key": "b", "optional": True}}},
    ],
    "envFrom": [{"configMapRef": {"name": "more"}}, {"secretRef": {"name": "hidden"}}],
    "volumeMounts": [
        {"name": "files", "mountPath": "/a", "subPath": "app.conf"},
        {"name": "picked", "mountPath": "/b", "subPath": "renamed.conf"},
        {"name": "files", "mountPath": "/c", "subPath": "folder/app.conf"},
    ],
}
SPEC: JsonObject = {
    "containers": [CONTAINER],
    "volumes": [
        {"name": "files", "configMap": {"name": "files"}},
        {"name": "picked", "secret": {"secretName": "keys", "items": [{"key": "k", "path": "renamed.conf"}]}},
        {"name": "all", "projected": {"sources": [{"configMap": {"name": "ca"}}, {"serviceAccountToken": {}}]}},
        {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
    ],
    "imagePullSecrets": [{"name": "registry"}],
    "serviceAccountName": "runner",
}
OF_PODS = {
    ("ConfigMap.", "settings", "a", "containers[0].env[0].valueFrom.configMapKeyRef"),
    ("Secret.", "token", "b", "containers[0].env[1].valueFrom.secretKeyRef"),
    ("ConfigMap.", "more", "", "containers[0].envFrom[0].configMapRef"),
    ("Secret.", "hidden", "", "containers[0].envFrom[1].secretRef"),
    ("ConfigMap.", "files", "app.conf", "containers[0].volumeMounts[0].subPath"),
    ("ConfigMap.", "files", "", "volumes[0].configMap"),
    ("Secret.", "keys", "", "volumes[1].secret"),
    ("Secret.", "keys", "k", "volumes[1].secret.items[0]"),
    ("ConfigMap.", "ca", "", "volumes[2].projected.sources[0].configMap"),
    ("PersistentVolumeClaim.", "data", "", "volumes[3].persistentVolumeClaim"),
    ("Secret.", "registry", "", "imagePullSecrets[0]"),
    ("ServiceAccount.", "runner", "", "serviceAccountName"),
}


@pytest.mark.parametrize(
    ("kind", "manifest", "start"),
    [
        ("Pod.", {"spec": SPEC}, "spec."),
        ("Deployment.apps", {"spec": {"template": {"spec": SPEC}}}, "spec.template.spec."),
        (
            "CronJob.batch",
            {"spec": {"jobTemplate": {"spec": {"template": {"spec": SPEC}}}}},
            "spec.jobTemplate.spec.template.spec.",
        ),
    ],
    ids=["pod", "deployment", "cronjob"],
)
def test_pods_name_what_they_need(kind: str, manifest: JsonObject, start: str) -> None:
    found = {(one.kind, one.name, one.key, render(one.path).removeprefix(start)) for one in references(kind, manifest)}

    assert found == OF_PODS


def test_optional_references_of_pods_are_marked() -> None:
    found = references("Pod.", {"spec": SPEC})

    assert [one.name for one in found if one.is_optional] == ["token"]


@pytest.mark.parametrize(
    ("kind", "manifest", "named"),
    [
        (
            "HorizontalPodAutoscaler.autoscaling",
            {"spec": {"scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}},
            [("Deployment.apps", "web", "")],
        ),
        ("ScaledObject.keda.sh", {"spec": {"scaleTargetRef": {"name": "web"}}}, [("Deployment.apps", "web", "")]),
        (
            "Ingress.networking.k8s.io",
            {
                "spec": {
                    "defaultBackend": {"service": {"name": "rest"}},
                    "rules": [{"http": {"paths": [{"backend": {"service": {"name": "web"}}}]}}, {}],
                }
            },
            [("Service.", "rest", ""), ("Service.", "web", "")],
        ),
        ("StatefulSet.apps", {"spec": {"serviceName": "peers"}}, [("Service.", "peers", "")]),
        (
            "RoleBinding.rbac.authorization.k8s.io",
            {
                "roleRef": {"kind": "Role", "name": "reader"},
                "subjects": [{"kind": "ServiceAccount", "name": "runner", "namespace": "ci"}, {"kind": "User"}],
            },
            [("Role.rbac.authorization.k8s.io", "reader", ""), ("ServiceAccount.", "runner", "ci")],
        ),
        (
            "ValidatingWebhookConfiguration.admissionregistration.k8s.io",
            {"webhooks": [{"clientConfig": {"service": {"name": "judge", "namespace": "sys"}}}]},
            [("Service.", "judge", "sys")],
        ),
        ("Pod.", {"spec": {"imagePullSecrets": [{"name": 7}, None], "volumes": 3, "containers": [None]}}, []),
    ],
    ids=["autoscaler", "keda", "ingress", "stateful-set", "binding", "webhook", "junk"],
)
def test_others_name_objects(kind: str, manifest: JsonObject, named: list[tuple[str, str, str]]) -> None:
    assert [(one.kind, one.name, one.namespace) for one in references(kind, manifest)] == named


def test_related_objects_have_a_name_or_label_of_a_changed_one() -> None:
    labels = {"app": "web"}
    web = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "front"},
        "spec": {"template": {"metadata": {"labels": labels}, "spec": {"containers": [CONTAINER]}}},
    }
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "api"}, "spec": {"selector": {"tier": "x"}}}
    found = index_query([document(web), document(service)])

    assert found["Service."] == {"web", "api"}
    assert found["HorizontalPodAutoscaler.autoscaling"] == {"front"}
    assert found["ConfigMap."] == {"settings", "more"}
    assert found["Ingress.networking.k8s.io"] == {"api"}
    assert found["DaemonSet.apps"] == {"x"}
    assert found["Deployment.apps"] == {"front", "x"}


def test_an_encrypted_name_or_key_is_no_reference() -> None:
    hidden = "ENC[AES256_GCM,0123]"
    env = [
        {"name": "A", "valueFrom": {"secretKeyRef": {"name": "token", "key": hidden}}},
        {"name": "B", "valueFrom": {"secretKeyRef": {"name": hidden, "key": "b"}}},
        {"name": "C", "valueFrom": {"secretKeyRef": {"name": "token", "key": "c"}}},
    ]
    pod: JsonObject = {"spec": {"containers": [{"name": "web", "env": env}]}}

    assert [(one.name, one.key) for one in references("Pod.", pod)] == [("token", "c")]
