"""Server-side apply: the enhancement proposal, by its subjects.

The proposal describes the design of 2019; what has become something else since is said beside it.
"""

import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.values import Json
from kubectl_applylint.schema.types import Schema
from tests.cluster.cluster import Cluster
from tests.seeds.objects import SCHEMA, apply, apply_config, deployment, live, pod_of


def serverside(
    config: Json, resource: Json = None, manager: str = "kubectl", force: bool = False, schema: Schema = SCHEMA
) -> Outcome:
    return api.predict(
        config,
        schema=schema,
        live=resource,
        applier=Applier.KUBECTL_SERVER,
        field_manager=manager,
        force_conflicts=force,
    )


def stored_object(outcome: Outcome) -> Json:
    """Return the object after an apply that is not rejected."""
    assert outcome.errors == ()
    return outcome.result


def config_map(**data: str) -> dict[str, Json]:
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "x", "namespace": "default"}, "data": data}


def managers(resource: Json) -> dict[str, str]:
    """Return the operation of each manager."""
    return {entry["manager"]: entry["operation"] for entry in resource["metadata"]["managedFields"]}


def test_post_and_then_apply() -> None:
    """Motivation: "User does POST, then changes something and applies: surprise!"."""
    posted = live(deployment(minReadySeconds=5))

    assert apply_config(deployment(), posted)["spec"]["minReadySeconds"] == 5


def test_apply_and_then_edit_and_then_apply() -> None:
    """Motivation: "User does an apply, then kubectl edit, then applies again: surprise!"."""
    config = deployment(minReadySeconds=5)
    edited = live(deployment(minReadySeconds=9, revisionHistoryLimit=2), config)
    after = apply_config(config, edited)["spec"]

    assert (after["minReadySeconds"], after["revisionHistoryLimit"]) == (5, 2)


def test_get_and_edit_locally_and_then_apply() -> None:
    """Motivation: "User does GET, edits locally, then apply: surprise!"; an old resource version is a conflict."""
    old = {**config_map(a="1"), "metadata": {**config_map()["metadata"], "resourceVersion": "1"}}
    new = {**old, "metadata": {**old["metadata"], "resourceVersion": "2"}, "data": {"a": "2"}}

    assert apply(old, new).verdict == "conflict"


def test_tweaking_annotations_and_then_applying() -> None:
    """Motivation: "User tweaks some annotations, then applies: surprise!"."""
    config = config_map()
    config["metadata"] = {**config["metadata"], "annotations": {"ours": "1"}}
    tweaked = {**config, "metadata": {**config["metadata"], "annotations": {"ours": "2", "theirs": "2"}}}
    after = apply_config(config, live(tweaked, config))["metadata"]["annotations"]

    assert (after["ours"], after["theirs"]) == ("1", "2")


def test_alice_applies_and_then_bob() -> None:
    """Motivation: "Alice applies something, then Bob applies something: surprise!"."""
    alice, bob = config_map(a="1", alice="1"), config_map(a="1", bob="1")

    assert apply_config(bob, live(alice, alice))["data"] == {"a": "1", "bob": "1"}


def test_alice_and_bob_with_server_side_apply() -> None:
    """Motivation: users "cooperatively determine the desired state of an object"."""
    alice = stored_object(serverside(config_map(alice="1"), manager="alice"))

    assert stored_object(serverside(config_map(bob="1"), alice, manager="bob"))["data"] == {"alice": "1", "bob": "1"}


def test_a_conflict_names_who_and_where() -> None:
    """Motivation: errors say "why they had a conflict, not just what the conflict was"."""
    alice = stored_object(serverside(config_map(a="1"), manager="alice"))
    outcome = serverside(config_map(a="2"), alice, manager="bob")

    assert outcome.verdict == "conflict"
    assert (outcome.errors[0].field, outcome.errors[0].message) == (".data.a", 'conflict with "alice"')


def test_another_name_makes_another_object() -> None:
    """Non-goals: "Changing the name field makes a new object rather than renaming an existing object"."""
    renamed = {**config_map(), "metadata": {"name": "y", "namespace": "default"}}

    assert apply(renamed).verdict == "created"


