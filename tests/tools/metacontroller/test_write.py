"""Writes of Metacontroller to the children that a hook wants; ``manage_children.go`` of its sources."""

import json

import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import Level, Outcome, Verdict
from kubectl_applylint.core.paths import render
from kubectl_applylint.core.state import UNSEEN, Absent, Present, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.tools.metacontroller.children import Sync, UpdateMethod
from kubectl_applylint.tools.metacontroller.write import ANNOTATION, merge_child

SCHEMA = api.load_schema("1.36")


def child(**data: str) -> dict[str, Json]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "default"}, "data": data}


def sync(wanted: Json, observed: Json = None, method: UpdateMethod = UpdateMethod.IN_PLACE) -> Outcome:
    state = State(Absent() if observed is None else Present(observed))
    return predict(ApplyRequest(wanted, state, SCHEMA, applier=Applier.METACONTROLLER, sync=Sync((("", method),))))


def created_child(**data: str) -> dict[str, Json]:
    """Return a child as Metacontroller has made it."""
    stored = sync(child(**data)).result
    assert stored is not None
    return {**stored, "metadata": {**stored["metadata"], "uid": "1"}}


def data_of(outcome: Outcome) -> Json:
    assert outcome.result is not None
    return outcome.result["data"]


def with_annotation(observed: Json, text: str) -> Json:
    return {**observed, "metadata": {**observed["metadata"], "annotations": {ANNOTATION: text}}}


def test_a_new_child_remembers_what_the_hook_wanted() -> None:
    outcome = sync(child(a="<1>"))
    body = outcome.requests[0].body

    assert outcome.verdict is Verdict.CREATED
    assert body["metadata"]["annotations"][ANNOTATION] == (
        '{"apiVersion":"v1","data":{"a":"\\u003c1\\u003e"},"kind":"ConfigMap",'
        '"metadata":{"name":"x","namespace":"default"}}'
    )
    assert outcome.confidence.level is Level.MEDIUM


def test_an_update_sends_the_whole_object() -> None:
    outcome = sync(child(a="2"), {**created_child(a="1", b="1"), "data": {"a": "1", "b": "1", "foreign": "1"}})

    assert [write.method for write in outcome.requests] == ["PUT"]
    assert (outcome.verdict, data_of(outcome)) == (Verdict.CONFIGURED, {"a": "2", "foreign": "1"})


def test_the_same_child_again_is_no_update() -> None:
    outcome = sync(child(a="1"), created_child(a="1"))

    assert (outcome.verdict, outcome.requests) == (Verdict.UNCHANGED, ())


@pytest.mark.parametrize(
    ("method", "verdict", "requests", "data"),
    [
        (UpdateMethod.ON_DELETE, Verdict.UNCHANGED, [], {"a": "1", "foreign": "1"}),
        (UpdateMethod.RECREATE, Verdict.CONFIGURED, ["DELETE", "POST"], {"a": "2"}),
        (UpdateMethod.ROLLING_RECREATE, Verdict.CONFIGURED, ["DELETE", "POST"], {"a": "2"}),
        (UpdateMethod.IN_PLACE, Verdict.CONFIGURED, ["PUT"], {"a": "2", "foreign": "1"}),
        (UpdateMethod.ROLLING_IN_PLACE, Verdict.CONFIGURED, ["PUT"], {"a": "2", "foreign": "1"}),
    ],
    ids=lambda value: str(value) if isinstance(value, UpdateMethod) else "",
)
def test_the_update_method_decides_on_a_difference(
    method: UpdateMethod, verdict: Verdict, requests: list[str], data: Json
) -> None:
    observed = {**created_child(a="1"), "data": {"a": "1", "foreign": "1"}}
    outcome = sync(child(a="2"), observed, method)

    assert (outcome.verdict, [write.method for write in outcome.requests]) == (verdict, requests)
    assert data_of(outcome) == data


def test_a_child_is_deleted_only_as_it_was_seen() -> None:
    outcome = sync(child(a="2"), created_child(a="1"), UpdateMethod.RECREATE)

    assert outcome.requests[0].body == {"preconditions": {"uid": "1"}, "propagationPolicy": "Background"}
    assert outcome.warnings == ("it is deleted, and recreated on the next sync (method Recreate)",)


