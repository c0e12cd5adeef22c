"""Causes of the value of each field after an apply."""

import json

import pytest

from kubectl_applylint import api
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.changes import changes_of, restarts_of
from kubectl_applylint.schema.load import load

SERVICE = load("1.36").kind("v1", "Service")
MANAGER = "kubectl-client-side-apply"


def live_with(spec: JsonObject, applied: JsonObject | None = None, owners: tuple[Json, ...] = ()) -> dict[str, Json]:
    text = json.dumps({"spec": applied or {}})
    return {"metadata": {"annotations": {LAST_APPLIED: text}, "managedFields": list(owners)}, "spec": spec}


def causes(live: JsonObject | None, after: JsonObject, manifest: JsonObject) -> dict[str, str]:
    changes = changes_of(live, after, manifest, kind=SERVICE, manager=MANAGER)
    return {render(change.path): str(change.provenance) for change in changes}


def spec_causes(before: JsonObject, after: JsonObject, manifest: JsonObject, applied: JsonObject) -> dict[str, str]:
    live = live_with(before, applied)
    found = causes(live, {**live, "spec": after}, {"spec": manifest})
    return {path.removeprefix("spec."): cause for path, cause in found.items()}


@pytest.mark.parametrize(
    ("before", "after", "manifest", "applied", "cause"),
    [
        pytest.param({"type": "A"}, {"type": "B"}, {"type": "B"}, {}, "set by the manifest", id="set"),
        pytest.param({}, {"type": "B"}, {"type": "B"}, {}, "set by the manifest", id="added"),
        pytest.param(
            {"type": "A"},
            {"type": "B"},
            {},
            {"type": "A"},
            "defaulted by the server since its line was removed from the manifest",
            id="back to default",
        ),
        pytest.param(
            {"type": "A"},
            {"type": "B"},
            {"type": None},
            {},
            "defaulted by the server in place of the null",
            id="null to default",
        ),
        pytest.param({"type": "A"}, {}, {}, {"type": "A"}, "deleted because last-applied had it", id="deleted"),
        pytest.param({"type": "A"}, {}, {"type": None}, {}, "dropped by null", id="null"),
        pytest.param({"type": "A"}, {}, {"type": "A"}, {}, "wiped by the server", id="wiped although it is written"),
        pytest.param({"type": "A"}, {}, {}, {}, "wiped by the server", id="wiped"),
        pytest.param(
            {"externalIPs": ["a"]}, {"externalIPs": ["b"]}, {"externalIPs": ["b"]}, {}, "list replaced", id="list"
        ),
        pytest.param(
            {"selector": "x"}, {"selector": {}}, {"selector": {}}, {}, "set by the manifest", id="another type"
        ),
    ],
)
def test_a_change_names_its_cause(
    before: JsonObject, after: JsonObject, manifest: JsonObject, applied: JsonObject, cause: str
) -> None:
    assert list(spec_causes(before, after, manifest, applied).values()) == [cause]


def test_elements_are_paired_by_their_key() -> None:
    before = {"ports": [{"port": 80, "name": "a"}, {"port": 81}]}
    after = {"ports": [{"port": 82}, {"port": 80, "name": "b"}]}

    assert spec_causes(before, after, after, before) == {
        "ports[port=82].port": "merged by key port=82",
        "ports[port=80].name": "set by the manifest",
        "ports[port=81]": "deleted because last-applied had it",
    }


@pytest.mark.parametrize("ports", [[{"port": 80}, {"port": 80}], [{"name": "a"}], ["x"]], ids=str)
def test_elements_without_a_key_of_their_own_are_one_list(ports: Json) -> None:
    assert spec_causes({"ports": [{"port": 1}]}, {"ports": ports}, {"ports": ports}, {}) == {"ports": "list replaced"}


