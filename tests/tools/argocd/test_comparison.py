"""Comparison errors of Argo CD, and synced objects: rows are those of gitops-engine on a 1.36.3 server."""

from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import LAST_APPLIED, Present, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoWrite
from kubectl_applylint.tools.argocd.comparison import INCOMPARABLE, deletes, is_synced, typed_manifest
from tests.engine.test_set_apply import config, manifest

SCHEMA = load("1.36")


def service(*ports: Json) -> JsonObject:
    return manifest("Service", "s", "shop", spec={"ports": [*ports]})


def check(item: JsonObject, live: JsonObject, *options: str) -> Outcome:
    how = ArgoWrite(ArgoApplication("app", "shop", frozenset(options)), only_checks=True)
    return predict(ApplyRequest(item, State(Present(live)), SCHEMA, Applier.ARGOCD, tool=how))


def reasons_and_messages(outcome: Outcome) -> list[tuple[str, str]]:
    return [(cause.reason, cause.message) for cause in outcome.errors]


def test_a_list_item_without_its_key_cannot_be_compared() -> None:
    found = check(service({"name": "web"}), service({"name": "web", "port": 80}))
    why = "failed to construct thre way merge patch: map: map[name:web] does not contain declared merge key: port"

    assert reasons_and_messages(found) == [(INCOMPARABLE, why)]


def test_a_list_item_that_is_null_is_compared_as_an_empty_one() -> None:
    live = manifest("Pod", "api", "shop", spec={"containers": [], "imagePullSecrets": [{"name": "a"}]})
    why = "failed to construct thre way merge patch: map: map[] does not contain declared merge key: name"
    unset: list[Json] = [None, {"name": "b"}]
    misspelled = {"imagePullSecrets": unset, "contain": []}

    assert reasons_and_messages(check({**live, "spec": {**live["spec"], "imagePullSecrets": unset}}, live)) == [
        (INCOMPARABLE, why)
    ]
    assert (
        "list element types are not identical" in reasons_and_messages(check({**live, "spec": misspelled}, live))[0][1]
    )


def test_a_list_that_is_empty_stays_empty_as_go_reads_it() -> None:
    item = manifest("Pod", "api", "shop", spec={"containers": [], "priority": None})

    assert typed_manifest(item, SCHEMA.kind("v1", "Pod")) == {**item, "spec": {"containers": []}}
    assert typed_manifest(item, None) is item


def test_two_sides_are_compared_if_the_last_applied_manifest_is_broken() -> None:
    broken = annotate(service({"name": "broken"}))
    unreadable = {**broken, "metadata": {**broken["metadata"], "annotations": {LAST_APPLIED: "{"}}}
    spec = {"spec": {"ports": [{"port": 80, "protocol": "TCP"}]}}

    assert [reason for reason, _ in reasons_and_messages(check(service({"port": 80}), {**broken, **spec}))] == [""]
    assert [reason for reason, _ in reasons_and_messages(check(service({"port": 80}), {**unreadable, **spec}))] == [""]


def test_custom_resources_are_always_compared() -> None:
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w", "namespace": "shop"}}

    assert reasons_and_messages(check(widget, {**widget, "spec": {"a": [1]}})) == []


def test_server_side_an_object_is_compared_as_its_schema_says() -> None:
    live = service({"port": 80, "protocol": "TCP"})
    found = check(service({"port": 80, "x": 1}), live, "ServerSideApply=true")
    where = "error calculating structured merge diff: error building typed value from config resource"
    field = '.spec.ports[port=80,protocol="TCP"].x'

    assert reasons_and_messages(found) == [(INCOMPARABLE, f"{where}: {field}: field not declared in schema")]
    assert reasons_and_messages(check(service({"port": 81}), live, "ServerSideApply=true")) == []


def test_server_side_a_live_object_that_no_schema_reads_is_named_first() -> None:
    live = manifest("ServiceAccount", "api", "shop", secrets=[{}])
    found = check(live, live, "ServerSideApply=true")

    assert "error building typed value from live resource: .secrets: element 0" in reasons_and_messages(found)[0][1]


def test_server_side_keys_of_custom_resources_have_no_defaults() -> None:
    key: JsonObject = {"type": "string", "default": "TCP"}
    ports: JsonObject = {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["protocol"],
        "items": {"type": "object", "properties": {"protocol": key, "size": {"type": "integer"}}},
    }
    properties: JsonObject = {"spec": {"type": "object", "properties": {"ports": ports}}}
    versions: Json = [
        {
            "name": "v1",
            "served": True,
            "storage": True,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": properties}},
        }
    ]
    names: JsonObject = {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"}
    crd: JsonObject = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions},
    }
    schema = load("1.36", crds=(crd,))
    item = manifest("Widget", "w", "shop", spec={"ports": [{"size": 1}]})
    how = ArgoWrite(ArgoApplication("app", "shop", frozenset({"ServerSideApply=true"})), only_checks=True)
    live = {**item, "spec": {"ports": [{"size": 1, "protocol": "TCP"}]}}
    found = predict(ApplyRequest(item, State(Present(live)), schema, Applier.ARGOCD, tool=how))

    assert (
        "config resource: .spec.ports: element 0: associative list with keys has an element that omits"
        in reasons_and_messages(found)[0][1]
    )


def test_server_side_data_that_is_no_base64_cannot_be_compared() -> None:
    live = manifest("Secret", "tok", "shop", data={"a": "b2s="})
    found = check({**live, "data": {"a": "zzzz!"}}, live, "ServerSideApply=true")
    where = "error calculating structured merge diff: error applying default values in predicted live"
    why = "error unmarshaling merged bytes into object: illegal base64 data at input byte 4"

    assert reasons_and_messages(found) == [(INCOMPARABLE, f"{where}: {why}")]


def test_metadata_of_the_server_and_the_last_applied_manifest_are_no_difference() -> None:
    live = config("c", a="1")
    written = {**annotate(live), "status": {"x": 1}}

    assert is_synced(
        live, live, {**written, "metadata": {**written["metadata"], "generation": 2, "resourceVersion": "7"}}
    )
    assert not is_synced(live, live, config("c", a="2"))


def test_a_patch_deletes_only_existing_fields() -> None:
    live = {"spec": {"clusterIP": "10.0.0.1", "ports": [{"port": 80}]}}

    assert deletes({"spec": {"clusterIP": None}}, live)
    assert not deletes({"spec": {"externalName": None, "ports": [{"port": 81}]}, "data": None}, live)


def test_a_field_that_the_server_drops_is_always_a_difference() -> None:
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"list": [{"a": 1}]}}
    wanted = {**widget, "spec": {"list": [{"a": 1, "b": 2}], "empty": {}}}

    assert is_synced(widget, widget, widget)
    assert is_synced({**widget, "spec": {"list": [{"a": 1}], "empty": {}}}, widget, widget)
    assert not is_synced(wanted, widget, widget)