def test_every_writer_becomes_a_manager() -> None:
    """Proposal: "We modify the POST, PUT (and non-apply PATCH) verbs so that" they make managers."""
    alice = stored_object(serverside(config_map(a="1"), manager="alice"))

    assert managers(stored_object(api.predict(config_map(b="1"), schema=SCHEMA, live=alice))) == {
        "alice": "Apply",
        "kubectl-client-side-apply": "Update",
    }


def test_apply_is_a_patch_of_a_content_type_of_its_own() -> None:
    """Proposal: "Apply is invoked by sending a certain Content-Type with the verb PATCH"."""
    (write,) = serverside(config_map(a="1")).requests

    assert (write.method, write.content_type) == ("PATCH", "application/apply-patch+yaml")


def test_openapi_shows_whether_a_kind_can_be_applied(cluster: Cluster) -> None:
    """Production readiness: "the OpenAPI spec exposes the available media-type for each individual endpoint"."""
    paths = cluster.get("/openapi/v2").json["paths"]

    consumed = paths["/api/v1/namespaces/{namespace}/configmaps/{name}"]["patch"]["consumes"]
    assert set(consumed) >= {
        "application/json-patch+json",
        "application/merge-patch+json",
        "application/strategic-merge-patch+json",
        "application/apply-patch+yaml",
    }


def test_a_field_of_an_update_is_in_conflict_unless_forced() -> None:
    """Test plan: "Apply has conflicts when changing fields set by Update, and is able to force"."""
    updated = stored_object(api.predict(config_map(a="1"), schema=SCHEMA, field_manager="editor"))

    assert serverside(config_map(a="2"), updated, "ci").verdict == "conflict"
    assert stored_object(serverside(config_map(a="2"), updated, "ci", True))["data"] == {"a": "2"}


def custom(*, list_type: Json = None, items: Json = None, map_type: str | None = None) -> Schema:
    """Return the kinds of a cluster with Things, whose spec has a list and a map of these topologies."""
    field = {"type": "array", "items": items or {"type": "string"}, **(list_type or {})}
    topology = {"x-kubernetes-map-type": map_type} if map_type else {}
    values = {"type": "object", "additionalProperties": {"type": "string"}, **topology}
    spec = {"type": "object", "properties": {"list": field, "map": values}}
    version = {
        "name": "v1",
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
    }
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [version],
        },
    }
    return api.load_schema("1.36", crds=[definition])


def thing(**spec: Json) -> dict[str, Json]:
    return {
        "apiVersion": "example.com/v1",
        "kind": "Thing",
        "metadata": {"name": "x", "namespace": "default"},
        "spec": spec,
    }


NAMED = {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}, "v": {"type": "string"}}}


@pytest.mark.parametrize(
    ("list_type", "items"),
    [
        pytest.param({}, {"type": "string"}, id="the default"),
        pytest.param({"x-kubernetes-list-type": "atomic"}, {"type": "string"}, id="said aloud"),
    ],
)
def test_atomic_lists(list_type: Json, items: Json) -> None:
    """Lists, atomic: "owned by only one person and can only be entirely replaced ... the default for lists"."""
    schema = custom(list_type=list_type, items=items)
    alice = stored_object(serverside(thing(list=["a"]), manager="alice", schema=schema))

    assert serverside(thing(list=["b"]), alice, "bob", schema=schema).verdict == "conflict"
    assert stored_object(serverside(thing(list=["b"]), alice, "bob", True, schema))["spec"] == {"list": ["b"]}


def test_sets() -> None:
    """Lists, sets: "Individual actors of the API can own individual items"."""
    schema = custom(list_type={"x-kubernetes-list-type": "set"})
    alice = stored_object(serverside(thing(list=["a"]), manager="alice", schema=schema))

    assert stored_object(serverside(thing(list=["b"]), alice, "bob", schema=schema))["spec"] == {"list": ["a", "b"]}


def test_items_of_a_set_appear_at_most_once() -> None:
    """Lists, sets: "Items in the list must appear at most once"."""
    schema = custom(list_type={"x-kubernetes-list-type": "set"})

    assert serverside(thing(list=["a", "a"]), schema=schema).verdict == "rejected"


