"""The server's answer to a whole write, step after step; every outcome was seen on kube-apiserver 1.36.3."""

import pytest

from kubectl_applylint.core.outcome import Confidence, Level, Write
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject, dig
from kubectl_applylint.engine.owners import owners_of
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.ownership import context_of
from kubectl_applylint.server.write import (
    ANNOTATIONS_LIMIT,
    APPLY_PATCH,
    JSON_BODY,
    MERGE_PATCH,
    STRATEGIC_PATCH,
    Refused,
    Server,
    Stored,
    annotations_size,
    answer,
)
from tests.server.stored import kind_of, stored_objects

META = {"name": "a", "namespace": "default"}


def gizmo(**crd: Json) -> Kind:
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {
            "group": "example.com",
            "names": {"plural": "gizmos", "kind": "Gizmo"},
            "scope": "Namespaced",
            "versions": [
                {
                    "name": "v1",
                    "served": True,
                    "storage": True,
                    "schema": {
                        "openAPIV3Schema": {
                            "type": "object",
                            "properties": {
                                "spec": {
                                    "type": "object",
                                    "properties": {
                                        "size": {"type": "integer", "default": 3},
                                        "mode": {"type": "string"},
                                    },
                                }
                            },
                        }
                    },
                }
            ],
            **crd,
        },
    }
    kind = load("1.36", crds=[definition]).kind("example.com/v1", "Gizmo")
    assert kind is not None
    return kind


def answer_to_post(body: Json, kind: Kind | None = None, *, disabled: str = "ServiceAccount") -> Stored | Refused:
    server = Server(kind or kind_of(body), "1.36", disabled_admission=frozenset({disabled}))
    return answer(Write("POST", JSON_BODY, body), None, server)


def answer_to_patch(
    live: Json, patch: Json, kind: Kind | None = None, content_type: str = STRATEGIC_PATCH
) -> Stored | Refused:
    return answer(Write("PATCH", content_type, patch), live, Server(kind or kind_of(live), "1.36"))


def stored_object(name: str) -> Json:
    """Return the object of a kind as kube-apiserver 1.36.3 stored it."""
    return next(obj for server, obj in stored_objects() if obj["kind"] == name and server == "v1.36.3")


def outcome(given: Stored | Refused) -> Json:
    assert isinstance(given, Stored)
    return given.object


def refusal(given: Stored | Refused) -> Refused:
    assert isinstance(given, Refused)
    return given


def test_a_new_object_passes_every_step() -> None:
    """Decoded (amount), defaulted (protocol), prepared (status), allocated (address, uid), encoded (load balancer)."""
    body = {
        "apiVersion": "v1",
        "kind": "Service",
        "metadata": {**META, "uid": "mine"},
        "spec": {"ports": [{"port": 80, "name": ""}], "externalIPs": []},
        "status": {"conditions": [{"type": "x"}]},
    }
    service = outcome(answer_to_post(body))

    assert service["spec"]["ports"] == [{"port": 80, "protocol": "TCP", "targetPort": 80}]
    assert isinstance(service["spec"]["clusterIP"], Unknown)
    assert isinstance(service["metadata"]["uid"], Unknown)
    assert "externalIPs" not in service["spec"]
    assert service["status"] == {"loadBalancer": {}}


def test_admission_plugins_can_be_off() -> None:
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": META, "spec": {"containers": [{"name": "c", "image": "i"}]}}
    without, with_it = (outcome(answer_to_post(pod, disabled=name))["spec"] for name in ("ServiceAccount", "Priority"))

    assert ("serviceAccountName" in without, without["priority"]) == (False, 0)
    assert (with_it["serviceAccountName"], "priority" in with_it) == ("default", False)


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"spec": {"replicas": 3, "paused": False}}, id="values that are there or zero"),
        pytest.param({"spec": {"strategy": {"rollingUpdate": None}}}, id="a null that becomes the default again"),
        pytest.param({"status": {"replicas": 7}}, id="status"),
        pytest.param({"metadata": {"creationTimestamp": None, "generation": None}}, id="metadata of the server"),
    ],
)
def test_a_write_that_changes_nothing_leaves_the_very_object(patch: Json) -> None:
    live = outcome(
        answer_to_post(
            {
                "apiVersion": "apps/v1",
                "kind": "Deployment",
                "metadata": META,
                "spec": {
                    "replicas": 3,
                    "selector": {"matchLabels": {"a": "b"}},
                    "template": {
                        "metadata": {"labels": {"a": "b"}},
                        "spec": {"containers": [{"name": "c", "image": "i"}]},
                    },
                },
            }
        )
    )

    assert outcome(answer_to_patch(live, patch)) is live


