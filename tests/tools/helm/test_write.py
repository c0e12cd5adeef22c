"""The requests of Helm for one object, as 3.18.0 and 4.1.4 send them to a 1.36.3 server."""

from dataclasses import replace

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict
from kubectl_applylint.core.state import Absent, ObjectRef, Present, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.merge.server_side import APPLY, UPDATE
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import JSON_PATCH, Refused, Stored
from kubectl_applylint.tools.helm.drift import NO_DRIFT_DETECTION, DriftDetection
from kubectl_applylint.tools.helm.method import HelmWrite, Method
from kubectl_applylint.tools.helm.release import Release
from kubectl_applylint.tools.helm.write import apply, error_prefix
from tests.appliers.test_kubectl_server import entry
from tests.engine.test_set_apply import CRD

RELEASE = Release("app", "shop")
SCHEMA = load("1.36", crds=[CRD])
PATCH, APPLIED, REPLACED, CREATED, LEFT, CORRECTED = (HelmWrite(RELEASE, None, method) for method in Method)


def config(**data: Json) -> JsonObject:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "web", "namespace": "shop"},
        "data": data,
    }


def widget(**spec: Json) -> JsonObject:
    return {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": config()["metadata"], "spec": spec}


def stored_object(manifest: JsonObject, *managers: JsonObject) -> JsonObject:
    marked = RELEASE.with_release_marks(manifest)
    metadata = {**marked["metadata"], "resourceVersion": "7", "uid": "u", "managedFields": [*managers]}
    return {**marked, "metadata": metadata}


def written(manifest: JsonObject, live: JsonObject | None, how: HelmWrite, *, force: bool = False) -> Outcome:
    state = State(Absent() if live is None else Present(live))
    return predict(ApplyRequest(manifest, state, SCHEMA, Applier.HELM4, force_conflicts=force, tool=how))


def sent(outcome: Outcome) -> list[tuple[str, str]]:
    return [(write.method, dict(write.query)["fieldValidation"]) for write in outcome.requests]


def test_a_missing_object_is_created_with_the_marks_of_the_release() -> None:
    found = written(config(a="1"), None, PATCH)

    assert (found.verdict, sent(found)) == (Verdict.CREATED, [("POST", "Warn")])
    assert found.result is not None
    assert found.result["metadata"]["labels"] == {"app.kubernetes.io/managed-by": "Helm"}
    assert found.result["metadata"]["managedFields"][0]["manager"] == "helm"


def test_a_patch_removes_what_only_the_release_had_and_leaves_what_others_added() -> None:
    how = HelmWrite(RELEASE, config(a="1", b="2"))
    found = written(config(a="3"), stored_object(config(a="1", b="2", hand="h")), how)

    assert found.result is not None
    assert (found.verdict, found.result["data"]) == (Verdict.CONFIGURED, {"a": "3", "hand": "h"})


def test_objects_that_helm_skips_stay_as_they_are() -> None:
    found = written(config(a="2"), stored_object(config(a="1")), LEFT)

    assert (found.verdict, sent(found), found.changes) == (Verdict.UNCHANGED, [], ())


def test_a_patch_repairs_built_in_kinds_and_leaves_custom_resources() -> None:
    same = HelmWrite(RELEASE, RELEASE.with_release_marks(config(a="1")))
    custom = RELEASE.with_release_marks(widget(size=3))

    assert written(config(a="1"), stored_object(config(a="9")), same).verdict is Verdict.CONFIGURED
    drifted = written(widget(size=3), stored_object(widget(size=9)), HelmWrite(RELEASE, custom))
    assert (drifted.verdict, drifted.requests) == (Verdict.UNCHANGED, ())


def test_an_install_that_takes_ownership_repairs_custom_resources() -> None:
    how = HelmWrite(RELEASE, RELEASE.with_release_marks(widget(size=3)), merges_custom=True)
    found = written(widget(size=3), stored_object(widget(size=9, note="n")), how)

    assert found.result is not None
    assert found.result["spec"] == {"size": 3, "note": "n"}


def test_a_conflict_names_the_object_and_the_manager() -> None:
    live = stored_object(config(a="1"), entry("ci", UPDATE, {"f:data": {"f:a": {}}}))
    found = written(config(a="2"), live, APPLIED)

    assert (found.verdict, found.result) == (Verdict.CONFLICT, live)
    assert found.error == (
        "conflict occurred while applying object shop/web /v1, Kind=ConfigMap: Apply failed with 1 conflict: "
        'conflict with "ci" using v1: .data.a'
    )
    assert written(config(a="2"), live, APPLIED, force=True).verdict is Verdict.CONFIGURED


def test_migrated_managers_stay_if_the_apply_is_rejected() -> None:
    own, other = entry("helm", UPDATE, {"f:data": {"f:b": {}}}), entry("ci", UPDATE, {"f:data": {"f:a": {}}})
    found = written(
        config(a="2"),
        stored_object(config(a="1", b="1"), own, other),
        HelmWrite(RELEASE, None, Method.APPLY, migrates=True),
    )

    assert (found.verdict, len(found.requests)) == (Verdict.CONFLICT, 2)
    assert found.result is not None
    managers = [(each["manager"], each["operation"]) for each in found.result["metadata"]["managedFields"]]
    assert managers == [("helm", APPLY), ("ci", UPDATE)]


def test_a_replacement_leaves_nothing_that_others_added() -> None:
    found = written(config(a="1"), stored_object(config(a="1", hand="h")), REPLACED)

    assert found.result is not None
    assert (found.result["data"], sent(found)) == ({"a": "1"}, [("PUT", "Warn")])


@pytest.mark.parametrize(
    ("live", "method", "before"),
    [
        pytest.param(None, Method.PATCH, "failed to create resource: ", id="created"),
        pytest.param(stored_object(config()), Method.PATCH, 'cannot patch "web" with kind ConfigMap: ', id="patched"),
        pytest.param(stored_object(config()), Method.REPLACE, "failed to replace object: ", id="replaced"),
        pytest.param(stored_object(config()), Method.APPLY, "", id="applied"),
    ],
)
def test_a_rejection_has_the_message_of_helm(live: JsonObject | None, method: Method, before: str) -> None:
    found = written(config(**{"a b": "1"}), live, HelmWrite(RELEASE, config(), method))

    assert found.verdict is Verdict.REJECTED
    assert found.error.startswith(f'{before}ConfigMap "web" is invalid: ')
    assert error_prefix(method if live else Method.CREATE, ObjectRef("v1", "ConfigMap", "shop", "web")) == before


def test_a_patch_that_cannot_be_computed_is_not_sent() -> None:
    manifest = {"apiVersion": "v1", "kind": "Service", "metadata": config()["metadata"], "spec": {"ports": [{}]}}
    live = stored_object({**manifest, "spec": {"ports": [{"port": 80}]}})
    found = written(manifest, live, HelmWrite(RELEASE, manifest))

    assert (found.verdict, found.requests) == (Verdict.REJECTED, ())
    assert found.error.startswith("failed to create patch: ")


def test_nothing_is_applied_where_managers_cannot_be_handed_over() -> None:
    live = stored_object(config(a="1"), entry("helm", UPDATE, {"f:data": {"f:a": {}}}))
    how = HelmWrite(RELEASE, None, Method.APPLY, migrates=True)
    request = ApplyRequest(config(a="2"), State(Present(live)), SCHEMA, Applier.HELM4, tool=how)
    attempt = apply(request, live, lambda write, live, *, settled=False: Refused(422, (FieldError("", "", "no"),)))

    assert [write.content_type for write in attempt.requests] == [JSON_PATCH]
    assert attempt.error.startswith(
        "failed to patch object to upgrade CSA field manager shop/web /v1, Kind=ConfigMap: "
    )


def test_server_side_apply_creates_what_exists_already() -> None:
    live = stored_object(config(a="1"))

    found = written(config(a="1"), live, replace(CREATED, creates_by_apply=True))

    assert [write.method for write in found.requests] == ["PATCH"]
    assert (found.error, found.result and found.result["data"]) == ("", {"a": "1"})


def test_without_a_release_nothing_is_written() -> None:
    request = ApplyRequest(config(), State(Absent()), SCHEMA, Applier.HELM3)

    with pytest.raises(ValueError, match="which one"):
        apply(request, None, lambda write, live, *, settled=False: Stored(config()))


@pytest.mark.parametrize(
    ("version", "kind", "resource"),
    [
        ("v1", "ConfigMap", "configmaps"),
        ("v1", "Endpoints", "endpoints"),
        ("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies.networking.k8s.io"),
        ("networking.k8s.io/v1", "Ingress", "ingresses.networking.k8s.io"),
    ],
)
def test_the_rejection_of_a_second_creation_names_the_resource(version: str, kind: str, resource: str) -> None:
    manifest = {"apiVersion": version, "kind": kind, "metadata": config()["metadata"]}
    found = written(manifest, stored_object(manifest), CREATED)

    assert (found.verdict, sent(found)) == (Verdict.CONFLICT, [("POST", "Warn")])
    assert found.error == f'failed to create resource: {resource} "web" already exists'


def correct_drift(live: JsonObject | None, drift: DriftDetection) -> Outcome:
    how = HelmWrite(RELEASE, None, Method.CORRECT, drift=drift)
    state = State(Absent() if live is None else Present(live))
    request = ApplyRequest(config(a="1"), state, SCHEMA, Applier.HELM_CONTROLLER, force_conflicts=True, tool=how)
    return predict(request)


def test_drift_is_corrected_by_a_patch_of_what_differs() -> None:
    own = entry("helm-controller", APPLY, {"f:data": {"f:a": {}}})
    found = correct_drift(stored_object(config(a="9", hand="h"), own), DriftDetection(corrects=True))

    assert [(write.content_type, write.body) for write in found.requests] == [
        (JSON_PATCH, [{"op": "replace", "path": "/data/a", "value": "1"}])
    ]
    assert found.result is not None
    assert (found.verdict, found.result["data"]) == (Verdict.CONFIGURED, {"a": "1", "hand": "h"})


@pytest.mark.parametrize(
    "drift",
    [
        pytest.param(DriftDetection(), id="warn"),
        pytest.param(NO_DRIFT_DETECTION, id="disabled"),
        pytest.param(DriftDetection(True, ({"paths": ["/data/a"]},)), id="ignored field"),
        pytest.param(DriftDetection(True, ({"paths": [""]},)), id="ignored object"),
    ],
)
def test_drift_stays_unless_it_is_corrected(drift: DriftDetection) -> None:
    assert correct_drift(stored_object(config(a="9")), drift).verdict is Verdict.UNCHANGED


def test_a_deleted_object_is_created_again_if_drift_is_corrected() -> None:
    found = correct_drift(None, DriftDetection(corrects=True))

    assert (found.verdict, sent(found)) == (Verdict.CREATED, [("POST", "Warn")])
    assert correct_drift(None, DriftDetection()).verdict is Verdict.UNCHANGED


def test_an_object_that_cannot_be_compared_is_named() -> None:
    state = State(Present(stored_object(config(a="1"))))
    how = HelmWrite(RELEASE, None, Method.CORRECT, drift=DriftDetection(corrects=True))
    found = predict(ApplyRequest(config(**{"a b": "1"}), state, SCHEMA, Applier.HELM_CONTROLLER, tool=how))

    assert (found.verdict, found.error[:47]) == (Verdict.REJECTED, "ConfigMap/shop/web dry-run failed (Invalid): Co")


def test_the_helm_of_helm_controller_names_an_object_whose_apply_is_rejected() -> None:
    how = HelmWrite(RELEASE, None, Method.APPLY)
    state = State(Present(stored_object(config(a="1"))))
    found = predict(ApplyRequest(config(**{"a b": "1"}), state, SCHEMA, Applier.HELM_CONTROLLER, tool=how))

    assert found.error.startswith("server-side apply failed for object shop/web /v1, Kind=ConfigMap: ConfigMap ")
