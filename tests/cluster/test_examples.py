"""The examples show what really happens: a server that holds their snapshot answers kubectl as they say."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
import yaml

from kubectl_applylint import api
from kubectl_applylint.core.values import JsonObject
from tests.cluster.cluster import Cluster

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
NAMESPACE = "shop"
COLLECTIONS: Mapping[str, str] = {
    "ConfigMap": "/api/v1/namespaces/shop/configmaps",
    "Secret": "/api/v1/namespaces/shop/secrets",
    "Service": "/api/v1/namespaces/shop/services",
    "Deployment": "/apis/apps/v1/namespaces/shop/deployments",
    "StatefulSet": "/apis/apps/v1/namespaces/shop/statefulsets",
    "HorizontalPodAutoscaler": "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers",
}
ANSWERS = {
    "configmap/settings": "configured",
    "deployment.apps/web": "configured",
    "horizontalpodautoscaler.autoscaling/web": "unchanged",
    "poddisruptionbudget.policy/web": "created",
    "secret/database": "configured",
    "service/database": "unchanged",
    "service/web": "configured",
}
REFUSALS = {
    "deployment.apps/cache": '"cache" is invalid: spec.selector: ',
    "statefulset.apps/database": '"database" is invalid: spec.updateStrategy.rollingUpdate: ',
    "deployment.apps/worker": '"worker" is invalid: spec.template.spec.containers[0].env[1].valueFrom: ',
}
SERVER_MADE = ("creationTimestamp", "resourceVersion", "uid")


@pytest.fixture(name="shop")
def _shop(cluster: Cluster) -> Iterator[Cluster]:
    cluster.make_namespace(NAMESPACE)
    for item in yaml.safe_load((EXAMPLES / "snapshot.yaml").read_text(encoding="utf-8"))["items"]:
        reply = cluster.post(COLLECTIONS[item["kind"]], fresh(item))
        assert reply.ok, reply.json
    yield cluster
    cluster.drop_namespace(NAMESPACE)


def fresh(item: JsonObject) -> JsonObject:
    """Return a live object as it can be created once more: the server chooses values again that it chose before."""
    metadata = {key: value for key, value in item["metadata"].items() if key not in SERVER_MADE}
    addresses = ("clusterIP", "clusterIPs") if item.get("spec", {}).get("clusterIP") != "None" else ()
    spec = {"spec": {k: v for k, v in item["spec"].items() if k not in addresses}} if "spec" in item else {}
    return {**item, **spec, "metadata": metadata}


def test_the_server_answers_as_the_examples_predict(shop: Cluster) -> None:
    done = shop.run("apply", "--filename", str(EXAMPLES / "shop"))

    assert dict(line.split(" ", 1) for line in done.stdout.splitlines()) == ANSWERS
    assert [reason for reason in REFUSALS.values() if reason not in done.stderr] == []
    ports = shop.get(f"{COLLECTIONS['Service']}/web").json["spec"]["ports"]
    assert [(port["name"], port["port"], port["protocol"]) for port in ports] == [
        ("http", 80, "TCP"),
        ("https", 443, "UDP"),
    ]
    assert shop.get(f"{COLLECTIONS['Deployment']}/web").json["spec"]["replicas"] == 1


def test_the_server_answers_as_the_change_predicts(cluster: Cluster, namespace: str, tmp_path: Path) -> None:
    for file in (EXAMPLES / "change").rglob("*.yaml"):
        copy = tmp_path / file.parent.name / file.name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(file.read_text(encoding="utf-8").replace("namespace: shop", f"namespace: {namespace}"))
    before, after = (cluster.run("apply", "--filename", str(tmp_path / side)) for side in ("before", "after"))

    assert before.stderr == ""
    assert after.stdout.splitlines() == [
        "horizontalpodautoscaler.autoscaling/web created",
        "deployment.apps/web configured",
    ]
    assert "updates to statefulset spec for fields other than" in after.stderr
    deployment = cluster.get(f"/apis/apps/v1/namespaces/{namespace}/deployments/web").json
    assert deployment["spec"]["replicas"] == 1
    assert cluster.get(f"/api/v1/namespaces/{namespace}/configmaps/greeting").ok


def test_objects_with_findings_of_rejection_are_rejected() -> None:
    report = api.check([str(EXAMPLES / "shop")], snapshot=str(EXAMPLES / "snapshot.yaml"))
    refused = {str(finding.ref) for finding in report.findings if finding.rule.endswith("-rejected")}

    assert refused
    assert refused <= REFUSALS.keys()