def test_a_child_that_is_being_deleted_is_left_alone() -> None:
    observed = created_child(a="1")
    observed["metadata"] = {**observed["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}
    outcome = sync(child(a="2"), observed)

    assert (outcome.verdict, outcome.requests) == (Verdict.UNCHANGED, ())
    assert outcome.warnings == ("it is being deleted: it does not change until then",)


def test_a_time_of_deletion_that_is_null_is_none() -> None:
    observed = created_child(a="1")
    observed["metadata"] = {**observed["metadata"], "deletionTimestamp": None}

    assert data_of(sync(child(a="2"), observed)) == {"a": "2"}


@pytest.mark.parametrize("method", [UpdateMethod.IN_PLACE, UpdateMethod.RECREATE], ids=str)
def test_warnings_of_the_server_are_reported(method: UpdateMethod) -> None:
    level = {"pod-security.kubernetes.io/enforce": "privileged", "pod-security.kubernetes.io/warn": "restricted"}
    home = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "default", "labels": level}}

    def workload(image: str) -> dict[str, Json]:
        labels = {"a": "b"}
        template = {"metadata": {"labels": labels}, "spec": {"containers": [{"name": "a", "image": image}]}}
        spec = {"selector": {"matchLabels": labels}, "template": template}
        names = {"name": "x", "namespace": "default"}
        return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": names, "spec": spec}

    observed = sync(workload("a:1")).result
    assert observed is not None
    request = ApplyRequest(
        workload("a:2"),
        State(Present(observed)),
        SCHEMA,
        applier=Applier.METACONTROLLER,
        sync=Sync((("", method),)),
        cluster_view=UNSEEN.with_objects([home]),
    )

    assert any("PodSecurity" in warning for warning in predict(request).warnings)


def test_status_and_server_metadata_of_a_hook_are_ignored() -> None:
    observed = {**created_child(), "status": {"phase": "here"}}
    wanted = {**child(), "status": {"phase": "there"}}
    wanted["metadata"] = {**wanted["metadata"], "uid": "2", "generation": 5}
    after = merge_child(observed, wanted)

    assert after["status"] == {"phase": "here"}
    assert (after["metadata"]["uid"], "generation" in after["metadata"]) == ("1", False)


def test_a_status_that_is_not_there_is_not_written() -> None:
    assert "status" not in merge_child(created_child(), {**child(), "status": {"phase": "there"}})


@pytest.mark.parametrize(
    ("noted", "is_noted"),
    [({}, True), ({"metadata": {"name": "a"}}, False), ({"metadata": {"name": "a", "namespace": "shop"}}, True)],
    ids=["nothing yet", "without", "with"],
)
@pytest.mark.parametrize("method", [UpdateMethod.IN_PLACE, UpdateMethod.RECREATE])
def test_the_namespace_is_noted_as_it_was_before(method: UpdateMethod, noted: JsonObject, is_noted: bool) -> None:
    outcome = sync(child(a="2"), with_annotation(child(a="1"), json.dumps(noted)), method)
    assert outcome.result is not None
    metadata = outcome.result["metadata"]

    assert metadata["namespace"] == "default"
    assert ("namespace" in json.loads(metadata["annotations"][ANNOTATION])["metadata"]) == is_noted


@pytest.mark.parametrize(
    ("value", "kept"), [("x", {"a": "1", "b": "x"}), (None, {"a": "1", "b": ""}), (7, {}), ({"c": "1"}, {})]
)
def test_one_annotation_that_is_no_text_takes_the_others_with_it(value: Json, kept: JsonObject) -> None:
    wanted = child()
    wanted["metadata"] = {**wanted["metadata"], "annotations": {"a": "1", "b": value}}
    annotations = dict(merge_child(created_child(), wanted)["metadata"]["annotations"])
    annotations.pop(ANNOTATION)

    assert annotations == kept


def test_the_annotation_is_never_part_of_what_is_wanted() -> None:
    kept = with_annotation(child(a="1"), "whatever")

    assert (
        sync(kept).requests[0].body
        == sync({**child(a="1"), "metadata": {**child()["metadata"], "annotations": {}}}).requests[0].body
    )


@pytest.mark.parametrize("text", ["", "null"], ids=["empty", "null"])
def test_an_annotation_without_anything_counts_as_none(text: str) -> None:
    assert data_of(sync(child(a="2"), with_annotation(child(b="1"), text))) == {"a": "2", "b": "1"}


@pytest.mark.parametrize("text", ["{", "[]", "5"], ids=["no JSON", "a list", "a number"])
def test_an_annotation_that_cannot_be_read_stops_the_sync_of_the_child(text: str) -> None:
    outcome = sync(child(a="2"), with_annotation(child(a="1"), text))

    assert (outcome.verdict, outcome.status) == (Verdict.REJECTED, None)
    assert outcome.errors[0].message == f'can\'t unmarshal "{ANNOTATION}" annotation: it is not a JSON object'


