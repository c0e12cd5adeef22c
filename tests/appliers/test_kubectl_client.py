import pytest

from kubectl_applylint import api
from kubectl_applylint.appliers.kubectl_client import was_applied
from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.appliers.request import ApplyRequest, Validation
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.state import LAST_APPLIED, Present, State
from kubectl_applylint.core.values import Json
from kubectl_applylint.engine.predict import predict

SCHEMA = api.load_schema("1.36")


def manifest(kind: str = "ConfigMap", api_version: str = "v1", **content: Json) -> dict[str, Json]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": "x", "namespace": "default"}, **content}


def live_of(applied: Json) -> dict[str, Json]:
    stored = api.predict(applied, schema=SCHEMA).result
    assert stored is not None
    return dict(stored)


def apply(
    new: Json,
    live: Json,
    *,
    overwrite: bool = True,
    force: bool = False,
    validation: Validation = Validation.STRICT,
) -> Outcome:
    state = State(Present(live))
    return predict(ApplyRequest(new, state, SCHEMA, overwrite=overwrite, force=force, validation=validation))


@pytest.mark.parametrize(
    ("metadata", "wanted"),
    [
        ({"annotations": {LAST_APPLIED: "{}"}}, True),
        ({"annotations": {LAST_APPLIED: ""}}, True),
        ({"managedFields": [{"manager": "x"}, {"manager": "kubectl-client-side-apply"}]}, True),
        ({"managedFields": [{"manager": "kubectl-create"}, None]}, False),
        ({"managedFields": "junk"}, False),
        ({}, False),
    ],
    ids=["annotation", "empty annotation", "manager", "created", "junk", "nothing"],
)
def test_client_side_apply_is_recognized_by_its_annotation_and_manager(metadata: Json, wanted: bool) -> None:
    assert was_applied({"metadata": metadata}) is wanted


def test_nulls_are_sent_in_the_annotation_but_not_in_a_new_object() -> None:
    body = api.predict(manifest(data={"a": None, "b": "1"}), schema=SCHEMA).requests[0].body

    assert body["data"] == {"b": "1"}
    assert '"a":null' in body["metadata"]["annotations"][LAST_APPLIED]


def test_a_new_object_loses_its_resource_version() -> None:
    new = manifest()
    new["metadata"] = {**new["metadata"], "resourceVersion": "5"}

    assert "resourceVersion" not in api.predict(new, schema=SCHEMA).requests[0].body["metadata"]


def test_a_missing_annotation_is_warned_about_and_an_empty_one_is_not() -> None:
    bare = manifest(data={"a": "1"})
    empty = {**bare, "metadata": {**bare["metadata"], "annotations": {LAST_APPLIED: ""}}}

    assert apply(bare, bare).warnings[0].startswith(f"resource configmaps/x is missing the {LAST_APPLIED} annotation")
    assert apply(bare, empty).warnings == ()


def test_an_object_that_is_being_deleted_has_a_warning() -> None:
    live = live_of(manifest())
    live["metadata"] = {**live["metadata"], "deletionTimestamp": "2026-01-01T00:00:00Z"}

    assert apply(manifest(), live).warnings == ("Detected changes to resource x which is currently being deleted.",)


def test_a_stale_resource_version_is_a_conflict() -> None:
    live = live_of(manifest())
    live["metadata"] = {**live["metadata"], "resourceVersion": "7"}
    new = manifest(data={"a": "1"})
    new["metadata"] = {**new["metadata"], "resourceVersion": "6"}
    outcome = apply(new, live)

    assert (outcome.verdict, outcome.status, outcome.result) == ("conflict", 409, live)


def test_annotations_that_are_too_large_are_rejected() -> None:
    outcome = api.predict(manifest(data={"a": "x" * 262_144}), schema=SCHEMA)

    assert (outcome.verdict, outcome.status, outcome.result) == ("rejected", 422, None)
    assert outcome.errors[0].field == "metadata.annotations"
    assert outcome.intended is not None


def test_a_broken_annotation_stops_kubectl_before_it_sends_anything() -> None:
    live = {**manifest(), "metadata": {"name": "x", "annotations": {LAST_APPLIED: "{bad"}}}
    outcome = apply(manifest(), live)

    assert (outcome.verdict, outcome.status, outcome.requests) == ("rejected", None, ())
    assert outcome.errors[0].message == "invalid JSON document"