@pytest.mark.parametrize("name", ["Deployment", "StatefulSet", "CronJob", "ClusterRole", "LimitRange", "StorageClass"])
def test_an_empty_patch_returns_the_live_object(name: str) -> None:
    live = stored_object(name)

    assert outcome(answer_to_patch(live, {})) is live


def test_unchanged_fields_are_shared_with_the_live_object() -> None:
    live = stored_object("Deployment")
    changed = outcome(answer_to_patch(live, {"metadata": {"labels": {"new": "1"}}}))

    assert changed["spec"] is live["spec"]
    assert changed["metadata"]["labels"]["new"] == "1"


def test_custom_resources_go_through_their_schema() -> None:
    kind = gizmo()
    live = outcome(
        answer_to_post({"apiVersion": "example.com/v1", "kind": "Gizmo", "metadata": META, "spec": {}}, kind)
    )
    patch = {"spec": {"size": None, "mode": "x"}}

    assert live["spec"] == {"size": 3}
    assert outcome(answer_to_patch(live, {"spec": {"size": None}}, kind, MERGE_PATCH)) is live
    assert outcome(answer_to_patch(live, patch, kind, MERGE_PATCH))["spec"] == {"size": 3, "mode": "x"}


def test_an_unknown_kind_is_only_merged() -> None:
    live = {"metadata": META, "spec": {"a": 1}}
    given = answer(Write("PATCH", MERGE_PATCH, {"spec": {"b": []}}), live, Server(None, "1.36"))

    assert given == Stored({"metadata": META, "spec": {"a": 1, "b": []}})


def test_the_status_of_an_unknown_kind_stays_as_it_is() -> None:
    live = {"metadata": META, "status": {"ready": True}}
    created = answer(Write("POST", "application/json", live), None, Server(None, "1.36"))

    assert created == Stored({"metadata": META})
    for status in (None, {"ready": False}):
        assert outcome(answer(Write("PATCH", MERGE_PATCH, {"status": status}), live, Server(None, "1.36"))) is live


@pytest.mark.parametrize(
    ("patch", "status", "field", "reason"),
    [
        pytest.param({"spec": {"$patch": "x"}}, 500, "", "", id="directive"),
        pytest.param({"spec": {"$retainKeys": "x"}}, 400, "", "", id="form of a directive"),
        pytest.param({"spec": {"replicas": "x"}}, 422, "patch", "FieldValueInvalid", id="type"),
        pytest.param({"spec": {"zzz": 1}}, 422, "patch", "FieldValueInvalid", id="unknown field"),
    ],
)
def test_a_patch_that_cannot_be_merged_or_read_is_rejected(patch: Json, status: int, field: str, reason: str) -> None:
    refused = refusal(answer_to_patch(stored_object("Deployment"), patch))

    assert (refused.status, refused.intended) == (status, None)
    assert [(cause.field, cause.reason) for cause in refused.causes] == [(field, reason)]


def test_a_body_that_cannot_be_read_is_rejected() -> None:
    refused = refusal(answer_to_post({"apiVersion": "v1", "kind": "ConfigMap", "metadata": META, "data": []}))

    assert (refused.status, refused.causes[0].reason) == (400, "BadRequest")


def test_another_resource_version_conflicts() -> None:
    live = {**stored_object("ServiceAccount"), "metadata": {**META, "resourceVersion": "5"}}
    stale = refusal(answer_to_patch(live, {"metadata": {"resourceVersion": "4"}, "imagePullSecrets": [{"name": "n"}]}))

    assert (stale.status, stale.causes[0].field) == (409, "metadata.resourceVersion")
    assert dig(stale.intended, "imagePullSecrets") == [{"name": "n"}]
    assert isinstance(answer_to_patch(live, {"metadata": {"resourceVersion": "5"}}), Stored)


@pytest.mark.parametrize(
    ("spec", "fields"),
    [
        pytest.param({"ports": [{"port": 0}]}, ["spec.ports[0].port", "spec.ports[0].targetPort"], id="in the end"),
        pytest.param({"clusterIPs": ["10.0.0.9"]}, ["spec.clusterIPs"], id="before addresses are given"),
    ],
)
def test_a_rejection_has_the_intended_object(spec: Json, fields: list[str]) -> None:
    body = {"apiVersion": "v1", "kind": "Service", "metadata": META, "spec": {"ports": [{"port": 80}], **spec}}
    refused = refusal(answer_to_post(body))

    assert (refused.status, sorted(cause.field for cause in refused.causes)) == (422, fields)
    assert dig(refused.intended, "spec", "type") == "ClusterIP"