def test_each_change_says_where_it_comes_from() -> None:
    causes = {
        render(change.path): str(change.provenance)
        for change in sync(child(a="2"), created_child(a="1", b="1")).changes
    }

    assert causes == {
        "data.a": "set by the manifest",
        "data.b": "deleted because last-applied had it",
        f'metadata.annotations["{ANNOTATION}"]': "written by Metacontroller",
    }


def test_a_child_that_the_server_rejects_fails() -> None:
    outcome = sync({**child(), "data": {"a b": "1"}})

    assert (outcome.verdict, outcome.status) == (Verdict.REJECTED, 422)


def test_the_annotation_of_kubectl_is_not_used() -> None:
    """Applies with kubectl and syncs of a hook do not see each other's deletions."""
    observed = child(a="1", b="1")
    last = {"kubectl.kubernetes.io/last-applied-configuration": json.dumps(child(b="1"))}
    observed["metadata"] = {**observed["metadata"], "annotations": last}

    assert data_of(sync(child(a="1"), observed)) == {"a": "1", "b": "1"}


def test_an_existing_object_of_others_is_rejected_and_unchanged() -> None:
    request = ApplyRequest(
        child(a="2"), State(Present(child(a="1"))), SCHEMA, applier=Applier.METACONTROLLER, sync=Sync(decorator="shops")
    )
    outcome = predict(request)

    assert (outcome.verdict, outcome.requests, data_of(outcome)) == (Verdict.REJECTED, (), {"a": "1"})
    assert [cause.message for cause in outcome.errors] == [
        "it already exists and is not a child: the DecoratorController shops did not create it; creating it fails, and"
        " it does not change"
    ]


def test_a_child_that_is_left_says_what_differs() -> None:
    observed = {**created_child(a="1"), "data": {"a": "1", "b": "1"}}
    outcome = sync(child(a="2", c="1", d="1", e="1"), observed, UpdateMethod.ON_DELETE)

    assert outcome.warnings == (
        "it differs from the desired state (data.a, data.c, data.d and 1 more) and does not change until it is"
        " deleted (method OnDelete)",
    )
    assert (
        sync(child(a="1"), child(a="1"), UpdateMethod.ON_DELETE)
        .warnings[0]
        .startswith("it differs from the desired state (only in its last-applied annotation)")
    )


def test_children_that_roll_wait_for_their_turn() -> None:
    turn = "it waits: children are updated one at a time, each after the status checks of the one before"

    assert sync(child(a="2"), created_child(a="1"), UpdateMethod.ROLLING_IN_PLACE).warnings == (
        f"{turn} (RollingInPlace)",
    )
    assert (
        f"{turn} (RollingRecreate)" in sync(child(a="2"), created_child(a="1"), UpdateMethod.ROLLING_RECREATE).warnings
    )


def test_a_recreated_child_has_the_same_parent() -> None:
    owner = {"apiVersion": "x/v1", "kind": "Shop", "name": "main", "uid": "1", "controller": True}
    observed = created_child(a="1")
    observed["metadata"] = {**observed["metadata"], "ownerReferences": [owner]}
    outcome = sync(child(a="2"), observed, UpdateMethod.RECREATE)

    assert outcome.result is not None
    assert outcome.result["metadata"]["ownerReferences"] == [{**owner, "blockOwnerDeletion": True}]
    assert outcome.confidence.level is Level.HIGH


PARENT: JsonObject = {
    "apiVersion": "example.com/v1",
    "kind": "Shop",
    "metadata": {"name": "main", "uid": "1"},
    "spec": {"selector": {"matchLabels": {"shop": "main"}}},
}


def of_known_parent(wanted: Json, live: Json) -> Outcome:
    known = Sync((("", UpdateMethod.IN_PLACE),), parent="shop/main", selects=True).of_parent(PARENT)
    state = State(Absent() if live is None else Present(live))
    return predict(ApplyRequest(wanted, state, SCHEMA, applier=Applier.METACONTROLLER, sync=known))


def labelled_child(**data: str) -> dict[str, Json]:
    made = child(**data)
    return {**made, "metadata": {**made["metadata"], "labels": {"shop": "main"}}}


def test_an_unknown_field_is_dropped() -> None:
    wanted = {**child(a="1"), "unknown": 1}
    outcome = sync(wanted)

    assert outcome.verdict is Verdict.CREATED
    assert outcome.result is not None
    assert "unknown" not in outcome.result


