from dataclasses import replace

import pytest

from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Level, Outcome, Verdict
from kubectl_applylint.core.state import Absent, Present, State, Unknown, ref_of
from kubectl_applylint.core.values import Json, JsonObject, dig
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.engine.transition import EarlierRevision, earlier_revision, outcomes_of_unapplied, renames
from kubectl_applylint.schema.load import load
from tests.rules.stories import SCHEMA, document

ORIGIN = "main"
SETTINGS: JsonObject = {
    "apiVersion": "v1",
    "kind": "ConfigMap",
    "metadata": {"name": "settings", "namespace": "shop"},
    "data": {"a": "1", "b": "2", "c": "3"},
}
CRON: JsonObject = {
    "apiVersion": "batch/v1",
    "kind": "CronJob",
    "metadata": {"name": "nightly", "namespace": "shop"},
    "spec": {"schedule": "0 0 * * *"},
}
LAMPS: JsonObject = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "lamps.x.io"},
    "spec": {
        "group": "x.io",
        "names": {"kind": "Lamp", "plural": "lamps"},
        "scope": "Cluster",
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
        ],
    },
}
LAMP: JsonObject = {"apiVersion": "x.io/v1", "kind": "Lamp", "metadata": {"name": "lamp"}}


def predict(manifest: JsonObject, state: State) -> Outcome:
    return engine.predict(ApplyRequest(manifest=manifest, state=state, schema=SCHEMA))


def settings_document(name: str, namespace: str = "shop", **data: str) -> Document:
    metadata = {"name": name, "namespace": namespace}
    return document({**SETTINGS, "metadata": metadata, "data": data or SETTINGS["data"]})


def later(earlier: EarlierRevision, *documents: Document) -> SetApply:
    return apply_set(documents, earlier.cluster, schema=SCHEMA, predict=predict)


def job(image: str, **spec: Json) -> Document:
    pod = {"restartPolicy": "Never", "containers": [{"name": "app", "image": image}]}
    metadata = {"name": "once", "namespace": "shop"}
    return document(
        {"apiVersion": "batch/v1", "kind": "Job", "metadata": metadata, "spec": {**spec, "template": {"spec": pod}}}
    )


JOB = job("a").ref


def test_before_knows_what_the_earlier_manifests_made() -> None:
    earlier = earlier_revision([document(SETTINGS)], origin=ORIGIN, schema=SCHEMA, predict=predict)
    known = earlier.cluster.state(ref_of(SETTINGS))

    assert known.simulated
    assert known.origin == ORIGIN
    assert isinstance(known.live, Present)
    assert known.live.object["data"] == SETTINGS["data"]
    assert earlier.manifest(ref_of(SETTINGS)) == Present(SETTINGS)


def test_two_documents_of_one_object_are_applied_in_their_order() -> None:
    earlier = earlier_revision(
        [settings_document("settings", a="1"), settings_document("settings", b="2")],
        origin=ORIGIN,
        schema=SCHEMA,
        predict=predict,
    )
    live = earlier.cluster.state(ref_of(SETTINGS)).live

    assert isinstance(live, Present)
    assert live.object["data"] == {"b": "2"}


def test_objects_without_an_earlier_manifest_are_absent() -> None:
    earlier = earlier_revision([], origin=ORIGIN, schema=SCHEMA, predict=predict)

    assert earlier.cluster.state(ref_of(SETTINGS)).live == Absent()
    assert earlier.manifest(ref_of(SETTINGS)) == Absent()


def test_objects_without_an_earlier_manifest_are_unknown_if_a_file_was_not_read() -> None:
    earlier = earlier_revision([], origin=ORIGIN, schema=SCHEMA, predict=predict, doubt="a file does not parse")

    assert earlier.cluster.state(ref_of(SETTINGS)).live == Unknown("a file does not parse")
    assert earlier.manifest(ref_of(SETTINGS)) == Unknown("a file does not parse")


def test_an_object_that_was_rejected_is_unknown() -> None:
    earlier = earlier_revision(
        [document({**SETTINGS, "data": {"a": 1}})], origin=ORIGIN, schema=SCHEMA, predict=predict
    )
    live = earlier.cluster.state(ref_of(SETTINGS)).live

    assert isinstance(live, Unknown)
    assert live.reason.startswith("main contains it in a form that the server rejects: ")
    assert list(outcomes_of_unapplied(later(earlier), [document(SETTINGS)])) == []


def test_an_object_of_an_unknown_kind_is_assumed_to_read_the_same_in_another_version() -> None:
    lamp = {"apiVersion": "example.com/v1beta1", "kind": "Lamp", "metadata": {"name": "desk"}, "spec": {"watts": 5}}
    newer = {**lamp, "apiVersion": "example.com/v1"}
    earlier = earlier_revision([document(lamp)], origin=ORIGIN, schema=SCHEMA, predict=predict)
    state = earlier.cluster.state(ref_of(newer))

    assert isinstance(state.live, Present)
    assert (state.live.object["apiVersion"], state.live.object["spec"]) == ("example.com/v1", {"watts": 5})
    outcome = predict(newer, state)
    assert (outcome.verdict, outcome.confidence.level) == (Verdict.CONFIGURED, Level.LOW)
    assert "assumed to change nothing but the version" in outcome.confidence.reasons[0]