def test_fields_of_another_manager_are_kept() -> None:
    ports: Json = {"k:{}": {}, "k:" + json.dumps({"port": 80, "protocol": "TCP"}): {"f:nodePort": {}, "f:port": {}}}
    owners = (
        {"manager": "scaler", "fieldsV1": {"f:spec": {"f:type": {}, "f:ports": ports}}},
        {"manager": MANAGER, "fieldsV1": {"f:spec": {"f:selector": {}}}},
    )
    ports_live = [{"port": 80, "nodePort": 1}, {"port": 81}]
    live = live_with({"type": "A", "ports": ports_live, "selector": {"a": "b"}}, owners=owners)

    assert causes(live, live, {"spec": {"ports": [{"port": 80}]}}) == {
        "spec.type": "kept from live (manager scaler)",
        "spec.ports[port=80].nodePort": "kept from live (manager scaler)",
    }


def test_the_owner_of_an_atomic_map_owns_its_entries() -> None:
    owner = {"manager": "Mozilla", "fieldsV1": {"f:spec": {"f:selector": {}}}}
    live = live_with({"selector": {"app": "web", "tier": "front"}}, {"selector": {"app": "web"}}, (owner,))

    found = causes(live, live, {"spec": {"selector": {"app": "web"}}})

    assert found == {"spec.selector.tier": "kept from live (manager Mozilla)"}


def test_a_new_object_is_set_defaulted_and_annotated() -> None:
    manifest = {"metadata": {"name": "a"}, "spec": {"selector": {}}}
    after = {
        "metadata": {"name": "a", "uid": "u", "annotations": {LAST_APPLIED: "{}"}},
        "spec": {"selector": {}, "type": "A"},
    }

    assert causes(None, after, manifest) == {
        "metadata.name": "set by the manifest",
        f'metadata.annotations["{LAST_APPLIED}"]': "written by kubectl",
        "spec.selector": "set by the manifest",
        "spec.type": "defaulted by the server",
    }


def test_an_object_that_stays_has_no_changes() -> None:
    live = live_with({"type": "A"})

    assert causes(live, live, {"spec": {}}) == {}


def test_an_unreadable_annotation_deletes_nothing() -> None:
    live = {"metadata": {"annotations": {LAST_APPLIED: "{"}}, "spec": {"type": "A"}}

    assert causes(live, {**live, "spec": {}}, {"spec": {}}) == {"spec.type": "wiped by the server"}


def workload(kind: str, image: str, strategy: str = "RollingUpdate") -> JsonObject:
    template = {"spec": {"containers": [{"name": "c", "image": image}]}}
    return {"kind": kind, "spec": {"template": template, "updateStrategy": {"type": strategy}}}


@pytest.mark.parametrize(
    ("live", "after", "restarts"),
    [
        pytest.param(workload("DaemonSet", "a"), workload("DaemonSet", "b"), True, id="template"),
        pytest.param(workload("StatefulSet", "a"), workload("StatefulSet", "a"), False, id="nothing"),
        pytest.param(workload("DaemonSet", "a"), workload("DaemonSet", "b", "OnDelete"), False, id="on delete"),
        pytest.param(workload("Job", "a"), workload("Job", "b"), None, id="no rolling kind"),
        pytest.param(None, workload("Deployment", "b"), None, id="new"),
    ],
)
def test_a_changed_template_restarts_pods(live: JsonObject | None, after: JsonObject, restarts: bool | None) -> None:
    assert restarts_of(live, after) is restarts


@pytest.mark.parametrize("applier", ["kubectl-client", "kubectl-server"])
def test_texts_of_a_secret_are_set_by_the_manifest(applier: str) -> None:
    def secret(**content: Json) -> JsonObject:
        return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x", "namespace": "shop"}, **content}

    schema = load("1.36")
    live = api.predict(secret(data={"a": "YQ=="}), schema=schema, applier=applier).result
    changes = api.predict(secret(stringData={"a": "b"}), schema=schema, applier=applier, live=live).changes
    provenances = {render(change.path): str(change.provenance) for change in changes}

    assert provenances["data.a"] == "set by the manifest"