def test_a_new_child_refers_to_the_known_parent() -> None:
    outcome = of_known_parent(labelled_child(a="1"), None)
    assert outcome.result is not None

    assert outcome.result["metadata"]["ownerReferences"][0]["uid"] == "1"
    assert outcome.confidence.level is Level.HIGH


@pytest.mark.parametrize(("wanted", "methods"), [("1", ["PUT", "PUT"]), ("2", ["PUT", "PUT"])])
def test_objects_without_a_controller_are_adopted_before_the_update(wanted: str, methods: list[str]) -> None:
    outcome = of_known_parent(labelled_child(a=wanted), labelled_child(a="1"))
    assert outcome.result is not None

    assert (outcome.verdict, [write.method for write in outcome.requests]) == (Verdict.CONFIGURED, methods)
    assert outcome.result["metadata"]["ownerReferences"][0]["name"] == "main"
    assert data_of(outcome) == {"a": wanted}


def test_a_child_that_the_parent_no_longer_selects_is_released_and_not_created() -> None:
    """Recorded with Metacontroller 1.5.20: ``services "dns" already exists``."""
    owner = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "1", "controller": True}
    other = {**owner, "kind": "Team", "uid": "2", "controller": False}
    observed = child(a="1")
    observed["metadata"] = {**observed["metadata"], "ownerReferences": [owner, other]}
    outcome = of_known_parent(labelled_child(a="2"), observed)
    assert outcome.result is not None

    assert (outcome.verdict, [write.method for write in outcome.requests]) == (Verdict.REJECTED, ["PUT"])
    assert (outcome.result["metadata"]["ownerReferences"], data_of(outcome)) == ([other], {"a": "1"})
    assert [cause.message for cause in outcome.errors] == [
        "it already exists and is not a child: its labels do not match the selector of the parent; the parent"
        " releases (orphans) it, and creation fails"
    ]


def test_a_child_that_is_recreated_refers_to_the_known_parent_by_its_name() -> None:
    """Whatever others have made of the reference; recorded with Metacontroller 1.5.20."""
    owner = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "renamed", "uid": "1", "controller": True}
    observed = labelled_child(a="1")
    observed["metadata"] = {**observed["metadata"], "ownerReferences": [owner]}
    known = Sync((("", UpdateMethod.RECREATE),), parent="shop/main", selects=True).of_parent(PARENT)
    request = ApplyRequest(
        labelled_child(a="2"), State(Present(observed)), SCHEMA, applier=Applier.METACONTROLLER, sync=known
    )
    outcome = predict(request)
    assert outcome.result is not None

    assert outcome.result["metadata"]["ownerReferences"][0]["name"] == "main"


def test_an_owner_that_controls_nothing_becomes_the_one_that_adopts() -> None:
    observed = labelled_child(a="1")
    owner = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "1", "controller": False}
    observed["metadata"] = {**observed["metadata"], "ownerReferences": [owner]}
    outcome = of_known_parent(labelled_child(a="1"), observed)
    assert outcome.result is not None

    references = outcome.result["metadata"]["ownerReferences"]
    assert references == [{**owner, "controller": True, "blockOwnerDeletion": True}]


def test_an_adoption_stays_if_the_update_is_rejected() -> None:
    outcome = of_known_parent({**labelled_child(), "data": {"a b": "1"}}, labelled_child(a="1"))
    assert outcome.result is not None

    assert (outcome.verdict, data_of(outcome)) == (Verdict.REJECTED, {"a": "1"})
    assert outcome.result["metadata"]["ownerReferences"][0]["name"] == "main"


@pytest.mark.parametrize("observed", [created_child(a="1"), labelled_child(a="1")], ids=["child", "adopted"])
def test_a_child_that_cannot_be_recreated_is_lost(observed: Json) -> None:
    """Recorded with Metacontroller 1.5.20: it is deleted before anything is known of the new one."""
    known = Sync((("", UpdateMethod.RECREATE),), parent="shop/main", selects="labels" in observed["metadata"])
    owned = known.of_parent(PARENT) if known.selects else known
    wanted = {**labelled_child(), "data": {"a b": "1"}}
    request = ApplyRequest(wanted, State(Present(observed)), SCHEMA, applier=Applier.METACONTROLLER, sync=owned)
    outcome = predict(request)

    assert (outcome.verdict, outcome.result) == (Verdict.REJECTED, None)
    assert "DELETE" in [write.method for write in outcome.requests]


