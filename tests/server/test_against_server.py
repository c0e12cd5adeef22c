"""Answers of a real server to dry runs, next to the predicted ones."""

import re
from collections.abc import Iterator

import pytest

from kubectl_applylint.core.outcome import Write
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, equal, mapping
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.write import JSON_BODY, STRATEGIC_PATCH, Answer, Refused, Server, Stored, answer
from tests.cluster.api import Reply
from tests.cluster.cluster import Cluster
from tests.server.stored import cases
from tests.server.test_faults import FAULTS

DRY_RUN = "dryRun=All&fieldValidation=Strict"
BY_SERVER = ("creationTimestamp", "generation", "managedFields", "resourceVersion", "selfLink", "uid")
ALLOCATED = ("clusterIP", "clusterIPs", "healthCheckNodePort")
DISABLED = frozenset({"ServiceAccount"})


@pytest.fixture(scope="module")
def version(cluster: Cluster) -> str:
    found = re.match(r"v(1\.\d+)", cluster.version)
    assert found is not None
    return found[1]


def fresh(stored: Json) -> Json:
    """Return a stored object as a new manifest: without the fields that only the server sets."""
    metadata = {key: value for key, value in stored["metadata"].items() if key not in (*BY_SERVER, "namespace")}
    manifest = {key: value for key, value in stored.items() if key != "status"} | {"metadata": metadata}
    spec = {key: value for key, value in mapping(stored.get("spec")).items() if key not in ALLOCATED}
    if stored["kind"] == "Service":
        spec["ports"] = [{key: value for key, value in port.items() if key != "nodePort"} for port in spec["ports"]]
    if stored["kind"] == "Job":
        spec = {key: value for key, value in spec.items() if key != "selector"}
        spec["template"] = {"spec": spec["template"]["spec"]}
    return {**manifest, "spec": spec} if spec else manifest


def collection(kind: Kind) -> str:
    prefix = f"/apis/{kind.api_version}" if "/" in kind.api_version else f"/api/{kind.api_version}"
    return f"{prefix}/namespaces/default/{kind.resource}" if kind.namespaced else f"{prefix}/{kind.resource}"


def differences(seen: Json, predicted: Json, path: str = "") -> Iterator[str]:
    """Yield where two objects differ; what is predicted as unknown must exist."""
    if isinstance(seen, dict) and isinstance(predicted, dict):
        for key in sorted(seen.keys() | predicted.keys()):
            if key in seen and key in predicted:
                yield from differences(seen[key], predicted[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}"
    elif isinstance(seen, list) and isinstance(predicted, list) and len(seen) == len(predicted):
        for position, pair in enumerate(zip(seen, predicted, strict=True)):
            yield from differences(*pair, f"{path}[{position}]")
    elif not isinstance(predicted, Unknown) and not equal(seen, predicted):
        yield path


def without_servers_own(obj: Json) -> Json:
    metadata = {key: value for key, value in obj["metadata"].items() if key not in BY_SERVER}
    return {key: value for key, value in obj.items() if key != "status"} | {"metadata": metadata}


@pytest.mark.parametrize(("server", "stored"), cases())
def test_a_new_object_is_stored_as_predicted(cluster: Cluster, version: str, server: str, stored: Json) -> None:
    kind = load(version).kind(stored["apiVersion"], stored["kind"])
    assert kind is not None
    manifest = {**fresh(stored), "metadata": {**fresh(stored)["metadata"]}}
    if kind.namespaced:
        manifest["metadata"]["namespace"] = "default"
    reply = cluster.post(f"{collection(kind)}?{DRY_RUN}", manifest)
    predicted = answer(Write("POST", JSON_BODY, manifest), None, Server(kind, version, disabled_admission=DISABLED))

    assert reply.ok, reply.json
    assert isinstance(predicted, Stored)
    assert list(differences(without_servers_own(reply.json), without_servers_own(predicted.object))) == []


def status_and_message(reply: Reply) -> tuple[int, str]:
    """Return the status of a rejection and its text, without the patch that the server repeats in it."""
    return reply.status, str(reply.json["message"]).split(']": ')[-1]


def predicted_text(given: Answer) -> tuple[int, str]:
    assert isinstance(given, Refused)
    return given.status, given.causes[0].message


@pytest.mark.parametrize(("obj", "created", "patched"), FAULTS)
def test_a_fault_is_rejected_as_predicted(
    cluster: Cluster, version: str, obj: Json, created: str, patched: str
) -> None:
    kind = load(version).kind(obj["apiVersion"], obj["kind"])
    assert kind is not None
    body = {**obj, "metadata": {"name": "x", "namespace": "default"}}
    reply = cluster.post(f"{collection(kind)}?{DRY_RUN}", body)

    assert status_and_message(reply) == predicted_text(
        answer(Write("POST", JSON_BODY, body), None, Server(kind, version))
    )
    assert status_and_message(reply)[1].endswith(created)


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param({"data": {"a": 5}}, id="number for a text"),
        pytest.param({"data": "x"}, id="text for a map"),
        pytest.param({"immutable": "x"}, id="text for a boolean"),
        pytest.param({"binaryData": {"a": "new"}}, id="no base64"),
        pytest.param({"metadata": {"finalizers": {"a": 1}}}, id="map for a list"),
        pytest.param({"zzz": {"a": 1}}, id="unknown field"),
        pytest.param({"data": {"$patch": "x"}}, id="unknown directive"),
    ],
)
def test_a_bad_patch_is_rejected_as_predicted(cluster: Cluster, version: str, patch: Json) -> None:
    kind = load(version).kind("v1", "ConfigMap")
    assert kind is not None
    namespace = cluster.make_namespace()
    try:
        path = f"/api/v1/namespaces/{namespace}/configmaps"
        live = cluster.post(path, {"metadata": {"name": "x"}, "data": {"b": "c"}}).json
        reply = cluster.patch(f"{path}/x?{DRY_RUN}", patch, STRATEGIC_PATCH)
    finally:
        cluster.drop_namespace(namespace)

    assert status_and_message(reply) == predicted_text(
        answer(Write("PATCH", STRATEGIC_PATCH, patch), live, Server(kind, version))
    )