def test_an_object_in_another_version_that_is_served_is_read_in_it() -> None:
    scaled = {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}
    scaler = {"apiVersion": "autoscaling/v1", "kind": "HorizontalPodAutoscaler", "metadata": {"name": "web"}}
    spec = {"maxReplicas": 3, "targetCPUUtilizationPercentage": 50, "scaleTargetRef": scaled}
    earlier = earlier_revision([document({**scaler, "spec": spec})], origin=ORIGIN, schema=SCHEMA, predict=predict)
    live = earlier.cluster.state(ref_of({**scaler, "apiVersion": "autoscaling/v2"})).live

    assert isinstance(live, Present)
    assert live.object["spec"]["metrics"][0]["resource"]["target"]["averageUtilization"] == 50


def test_custom_resources_find_the_kind_that_comes_with_them_the_second_time() -> None:
    crds = [LAMPS]
    schema = load("1.36", crds=crds)
    documents = [document(item) for item in (LAMPS, LAMP)]

    earlier = earlier_revision(
        documents,
        origin=ORIGIN,
        schema=schema,
        predict=lambda manifest, state: engine.predict(ApplyRequest(manifest, state, schema)),
    )

    assert isinstance(earlier.cluster.state(ref_of(LAMP)).live, Present)


def test_objects_removed_from_the_files_stay_as_they_are() -> None:
    earlier = earlier_revision(
        [document(SETTINGS), settings_document("other")], origin=ORIGIN, schema=SCHEMA, predict=predict
    )
    ((gone, outcome),) = outcomes_of_unapplied(later(earlier, settings_document("other")), earlier.documents.values())

    assert gone.object == SETTINGS
    assert (outcome.ref, outcome.verdict) == (ref_of(SETTINGS), Verdict.KEPT)
    assert dig(outcome.result, "data") == SETTINGS["data"]


@pytest.mark.parametrize(
    ("new", "is_renamed"),
    [
        pytest.param(settings_document("settings-2"), True, id="another name"),
        pytest.param(settings_document("settings", "store"), True, id="another namespace"),
        pytest.param(settings_document("settings-2", a="1", b="2", c="4"), True, id="and a little else"),
        pytest.param(settings_document("settings-2", a="1", b="3", c="4"), False, id="and much else"),
        pytest.param(document({**SETTINGS, "kind": "Secret"}), False, id="another kind"),
    ],
)
def test_an_object_that_is_much_like_one_that_goes_was_renamed(new: Document, is_renamed: bool) -> None:
    found = renames([document(SETTINGS)], [new])

    assert found == ({new.ref.identity: ref_of(SETTINGS)} if is_renamed else {})


def test_an_object_was_renamed_from_the_one_that_is_most_like_it() -> None:
    near, far = settings_document("near", a="1", b="2", c="3"), settings_document("far", a="1", b="2", c="4")
    one, two = settings_document("one", a="1", b="2", c="3"), settings_document("two", a="1", b="2", c="3")

    assert renames([far, near], [one]) == {one.ref.identity: near.ref}
    assert renames([near], [two, one]) == {one.ref.identity: near.ref}


def test_an_object_of_nothing_but_a_name_was_never_renamed() -> None:
    old = document({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "shop"}})
    new = replace(old, ref=replace(old.ref, name="store"))

    assert renames([old], [new]) == {}


@pytest.mark.parametrize(
    ("spec", "known"),
    [
        ({"ttlSecondsAfterFinished": 0}, Unknown),
        ({"ttlSecondsAfterFinished": 3600}, Unknown),
        ({"ttlSecondsAfterFinished": 0, "suspend": True}, Present),
        ({}, Present),
        ({"ttlSecondsAfterFinished": None}, Present),
    ],
    ids=["at once", "after an hour", "suspended", "stays", "null"],
)
def test_a_job_that_is_deleted_once_it_has_finished_may_be_gone(spec: JsonObject, known: type) -> None:
    assert isinstance(
        earlier_revision([job("a", **spec)], origin="main", schema=SCHEMA, predict=predict).cluster.state(JOB).live,
        known,
    )


def test_a_new_image_of_a_job_that_may_be_deleted_is_not_rejected() -> None:
    results = [
        later(
            earlier_revision([job("a", **spec)], origin="main", schema=SCHEMA, predict=predict), job("b", **spec)
        ).every
        for spec in ({"ttlSecondsAfterFinished": 0}, {})
    ]
    verdicts = [[outcome.verdict for _, outcome in each] for each in results]

    assert verdicts == [[Verdict.CREATED], [Verdict.REJECTED]]


def claim(size: str) -> Document:
    metadata = {"name": "data", "namespace": "shop"}
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": size}}}
    return document({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": metadata, "spec": spec})


@pytest.mark.parametrize(("size", "verdict"), [("20Gi", Verdict.CONFIGURED), ("5Gi", Verdict.REJECTED)])
def test_claims_of_the_earlier_revision_are_bound_and_can_grow(size: str, verdict: Verdict) -> None:
    earlier = earlier_revision([claim("10Gi")], origin=ORIGIN, schema=SCHEMA, predict=predict)
    ((_, outcome),) = later(earlier, claim(size)).every

    assert outcome.verdict is verdict
    reasons = ["the claim grows only if its StorageClass has allowVolumeExpansion: true"]
    assert list(outcome.confidence.open) == (reasons if verdict is Verdict.CONFIGURED else [])