DNS: JsonObject = {
    "apiVersion": "v1",
    "kind": "Service",
    "metadata": {"name": "dns", "namespace": "default"},
    "spec": {"ports": [{"name": "u", "port": 53, "protocol": "UDP"}, {"name": "t", "port": 53, "protocol": "TCP"}]},
}


def test_a_new_child_whose_ports_the_next_sync_merges_is_rejected_then() -> None:
    outcome = sync(DNS)

    assert (outcome.verdict, outcome.status, outcome.errors[0].field) == (Verdict.REJECTED, 422, "spec.ports[1].name")
    assert [write.method for write in outcome.requests] == ["POST", "PUT"]
    assert outcome.result is not None
    assert [port["name"] for port in outcome.result["spec"]["ports"]] == ["u", "t"]
    assert "the next sync writes it again, and the server rejects that" in outcome.warnings


@pytest.mark.parametrize("method", [UpdateMethod.ON_DELETE, UpdateMethod.RECREATE])
def test_a_child_that_is_not_updated_in_place_stays_as_it_is_created(method: UpdateMethod) -> None:
    assert (sync(DNS, method=method).verdict, len(sync(DNS, method=method).requests)) == (Verdict.CREATED, 1)


def test_the_result_of_a_child_includes_the_next_sync() -> None:
    ports = [{"containerPort": 53, "protocol": "UDP"}, {"containerPort": 53, "protocol": "TCP"}]
    names = {"name": "x", "namespace": "default"}
    spec = {"containers": [{"name": "a", "image": "a:1", "ports": ports}]}
    pod = {"selector": {"matchLabels": {"a": "b"}}, "template": {"metadata": {"labels": {"a": "b"}}, "spec": spec}}
    outcome = sync({"apiVersion": "apps/v1", "kind": "Deployment", "metadata": names, "spec": pod})

    assert outcome.verdict is Verdict.CREATED
    assert outcome.result is not None
    stored = outcome.result["spec"]["template"]["spec"]["containers"][0]["ports"]
    assert [port["protocol"] for port in stored] == ["TCP", "TCP"]


def test_an_update_that_the_server_undoes_counts_as_settled() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "x", "namespace": "default"}}
    outcome = sync({**secret, "stringData": {"a": "1"}})

    assert (outcome.verdict, len(outcome.requests)) == (Verdict.CREATED, 1)


OWNED: JsonObject = {"apiVersion": "example.com/v1", "kind": "Shop", "name": "main", "uid": "7", "controller": True}
STOPPED = Sync(owner=OWNED, selector={"matchLabels": {"a": "b"}}, selects=True, is_stopped=True)


@pytest.mark.parametrize(
    ("labels", "owners", "verdict", "left"),
    [
        ({"a": "b"}, [], Verdict.CONFIGURED, ["7"]),
        ({"a": "c"}, [OWNED], Verdict.CONFIGURED, []),
        ({"a": "b"}, [OWNED], Verdict.UNCHANGED, ["7"]),
        ({"a": "c"}, [], Verdict.UNCHANGED, []),
    ],
    ids=["takes", "lets go", "keeps", "passes"],
)
def test_a_sync_that_stops_only_claims(
    labels: JsonObject, owners: list[Json], verdict: Verdict, left: list[str]
) -> None:
    observed = {**created_child(a="1")}
    metadata = {**observed["metadata"], "labels": labels, **({"ownerReferences": owners} if owners else {})}
    state = State(Present({**observed, "metadata": metadata}))
    outcome = predict(
        ApplyRequest(child(a="2"), state, SCHEMA, applier=Applier.METACONTROLLER, sync=STOPPED, cluster_view=UNSEEN)
    )

    assert outcome.verdict is verdict
    assert outcome.result is not None
    assert [owner["uid"] for owner in outcome.result["metadata"].get("ownerReferences", [])] == left
    assert data_of(outcome) == {"a": "1"}


def test_a_sync_that_stops_creates_nothing() -> None:
    outcome = predict(ApplyRequest(child(a="2"), State(Absent()), SCHEMA, applier=Applier.METACONTROLLER, sync=STOPPED))

    assert (outcome.verdict, outcome.result, outcome.requests) == (Verdict.UNCHANGED, None, ())


def test_a_child_with_finalizers_stays_until_they_are_gone() -> None:
    observed = created_child(a="1")
    observed["metadata"] = {**observed["metadata"], "finalizers": ["example.com/f"]}
    outcome = sync(child(a="2"), observed, UpdateMethod.RECREATE)

    assert "it stays, and is not recreated, until its finalizers are gone: example.com/f" in outcome.warnings