def test_overwrite_off_accepts_entries_of_others() -> None:
    def web(*variables: Json) -> Json:
        containers = [{"name": "app", "image": "nginx", "env": list(variables)}]
        template = {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": containers}}
        spec = {"selector": {"matchLabels": {"app": "web"}}, "template": template}
        return manifest("Deployment", "apps/v1", spec=spec)

    own, foreign = {"name": "A", "value": "1"}, {"name": "B", "value": "2"}
    stored = live_of(web(own))
    template = {**stored["spec"]["template"], "spec": web(own, foreign)["spec"]["template"]["spec"]}
    live = {**stored, "spec": {**stored["spec"], "template": template}}

    assert apply(web(own), live, overwrite=False).verdict == "configured"
    assert apply(web(foreign), live, overwrite=False).verdict == "rejected"


def test_overwrite_off_stops_at_what_others_changed() -> None:
    live = {**live_of(manifest(data={"a": "1"})), "data": {"a": "2"}}

    assert apply(manifest(data={"a": "3"}), live, overwrite=False).verdict == "rejected"


@pytest.mark.parametrize("field", ["apiVersion", "kind"])
def test_a_custom_resource_keeps_its_identity(field: str) -> None:
    new = manifest("Gadget", "x.io/v1")
    live = live_of(new)
    live["metadata"] = {**live["metadata"], "annotations": {LAST_APPLIED: '{"metadata":{"name":"y"}}'}}
    live["metadata"]["name"] = "y"

    assert apply(new, live).errors[0].message.startswith("precondition failed")


def test_kinds_that_kubectl_has_no_types_of_fall_back_to_a_merge_patch() -> None:
    crd = manifest("CustomResourceDefinition", "apiextensions.k8s.io/v1", spec={"foo": {"a": 1}})
    outcome = apply({**crd, "spec": {"foo": {"a": 2}}}, {**annotate(crd), "spec": {}})

    assert outcome.requests[0].content_type == "application/merge-patch+json"


def test_a_built_in_kind_does_not_fall_back() -> None:
    deployment = manifest("Deployment", "apps/v1", spec={"foo": {"a": 1}})
    outcome = apply({**deployment, "spec": {"foo": {"a": 2}}}, {**annotate(deployment), "spec": {}})

    assert outcome.errors[0].message == 'unable to find api field in struct DeploymentSpec for the json field "foo"'


def workload(label: str, selected: str) -> dict[str, Json]:
    template = {"metadata": {"labels": {"app": label}}, "spec": {"containers": [{"name": "x", "image": "x:1"}]}}
    return manifest(
        "Deployment", "apps/v1", spec={"selector": {"matchLabels": {"app": selected}}, "template": template}
    )


def test_force_deletes_what_it_may_not_change() -> None:
    live = live_of(workload("a", "a"))
    live["spec"]["replicas"] = 5
    outcome = apply(workload("b", "b"), live, force=True)

    assert (outcome.verdict, outcome.errors, outcome.restarts) == ("configured", (), True)
    assert [write.method for write in outcome.requests] == ["PATCH", "DELETE", "POST"]
    assert outcome.result is not None
    assert outcome.result["spec"]["replicas"] == 1
    assert "--force" in outcome.warnings[-1]


def test_force_recreates_the_live_object_if_the_new_one_is_rejected() -> None:
    live = live_of(workload("a", "a"))
    outcome = apply(workload("a", "b"), live, force=True)

    assert outcome.result is not None
    assert (outcome.verdict, outcome.result["spec"]) == ("rejected", live["spec"])
    assert [write.method for write in outcome.requests] == ["PATCH", "DELETE", "POST"]


def test_force_loses_what_the_server_does_not_create_again() -> None:
    pods = {"spec": {"containers": [{"name": "x", "image": "x:1"}], "restartPolicy": "Never"}}
    job = manifest("Job", "batch/v1", spec={"template": pods})
    wrong = manifest("Job", "batch/v1", spec={"template": {"spec": {}}})
    settings = manifest("ConfigMap", "v1", data={"a": "1"})
    broken = {**live_of(settings), "data": {"a b": "1"}}

    paragraphs = apply(wrong, live_of(job), force=True).error.split("\n\n")

    assert paragraphs[0] == "An error occurred force-replacing the existing object with the newly provided one:"
    assert paragraphs[1].endswith(": Required value].")
    assert "spec.template.metadata.labels[controller-uid]: Invalid value: " in paragraphs[3]
    assert paragraphs[3].endswith("`selector` not auto-generated]")
    assert apply(wrong, live_of(job), force=True).result is None
    assert apply(manifest("ConfigMap", "v1", data={"c d": "1"}), broken, force=True).result is None


def test_force_deletes_nothing_without_a_rejection() -> None:
    outcome = apply(workload("a", "a") | {"metadata": {"name": "y"}}, live_of(workload("a", "a")), force=True)

    assert "DELETE" not in [write.method for write in outcome.requests]


@pytest.mark.parametrize("validation", [Validation.WARN, Validation.IGNORE])
def test_without_strict_validation_unknown_fields_are_dropped(validation: Validation) -> None:
    live = live_of(manifest(data={"a": "1"}))
    typo = manifest(data={"a": "2"}, immutabel=True)
    nested = {"metadata": {"name": "x", "namespace": "default", "lables": {}}}

    assert apply(typo, live).verdict == "rejected"
    outcome = apply(typo | nested, live, validation=validation)
    assert (outcome.verdict, outcome.errors) == ("configured", ())
    assert outcome.result is not None
    assert outcome.result["data"] == {"a": "2"}
    assert "immutabel" not in outcome.result
    assert "lables" not in outcome.result["metadata"]
