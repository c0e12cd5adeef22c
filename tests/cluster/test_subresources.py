"""Applies to subresources: what kubectl and a server do, and that the same is predicted from what was live before."""

import json
from typing import Final

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.state import Absent, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from tests.cluster.cluster import Cluster
from tests.cluster.normal import differing, live_form

SINCE: Final = "2000-01-01T00:00:00Z"
NOW: Final = "2026-11-21T10:00:01Z"
DEPLOYMENT: Final[JsonObject] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "labels": {"a": "b"}},
    "spec": {
        "replicas": 2,
        "selector": {"matchLabels": {"app": "web"}},
        "template": {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [{"name": "c", "image": "nginx"}]}},
    },
}
CLAIM: Final[JsonObject] = {
    "apiVersion": "v1",
    "kind": "PersistentVolumeClaim",
    "metadata": {"name": "data"},
    "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}},
}
SETTINGS: Final[JsonObject] = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "s"}, "data": {"a": "b"}}
METADATA: Final[JsonObject] = {"labels": {"a": "c"}, "annotations": {"x": "new"}, "finalizers": ["a.b/c"]}


def with_status(manifest: JsonObject, status: JsonObject, **spec: object) -> JsonObject:
    metadata = {**manifest["metadata"], **METADATA}
    return {**manifest, "metadata": metadata, "spec": {**manifest["spec"], **spec}, "status": status}


def definition(name: str, subresources: JsonObject) -> JsonObject:
    number = {"type": "integer"}
    properties = {
        "spec": {"type": "object", "properties": {"size": {**number, "default": 5}}},
        "status": {"type": "object", "properties": {"size": number, "word": {"type": "string", "default": "none"}}},
        "other": {"type": "string"},
    }
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "subresources": subresources,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
    }
    names = {"plural": f"{name}s", "singular": name, "kind": name.title(), "listKind": f"{name.title()}List"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{name}s.subs.applylint.test"},
        "spec": {"group": "subs.applylint.test", "names": names, "scope": "Namespaced", "versions": [version]},
    }


def custom(kind: str, size: int, other: str) -> JsonObject:
    metadata = {"name": "c", "labels": {"a": "b"}}
    body = {"spec": {"size": size}, "status": {"size": size}, "other": other}
    return {"apiVersion": "subs.applylint.test/v1", "kind": kind, "metadata": metadata, **body}


SCALED: Final = {"status": {}, "scale": {"specReplicasPath": ".spec.size", "statusReplicasPath": ".status.size"}}
DEFINITIONS: Final = (definition("with", SCALED), definition("without", {}))
PARTED: Final = custom("With", 1, "x")
WHOLE: Final = custom("Without", 1, "x")
STATUS: Final = with_status(DEPLOYMENT, {"replicas": 3, "readyReplicas": 3}, replicas=7)
READY: Final = {**DEPLOYMENT, "status": {"readyReplicas": 2}}


@pytest.fixture(scope="session", autouse=True)
def _definitions(cluster: Cluster) -> None:
    """Create the definitions once in each cluster: a process may run the tests of this module in several parts."""
    for each in DEFINITIONS:
        assert cluster.run("create", "-f", "-", stdin=json.dumps(each)).code == 0
        name = each["metadata"]["name"]
        assert cluster.run("wait", "--for=condition=established", f"crd/{name}", "--timeout=30s").code == 0


@pytest.mark.parametrize(
    ("made", "applies"),
    [
        pytest.param(None, [(DEPLOYMENT, "status", ""), (DEPLOYMENT, "scale", ""), (DEPLOYMENT, "x", "")], id="absent"),
        pytest.param(DEPLOYMENT, [(DEPLOYMENT, "scale", ""), (DEPLOYMENT, "x", "")], id="not status"),
        pytest.param(DEPLOYMENT, [(STATUS, "status", ""), (STATUS, "status", "")], id="status"),
        pytest.param(DEPLOYMENT, [(STATUS, "status", "a"), (READY, "status", "b")], id="conflict"),
        pytest.param(DEPLOYMENT, [({**DEPLOYMENT, "status": {"replicas": "x"}}, "status", "")], id="type"),
        pytest.param(DEPLOYMENT, [({**DEPLOYMENT, "status": {"replica": 1}}, "status", "")], id="field"),
        pytest.param(CLAIM, [(with_status(CLAIM, {"phase": "Bound"}, volumeName="v"), "status", "ci")], id="claim"),
        pytest.param(SETTINGS, [(SETTINGS, "status", ""), (SETTINGS, "scale", "")], id="no status"),
        pytest.param(None, [(PARTED, "status", ""), (PARTED, "scale", ""), (PARTED, "x", "")], id="custom, absent"),
        pytest.param(PARTED, [(PARTED, "scale", ""), (PARTED, "x", "")], id="custom, not status"),
        pytest.param(PARTED, [(custom("With", 9, "y"), "status", ""), (PARTED, "status", "ci")], id="custom"),
        pytest.param(WHOLE, [(WHOLE, "status", ""), (WHOLE, "scale", "")], id="custom without subresources"),
    ],
)
def test_applies_to_subresources_have_the_predicted_results(
    cluster: Cluster, namespace: str, made: JsonObject | None, applies: list[tuple[JsonObject, str, str]]
) -> None:
    if made is not None:
        assert cluster.run("apply", f"--namespace={namespace}", "-f", "-", stdin=json.dumps(made)).code == 0

    for manifest, subresource, manager in applies:
        sent = {**manifest, "metadata": {**manifest["metadata"], "namespace": namespace}}
        live = live_object(cluster, sent)
        message, after = apply(cluster, sent, subresource, manager)
        schema = load("1.36", crds=DEFINITIONS)
        state = State(Absent() if live is None else Present(live))
        outcome = predict(
            ApplyRequest(
                sent, state, schema, Applier.KUBECTL_SERVER, field_manager=manager or None, subresource=subresource
            )
        )
        expected = None if after is None else live_form(after, namespace=namespace, since=SINCE)
        result = (
            None if outcome.result is None else live_form(with_times(outcome.result), namespace=namespace, since=SINCE)
        )

        assert differing(result, expected) == []
        assert outcome.refused is (message != "")
        if outcome.verdict is Verdict.REJECTED:
            assert outcome.errors[0].message in message
            assert outcome.errors[0].reason in message
        if outcome.verdict is Verdict.CONFLICT:
            assert outcome.error.splitlines()[0] in message


def apply(cluster: Cluster, sent: JsonObject, subresource: str, manager: str) -> tuple[str, JsonObject | None]:
    """Apply a subresource; return the error of kubectl, empty if there is none, and the live object."""
    flags = [f"--subresource={subresource}", *([f"--field-manager={manager}"] if manager else [])]
    run = cluster.run("apply", "--server-side", *flags, "-f", "-", stdin=json.dumps(sent))
    return (run.stderr if run.code else ""), live_object(cluster, sent)


def live_object(cluster: Cluster, manifest: JsonObject) -> JsonObject | None:
    ref = ref_of(manifest)
    resource = f"{ref.kind}.v1.{ref.group}" if ref.group else ref.kind
    run = cluster.run("get", resource, ref.name, f"--namespace={ref.namespace}", "-o", "json", "--show-managed-fields")
    return json.loads(run.stdout) if run.code == 0 else None


def with_times(value: Json) -> Json:
    """Return a predicted object with a time in place of each unknown value."""
    if isinstance(value, dict):
        return {key: with_times(item) for key, item in value.items()}
    if isinstance(value, list):
        return [with_times(item) for item in value]
    return NOW if isinstance(value, Unknown) else value