def test_a_value_that_is_stored_but_not_shown_has_to_be_valid() -> None:
    spec = {"type": "ExternalName", "externalName": "db.example.org", "internalTrafficPolicy": "Local-b"}
    body = {"apiVersion": "v1", "kind": "Service", "metadata": META, "spec": spec}
    refused, accepted = (
        answer_to_post(body),
        answer_to_post({**body, "spec": {**spec, "internalTrafficPolicy": "Local"}}),
    )

    assert isinstance(refused, Refused)
    assert [cause.field for cause in refused.causes] == ["spec.internalTrafficPolicy"]
    assert isinstance(accepted, Stored)
    assert "internalTrafficPolicy" not in accepted.object["spec"]


def test_annotations_have_a_limit() -> None:
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {**META, "annotations": {"a": "x" * ANNOTATIONS_LIMIT}},
    }
    refused = refusal(answer_to_post(body))

    assert (refused.status, refused.causes[0].field) == (422, "metadata.annotations")
    assert annotations_size({"metadata": {"annotations": {"ä": "1", "b": Unknown("nobody knows")}}}) == 4


def test_a_live_object_that_does_not_fit_the_version_is_only_merged() -> None:
    live = {**stored_object("Deployment"), "metadata": META}
    live["spec"] = {**live["spec"], "fromTheFuture": True}
    given = answer_to_patch(live, {"spec": {"replicas": 9}})

    assert isinstance(given, Stored)
    assert (given.object["spec"]["replicas"], given.object["spec"]["fromTheFuture"]) == (9, True)
    assert given.confidence == Confidence(
        Level.LOW,
        (
            'the live object does not fit Kubernetes 1.36 (strict decoding error: unknown field "spec.fromTheFuture"): '
            "the patch is only merged",
        ),
    )


def test_a_conversion_webhook_lowers_the_confidence() -> None:
    kind = gizmo(conversion={"strategy": "Webhook"})
    given = answer_to_post({"apiVersion": "example.com/v1", "kind": "Gizmo", "metadata": META, "spec": {}}, kind)

    assert isinstance(given, Stored)
    assert (given.confidence.level, len(given.confidence.reasons)) == (Level.LOW, 1)


def test_assumptions_about_the_cluster_are_reasons() -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": META, "spec": spec}
    given = answer_to_post(claim)

    assert isinstance(given, Stored)
    assert given.confidence == Confidence(Level.MEDIUM, ("assumed: no StorageClass is the default of the cluster",))


def test_a_change_of_managers_does_not_depend_on_a_settled_object() -> None:
    schema = load("1.36")
    kind = schema.kind("v1", "ConfigMap")
    assert kind is not None
    server = Server(kind, "1.36", context=context_of(kind, schema, "v1"))
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": META, "data": {"k": "v"}}
    created = answer(Write("PATCH", APPLY_PATCH, config, (("fieldManager", "a"),)), None, server)
    assert isinstance(created, Stored)
    second = Write("PATCH", APPLY_PATCH, config, (("fieldManager", "b"),))

    settled = answer(second, created.object, server, settled=True)

    assert isinstance(settled, Stored)
    assert settled == answer(second, created.object, server)
    assert {owner.name for owner in owners_of(settled.object)} == {"a", "b"}


@pytest.mark.parametrize(
    ("metadata", "field"),
    [
        ({"name": "not a name"}, "metadata.name"),
        ({"name": "a" * 300}, "metadata.name"),
        ({"name": "w", "labels": {"app": "x" * 100}}, "metadata.labels"),
        ({"name": "w", "annotations": {"a b": "x"}}, "metadata.annotations"),
        ({"name": "w", "annotations": {"a": "x" * 300_000}}, "metadata.annotations"),
        ({"name": "w", "finalizers": ["not a name"]}, "metadata.finalizers"),
        ({"name": "w", "labels": ["x"], "finalizers": {"a": 1}}, None),
    ],
)
def test_metadata_of_kinds_without_a_schema_is_judged_as_that_of_any_other(
    metadata: JsonObject, field: str | None
) -> None:
    widget = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {"size": 5}}
    write = Write("POST", JSON_BODY, widget)
    answered = answer(write, None, Server(None, "1.36"))

    assert [cause.field for cause in getattr(answered, "causes", ())][:1] == ([field] if field else [])
