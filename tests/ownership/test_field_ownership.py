"""Managers × fields of live objects."""

import json

import pytest

from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json, JsonObject
from kubectl_applylint.ownership.field_ownership import Manager, ObjectOwnership, ownership_of
from kubectl_applylint.schema.load import load

SCHEMA = load("1.36")
CLIENT = Manager("kubectl-client-side-apply", "Update", "apps/v1", time="2026-01-02T03:04:05Z")
SCALER = Manager("kube-controller-manager", "Update", "apps/v1", "scale")
TEAM = Manager("team", "Apply", "apps/v1")


def entry(manager: Manager, fields: Json) -> Json:
    """Return an entry of managedFields."""
    return {
        "manager": manager.name,
        "operation": manager.operation,
        "apiVersion": manager.api_version,
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
        **({"time": manager.time} if manager.time else {}),
        **({"subresource": manager.subresource} if manager.subresource else {}),
    }


def deployment(*entries: Json, **spec: Json) -> JsonObject:
    """Return a Deployment of three replicas with one container."""
    containers = [{"name": "web", "image": "web:1", "ports": [{"containerPort": 80, "protocol": "TCP"}]}]
    applied = {"spec": {"replicas": 2, "template": {"spec": {"containers": [{"name": "web", "image": "web:1"}]}}}}
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {
            "name": "web",
            "namespace": "shop",
            "annotations": {LAST_APPLIED: json.dumps(applied)},
            "managedFields": [*entries],
        },
        "spec": {
            "replicas": 3,
            "selector": {"matchLabels": {"app": "web"}},
            "template": {"spec": {"containers": containers}},
            **spec,
        },
        "status": {"replicas": 3},
    }


def owners_of(live: JsonObject) -> ObjectOwnership:
    return ownership_of(live, SCHEMA.kind(str(live["apiVersion"]), str(live["kind"])))


def by_path(owners: ObjectOwnership) -> dict[str, list[str]]:
    return {render(each.path): [m.title for m in each.managers] for each in owners.fields}


IMAGE: JsonObject = {
    "f:template": {"f:spec": {"f:containers": {'k:{"name":"web"}': {".": {}, "f:image": {}, "f:name": {}}}}}
}


def test_every_leaf_has_its_owners() -> None:
    live = deployment(
        entry(TEAM, {"f:spec": {"f:replicas": {}}}),
        entry(CLIENT, {"f:spec": IMAGE}),
        entry(SCALER, {"f:spec": {"f:replicas": {}}}),
    )

    owners = owners_of(live)

    assert owners.managers == (TEAM, CLIENT, SCALER)
    container = "spec.template.spec.containers[name=web]"
    assert by_path(owners) == {
        f'metadata.annotations["{LAST_APPLIED}"]': [],
        "spec.replicas": ["team", "kube-controller-manager/scale"],
        "spec.selector": [],
        f"{container}.image": ["kubectl-client-side-apply"],
        f"{container}.name": ["kubectl-client-side-apply"],
        f"{container}.ports[containerPort=80,protocol=TCP].containerPort": [],
        f"{container}.ports[containerPort=80,protocol=TCP].protocol": [],
    }
    assert [render(each.path) for each in owners.shared] == ["spec.replicas"]
    assert len(owners.unowned) == 4
    assert [render(each.path) for each in owners.of(SCALER)] == ["spec.replicas"]


def test_fields_of_the_last_applied_annotation_are_marked() -> None:
    owners = owners_of(deployment(entry(CLIENT, {"f:spec": IMAGE})))

    assert owners.has_last_applied
    assert [render(each.path) for each in owners.fields if each.in_last_applied] == [
        "spec.replicas",
        "spec.template.spec.containers[name=web].image",
        "spec.template.spec.containers[name=web].name",
    ]


def test_a_field_that_only_its_owner_names_has_no_value() -> None:
    owners = owners_of(deployment(entry(TEAM, {"f:spec": {"f:paused": {}}})))

    (paused,) = owners.of(TEAM)
    assert (render(paused.path), paused.value) == ("spec.paused", MISSING)
    assert paused.to_json() == {
        "path": "spec.paused",
        "managers": [
            {"manager": "team", "operation": "Apply", "apiVersion": "apps/v1", "subresource": None, "time": None}
        ],
        "lastApplied": False,
    }


def test_an_owned_status_counts() -> None:
    writer = Manager("kube-controller-manager", "Update", "apps/v1", "status")

    owners = owners_of(deployment(entry(writer, {"f:status": {"f:replicas": {}}})))

    assert [render(each.path) for each in owners.of(writer)] == ["status.replicas"]


@pytest.mark.parametrize(
    "live",
    [
        {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"list": [{"a": 1}]}},
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "w"}, "spec": {"list": [{"a": 1}]}},
        {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": "w"},
            "spec": {"list": [{"a": 1}], "containers": [""]},
        },
    ],
    ids=["no schema", "field without a schema", "element without its key"],
)
def test_fields_without_a_schema_are_deduced(live: JsonObject) -> None:
    owners = owners_of(live)

    assert not owners.has_last_applied
    assert by_path(owners)["spec.list"] == []


@pytest.mark.parametrize(
    ("manager", "text"),
    [
        (CLIENT, "kubectl-client-side-apply (Update, apps/v1, 2026-01-02T03:04:05Z)"),
        (SCALER, "kube-controller-manager/scale (Update, apps/v1)"),
        (TEAM, "team (Apply, apps/v1)"),
    ],
    ids=["time", "subresource", "applier"],
)
def test_a_manager_is_written_on_one_line(manager: Manager, text: str) -> None:
    assert str(manager) == text
    assert manager.applies is (manager is TEAM)
