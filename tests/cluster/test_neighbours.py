"""A user with read-only rights predicts applies that other objects forbid; kubectl then makes them."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.cli import applylint, kubectl_applylint
from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import Cluster

TRUST = "pod-security.kubernetes.io/"
CONTAINER: JsonObject = {"name": "a", "image": "i"}
QUOTA = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"configmaps": "0"}}}
SCOPED = {
    "apiVersion": "v1",
    "kind": "ResourceQuota",
    "metadata": {"name": "s"},
    "spec": {"hard": {"pods": "0"}, "scopes": ["Terminating"]},
}
REGISTRATION = "/apis/admissionregistration.k8s.io/v1"
TRUSTED = {
    "securityContext": {"runAsNonRoot": True, "seccompProfile": {"type": "RuntimeDefault"}},
    "containers": [
        {**CONTAINER, "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}}}
    ],
}


@pytest.fixture(name="bounded_namespace", scope="module")
def _bounded_namespace(cluster: Cluster) -> Iterator[str]:
    """Return a namespace that trusts no pod, and whose quota is used up."""
    name = cluster.make_namespace()
    labels = {f"{TRUST}enforce": "restricted"}
    assert cluster.patch(f"/api/v1/namespaces/{name}", {"metadata": {"labels": labels}}).ok
    quotas = f"/api/v1/namespaces/{name}/resourcequotas"
    stored = cluster.post(quotas, QUOTA)
    assert stored.ok, stored.json
    status = {"hard": {"configmaps": "0"}, "used": {"configmaps": "0"}}
    assert cluster.put(f"{quotas}/q/status", {**stored.json, "status": status}).ok
    scoped = cluster.post(quotas, SCOPED)
    status = {"hard": {"pods": "0"}, "used": {"pods": "0"}}
    assert cluster.put(f"{quotas}/s/status", {**scoped.json, "status": status}).ok
    for path, item in (("policies", policy()), ("policybindings", binding(name))):
        assert cluster.post(f"{REGISTRATION}/validatingadmission{path}", item).ok
    time.sleep(6)  # The server's own view of quotas and policies is late.
    yield name
    for path in ("policybindings", "policies"):
        cluster.delete(f"{REGISTRATION}/validatingadmission{path}/named-by-parameter")
    cluster.drop_namespace(name)


def policy() -> JsonObject:
    """Return a policy that lets a Lease have no other name than its parameter, a PriorityClass."""
    rule = {"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"], "resources": ["leases"]}
    spec = {
        "paramKind": {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"},
        "matchConstraints": {"resourceRules": [rule]},
        "validations": [{"expression": "object.metadata.name == params.metadata.name", "message": "another name"}],
    }
    return registration("ValidatingAdmissionPolicy", spec)


def binding(namespace: str) -> JsonObject:
    """Return what puts the policy in force in one namespace."""
    spec = {
        "policyName": "named-by-parameter",
        "paramRef": {"name": "system-node-critical", "parameterNotFoundAction": "Deny"},
        "matchResources": {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": namespace}}},
        "validationActions": ["Deny"],
    }
    return registration("ValidatingAdmissionPolicyBinding", spec)


def registration(kind: str, spec: JsonObject) -> JsonObject:
    metadata = {"name": "named-by-parameter"}
    return {"apiVersion": "admissionregistration.k8s.io/v1", "kind": kind, "metadata": metadata, "spec": spec}


def manifest(kind: str, namespace: str, name: str = "x", **content: object) -> JsonObject:
    version = "coordination.k8s.io/v1" if kind == "Lease" else "v1"
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}, **content}


@pytest.mark.parametrize(
    ("kind", "content", "namespace", "words"),
    [
        ("ConfigMap", {"data": {}}, "nowhere", 'namespaces "nowhere" not found'),
        ("ConfigMap", {"data": {}}, "", "exceeded quota: q, requested: configmaps=1, used: configmaps=0"),
        ("Pod", {"spec": {"containers": [CONTAINER]}}, "", 'violates PodSecurity "restricted:latest"'),
        ("Pod", {"spec": {**TRUSTED, "activeDeadlineSeconds": 9}}, "", "exceeded quota: s, requested: pods=1"),
        ("Lease", {"spec": {}}, "", "'named-by-parameter' denied request: another name"),
        ("Secret", {}, "", ""),
    ],
    ids=["no namespace", "no quota left", "no trust", "no quota of its scope", "parameters", "nothing forbids it"],
)
def test_rejections_by_other_objects_are_predicted(
    cluster: Cluster,
    reader: Cluster,
    bounded_namespace: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    kind: str,
    content: JsonObject,
    namespace: str,
    words: str,
) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(manifest(kind, namespace or bounded_namespace, **content)))
    flags = (f"--kubeconfig={reader.kubeconfig}", f"--cache-dir={tmp_path}")
    code = kubectl_applylint(["plan", str(file), "-v", *flags])
    output = capsys.readouterr()
    applied = cluster.run("apply", "-f", str(file))
    cluster.delete(f"/api/v1/namespaces/{bounded_namespace}/secrets/x")

    assert code == (1 if words else 0), output.out + output.err
    assert words in output.out
    assert "not predicted" not in output.err
    assert (applied.code == 0) == (not words)
    assert words in applied.stderr


def test_effects_of_earlier_manifests_are_predicted(
    cluster: Cluster, namespace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    limits = manifest("LimitRange", namespace, spec={"limits": [{"type": "Pod", "max": {"cpu": "1"}}]})
    home = {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": {"name": namespace, "labels": {f"{TRUST}warn": "baseline"}},
    }
    shared = {"hostNetwork": True, "containers": [{**CONTAINER, "resources": {"limits": {"cpu": "1"}}}]}
    pods = [
        manifest("Pod", namespace, name, spec=spec)
        for name, spec in (("x", shared), ("y", {"containers": [CONTAINER]}))
    ]
    for folder, items in (("before", [home, limits]), ("after", pods)):
        (tmp_path / folder).mkdir()
        for place, item in enumerate(items):
            (tmp_path / folder / f"{place}.json").write_text(json.dumps(item))
    code = applylint(["plan", str(tmp_path / "after"), f"--against=dir:{tmp_path / 'before'}", "-v"])
    out = capsys.readouterr().out
    assert cluster.run("apply", "-f", str(tmp_path / "before")).code == 0
    time.sleep(1)
    applied = cluster.run("apply", "-f", str(tmp_path / "after"))
    cluster.delete(f"/api/v1/namespaces/{namespace}/pods/x")
    warning, refusal = (
        'would violate PodSecurity "baseline:latest": host namespaces',
        "maximum cpu usage per Pod is 1.  No",
    )

    assert (code, applied.code) == (1, 1)
    assert warning in out
    assert warning in applied.stderr
    assert f'pods "y" is forbidden: {refusal} limit is specified' in out
    assert f'pods "y" is forbidden: {refusal} limit is specified' in applied.stderr
