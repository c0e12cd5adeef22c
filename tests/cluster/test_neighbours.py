"""What a user who may only read foretells of applies that other objects forbid, and what kubectl then does."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kubectl_applylint.cli import kubectl_applylint
from kubectl_applylint.values import JsonObject
from tests.cluster.cluster import Cluster

TRUST = "pod-security.kubernetes.io/"
CONTAINER: JsonObject = {"name": "a", "image": "i"}
QUOTA = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"configmaps": "0"}}}


@pytest.fixture(name="bounded", scope="module")
def _bounded(cluster: Cluster) -> Iterator[str]:
    """Return a namespace that trusts no pod, and whose quota is used up."""
    name = cluster.make_namespace()
    labels = {f"{TRUST}enforce": "restricted"}
    assert cluster.patch(f"/api/v1/namespaces/{name}", {"metadata": {"labels": labels}}).ok
    quotas = f"/api/v1/namespaces/{name}/resourcequotas"
    stored = cluster.post(quotas, QUOTA)
    assert stored.ok, stored.json
    status = {"hard": {"configmaps": "0"}, "used": {"configmaps": "0"}}
    assert cluster.put(f"{quotas}/q/status", {**stored.json, "status": status}).ok
    time.sleep(1)  # The server's own view of a quota is late.
    yield name
    cluster.drop_namespace(name)


def manifest(kind: str, namespace: str, **content: object) -> JsonObject:
    return {"apiVersion": "v1", "kind": kind, "metadata": {"name": "x", "namespace": namespace}, **content}


@pytest.mark.parametrize(
    ("kind", "content", "namespace", "words"),
    [
        ("ConfigMap", {"data": {}}, "nowhere", 'namespaces "nowhere" not found'),
        ("ConfigMap", {"data": {}}, "", "exceeded quota: q, requested: configmaps=1, used: configmaps=0"),
        ("Pod", {"spec": {"containers": [CONTAINER]}}, "", 'violates PodSecurity "restricted:latest"'),
        ("Secret", {}, "", ""),
    ],
    ids=["no namespace", "no quota left", "no trust", "nothing forbids it"],
)
def test_what_others_forbid_is_foretold(
    cluster: Cluster,
    reader: Cluster,
    bounded: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    *,
    kind: str,
    content: JsonObject,
    namespace: str,
    words: str,
) -> None:
    file = tmp_path / "x.json"
    file.write_text(json.dumps(manifest(kind, namespace or bounded, **content)))
    flags = (f"--kubeconfig={reader.kubeconfig}", f"--cache-dir={tmp_path}")
    code = kubectl_applylint(["plan", str(file), "-v", *flags])
    told = capsys.readouterr()
    applied = cluster.run("apply", "-f", str(file))
    cluster.delete(f"/api/v1/namespaces/{bounded}/secrets/x")

    assert code == (1 if words else 0), told.out + told.err
    assert words in told.out
    assert "not foretold" not in told.err
    assert (applied.code == 0) == (not words)
    assert words in applied.stderr