def test_associative_lists() -> None:
    """Lists, associative: items "are owned by the person who applied the item to the list"."""
    schema = custom(list_type={"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}, items=NAMED)
    alice = stored_object(serverside(thing(list=[{"name": "a"}]), manager="alice", schema=schema))
    both = stored_object(serverside(thing(list=[{"name": "b"}]), alice, "bob", schema=schema))

    assert both["spec"]["list"] == [{"name": "a"}, {"name": "b"}]
    assert (
        serverside(thing(list=[{"name": "b", "v": "1"}]), both, "alice", schema=schema).verdict == "serverside-applied"
    )


def test_the_markers_of_strategic_merge_are_converted() -> None:
    """Lists: "patchStrategy and patchMergeKey markers are automatically used"; containers merge by name."""
    alice = stored_object(serverside(deployment(), manager="alice"))
    container = {"name": "sidecar", "image": "b"}
    template = {"spec": {"containers": [container]}}
    bob = {**deployment(), "spec": {"template": template}}
    both = stored_object(serverside(bob, alice, "bob"))

    assert [each["name"] for each in pod_of(both)["containers"]] == ["nginx", "sidecar"]


@pytest.mark.parametrize(
    ("map_type", "after"),
    [
        pytest.param(None, {"a": "1", "b": "1"}, id="granular by default"),
        pytest.param("granular", {"a": "1", "b": "1"}, id="granular"),
        pytest.param("atomic", {"b": "1"}, id="atomic"),
    ],
)
def test_maps_and_structs(map_type: str | None, after: Json) -> None:
    """Maps and structures: items "are independent from each other", or "treated as one unit"."""
    schema = custom(map_type=map_type)
    alice = stored_object(serverside(thing(map={"a": "1"}), manager="alice", schema=schema))

    assert stored_object(serverside(thing(map={"b": "1"}), alice, "bob", True, schema))["spec"] == {"map": after}


def test_status_is_not_owned() -> None:
    """Status wiping: "strips all resetFields from incoming update and apply requests"."""
    config = {**deployment(), "status": {"replicas": 3}}
    after = stored_object(serverside(config))

    assert all("f:status" not in entry["fieldsV1"] for entry in after["metadata"]["managedFields"])


def test_upgrading_from_client_side_apply_needs_no_force() -> None:
    """Upgrade: "users' intent is to take ownership of client-side apply fields", without a conflict."""
    before = stored_object(apply(config_map(a="1", b="1")))
    after = stored_object(serverside(config_map(a="2"), before))

    assert after["data"] == {"a": "2"}
    assert managers(after) == {"kubectl": "Apply", "kubectl-last-applied": "Apply"}


def test_fields_that_others_changed_stay_in_conflict() -> None:
    """Upgrade: fields "different than the corresponding field of the live object" are not client-side apply's."""
    before = stored_object(apply(config_map(a="1")))
    edited = stored_object(serverside(config_map(a="9"), before, "editor", True))

    assert serverside(config_map(a="2"), edited).verdict == "conflict"


def test_downgrading_keeps_the_annotation_in_step() -> None:
    """Downgrade: "keeping the last-applied-configuration annotation up-to-date"; client-side apply still works."""
    before = stored_object(serverside(config_map(a="2"), stored_object(apply(config_map(a="1")))))

    assert "data" not in stored_object(apply(config_map(), before))


def test_creating_is_blocked_if_a_uid_is_given() -> None:
    """Test plan: "Create is blocked on apply if uid is provided"."""
    config = {**config_map(), "metadata": {**config_map()["metadata"], "uid": "1"}}

    assert (serverside(config).verdict, serverside(config).status) == ("conflict", 409)


def test_name_and_namespace_are_never_owned() -> None:
    """Test plan: "Apply strips certain fields (like name and namespace) from managers"."""
    entries = stored_object(serverside(config_map(a="1")))["metadata"]["managedFields"]

    assert [entry["fieldsV1"] for entry in entries] == [{"f:data": {"f:a": {}}}]


def test_managers_of_nothing_have_no_entry() -> None:
    """Test plan: "ManagedFields has no entries for managers who manage no fields"."""
    alice = stored_object(serverside(config_map(a="1"), manager="alice"))

    assert "alice" not in managers(stored_object(serverside(config_map(a="2"), alice, "bob", True)))
