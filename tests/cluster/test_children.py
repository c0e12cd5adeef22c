"""Requests that are predicted of a sync by Metacontroller, sent to a real server: it stores the predicted objects.

Metacontroller itself does not run here; its requests are those that its sources show.
"""

import json

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.metacontroller.write import ANNOTATION
from tests.cluster.desk import Desk

WANTED = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {a: '2'}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:2"}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{name: http, port: 80}]}
"""
PLAN = (
    "plan -f web.yaml --applier metacontroller --parent configmap/parent --update-method=InPlace"
    " --update-method=cm=Recreate"
)


def child(desk: Desk, owner: JsonObject, kind: str, name: str = "web", **body: Json) -> None:
    """Make a child as an earlier sync has made it."""
    version = "apps/v1" if kind == "Deployment" else "v1"
    names: JsonObject = {"name": name, "namespace": desk.namespace}
    wanted = {"apiVersion": version, "kind": kind, "metadata": names, **body}
    noted = {"annotations": {ANNOTATION: json.dumps(wanted)}, "ownerReferences": [owner]}
    path = desk.path(kind).rpartition("/")[0]
    reply = desk.cluster.post(f"{path}?fieldManager=metacontroller", {**wanted, "metadata": {**names, **noted}})
    assert reply.ok, reply.json


@pytest.fixture(name="owner")
def _owner(desk: Desk) -> JsonObject:
    """A parent with a Deployment, a ConfigMap and one more child that no hook wants any more."""
    desk.does("kubectl create configmap parent")
    uid = desk.sh(f"kubectl get cm parent -o jsonpath='{{.metadata.uid}}' -n {desk.namespace}").stdout
    owner: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "name": "parent", "uid": uid, "controller": True}
    labels = {"app": "web"}
    box = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "web", "image": "web:1"}]}}
    child(desk, owner, "Deployment", spec={"selector": {"matchLabels": labels}, "template": box})
    child(desk, owner, "ConfigMap", data={"a": "1"})
    child(desk, owner, "ConfigMap", "old", data={"a": "1"})
    child(desk, {**owner, "name": "other", "uid": "7"}, "ConfigMap", "theirs", data={"a": "1"})
    sidecar = {"spec": {"template": {"spec": {"containers": [{"name": "sidecar", "image": "sidecar:1"}]}}}}
    assert desk.cluster.patch(desk.path(), sidecar, "application/strategic-merge-patch+json").ok
    desk.write(WANTED)
    return owner


def without_server_fields(item: JsonObject) -> JsonObject:
    """Return an object without the fields that only the server knows."""
    own = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields", "ownerReferences")
    metadata = {name: value for name, value in item["metadata"].items() if name not in own}
    spec = {name: value for name, value in item.get("spec", {}).items() if not name.startswith("clusterIP")}
    return {**item, "metadata": metadata, **({"spec": spec} if spec else {})}


def test_a_sync_has_the_predicted_results(desk: Desk, owner: JsonObject) -> None:
    objects = desk.report(PLAN)["objects"]

    for item in objects:
        path = desk.path(item["kind"]).rpartition("/")[0]
        for write in item["requests"]:
            place = path if write["method"] == "POST" else f"{path}/{item['name']}"
            reply = desk.cluster.api.call(write["method"], place, write["body"])
            assert reply.ok, reply.json

    assert {(item["kind"], item["name"]): [write["method"] for write in item["requests"]] for item in objects} == {
        ("ConfigMap", "web"): ["DELETE", "POST"],
        ("Deployment", "web"): ["PUT"],
        ("Service", "web"): ["POST"],
        ("ConfigMap", "old"): ["DELETE"],
    }
    for item in (each for each in objects if each["result"]):
        assert without_server_fields(desk.live(item["kind"])) == without_server_fields(item["result"])
    assert desk.cluster.get(desk.path("ConfigMap").replace("web", "old")).status == 404
    again = desk.report(PLAN)["objects"]
    assert [(item["name"], item["verdict"]) for item in again] == [("web", "unchanged")] * 3
