"""The requests of Flux for one object, as fluxcd/pkg/ssa 0.77 sends them to a 1.36.3 server."""

from collections.abc import Callable

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict
from kubectl_applylint.core.state import Absent, ObjectRef, Present, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.merge.server_side import APPLY, UPDATE
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import JSON_PATCH, Refused, Stored
from kubectl_applylint.tools.flux.kustomization import GROUP, FluxKustomization, FluxWrite
from kubectl_applylint.tools.flux.write import apply, dry_run_error, has_drifted
from tests.appliers.test_kubectl_server import entry

SCHEMA = load("1.36")
APP, FORCED = FluxKustomization("app", "shop"), FluxKustomization("app", "shop", is_forced=True)
CREATED = FluxWrite(APP)


def config(data: Json = None, **metadata: Json) -> JsonObject:
    named = {"name": "web", "namespace": "shop", **metadata}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": named, "data": data or {"a": "1"}}


def config_with(name: str, value: str) -> JsonObject:
    return config(annotations={f"{GROUP}/{name}": value})


def written(manifest: JsonObject, live: JsonObject | None, how: FluxWrite = CREATED) -> Outcome:
    state = State(Absent() if live is None else Present(live))
    return predict(ApplyRequest(manifest, state, SCHEMA, Applier.FLUX, tool=how))


def applied_object(manifest: JsonObject) -> JsonObject:
    """Return the object as Flux leaves it."""
    found = written(manifest, None).result
    assert found is not None
    return {**found, "metadata": {**found["metadata"], "resourceVersion": "7", "uid": "u"}}


def by_kubectl(live: JsonObject, fields: JsonObject) -> JsonObject:
    """Return the object with more data that a kubectl owns."""
    metadata, data = live["metadata"], {**live["data"], **dict.fromkeys(fields, "x")}
    other = entry("kubectl-edit", UPDATE, {"f:data": {f"f:{name}": {} for name in fields}})
    return {**live, "data": data, "metadata": {**metadata, "managedFields": [*metadata["managedFields"], other]}}


def sent(outcome: Outcome) -> list[tuple[str, str]]:
    return [(write.method, write.content_type.rpartition("/")[2]) for write in outcome.requests]


def test_an_object_is_created_by_apply_with_the_labels_of_the_kustomization() -> None:
    found = written(config(), None)

    assert (found.verdict, sent(found)) == (Verdict.CREATED, [("PATCH", "apply-patch+yaml")])
    assert found.result is not None
    assert found.result["metadata"]["labels"] == APP.labels
    assert found.result["metadata"]["managedFields"][0]["manager"] == "kustomize-controller"


def test_without_drift_nothing_is_sent() -> None:
    live = applied_object(config())

    assert (written(config(), live).verdict, written(config(), live).requests) == (Verdict.UNCHANGED, ())
    assert written(config(finalizers=["example.com/f"]), live).verdict is Verdict.UNCHANGED
    assert written(config({"a": "2"}), live).verdict is Verdict.CONFIGURED
    assert written(config(annotations={"a": "1"}), live).verdict is Verdict.CONFIGURED


def test_fields_of_kubectl_are_removed_and_those_of_others_stay() -> None:
    live = by_kubectl(applied_object(config()), {"hand": {}})
    found = written(config(), live)

    assert sent(found) == [("PATCH", "json-patch+json"), ("PATCH", "apply-patch+yaml")]
    assert found.result is not None
    assert found.result["data"] == {"a": "1"}
    kept = written(config_with("ssa", "Merge"), live).result
    assert kept is not None
    assert kept["data"] == {"a": "1", "hand": "x"}


@pytest.mark.parametrize(("name", "value"), [("ssa", "Ignore"), ("reconcile", "disabled"), ("ssa", "IfNotPresent")])
def test_a_marked_object_is_skipped(name: str, value: str) -> None:
    live = applied_object(config())
    found = written({**config_with(name, value), "data": {"a": "2"}}, live)

    assert (found.verdict, found.result, found.requests) == (Verdict.UNCHANGED, live, ())
    assert (written(config_with(name, value), None).verdict is Verdict.CREATED) == (value == "IfNotPresent")


def test_the_check_alone_cleans_up() -> None:
    live = by_kubectl(applied_object(config()), {"hand": {}})
    found = written(config({"a": "2"}), live, FluxWrite(APP, only_checks=True))

    assert (found.verdict, sent(found)) == (Verdict.CONFIGURED, [("PATCH", "json-patch+json")])
    assert found.result is not None
    assert found.result["data"] == {"a": "1", "hand": "x"}
    assert [each["manager"] for each in found.result["metadata"]["managedFields"]] == ["kustomize-controller"]
    assert written(config(), None, FluxWrite(APP, only_checks=True)).verdict is Verdict.UNCHANGED


IMMUTABLE = {**config(), "immutable": True}


def test_a_rejected_change_has_the_message_of_flux() -> None:
    found = written({**IMMUTABLE, "data": {"a": "2"}}, applied_object(IMMUTABLE))

    assert (found.verdict, found.requests) == (Verdict.REJECTED, ())
    assert found.error == (
        'ConfigMap/shop/web dry-run failed (Invalid): ConfigMap "web" is invalid: data: Forbidden: field is immutable'
        " when `immutable` is set"
    )


@pytest.mark.parametrize("how", [FluxWrite(FORCED), CREATED])
def test_by_force_an_object_is_deleted_and_created(how: FluxWrite) -> None:
    manifest = config({"a": "2"}, annotations={f"{GROUP}/force": "enabled"} if how is CREATED else {})
    found = written(manifest, applied_object(IMMUTABLE), how)

    assert (found.verdict, sent(found)) == (Verdict.CONFIGURED, [("DELETE", "json"), ("PATCH", "apply-patch+yaml")])
    assert found.result is not None
    assert found.result["data"] == {"a": "2"}
    assert found.warnings == ("it is deleted and recreated, because the server rejects the change (force)",)


def test_by_force_an_invalid_object_is_lost() -> None:
    """[I] fluxcd/kustomize-controller#734."""
    found = written(config({"a b": "1"}), applied_object(config()), FluxWrite(FORCED))

    assert (found.verdict, sent(found), found.result) == (Verdict.REJECTED, [("DELETE", "json")], None)
    assert found.error.startswith("ConfigMap/shop/web dry-run failed (Invalid): ")
    assert found.warnings == ("it is deleted to be recreated, which then fails (force)",)


def test_by_force_an_object_that_kubectl_wrote_is_lost_until_the_next_reconciliation() -> None:
    live = by_kubectl(applied_object(IMMUTABLE), {"hand": {}})
    found = written(config({"a": "2"}), live, FluxWrite(FORCED))

    assert (found.result, found.error) == (
        None,
        'ConfigMap/shop/web metadata.managedFields cleanup failed: configmaps "web" not found',
    )


def test_by_force_an_object_with_finalizers_is_waited_for_in_vain() -> None:
    live = applied_object(IMMUTABLE)
    held = {**live, "metadata": {**live["metadata"], "finalizers": ["example.com/f"]}}
    found = written(config({"a": "2"}), held, FluxWrite(FORCED))

    assert found.error.endswith("failed to wait for object to be deleted: context deadline exceeded")
    assert found.result is None


def test_an_object_without_a_namespace_is_not_found() -> None:
    manifest = {**config(), "metadata": {"name": "web"}}

    assert written(manifest, None).error == (
        "ConfigMap/web namespace not specified: the server could not find the requested resource"
    )


@pytest.mark.parametrize("is_cleanup", [True, False])
def test_later_rejections_of_the_server_are_named(is_cleanup: bool) -> None:
    refusal = Refused(409 if is_cleanup else 403, (FieldError("", "", "no"),))
    live = by_kubectl(applied_object(config()), {"hand": {}})
    calls: list[str] = []

    def ask(write: object, found: JsonObject | None, /, *, settled: bool = False) -> Stored | Refused:
        calls.append(getattr(write, "content_type", ""))
        if calls[-1] == JSON_PATCH:
            return refusal if is_cleanup else Stored(live)
        return Stored(config({"a": "2"})) if len(calls) == 1 else refusal

    request = ApplyRequest(config(), State(Present(live)), SCHEMA, Applier.FLUX, tool=CREATED)
    found = apply(request, live, ask)

    assert found.error == f"ConfigMap/shop/web {'metadata.managedFields cleanup' if is_cleanup else 'apply'} failed: no"
    assert found.verdict is (Verdict.CONFLICT if is_cleanup else Verdict.REJECTED)


def test_a_kustomization_is_needed() -> None:
    ask: Callable[..., Stored] = lambda *_, **__: Stored({})  # noqa: E731  never called
    with pytest.raises(ValueError, match="which one is not known"):
        apply(ApplyRequest(config(), State(Absent()), SCHEMA, Applier.FLUX), None, ask)


@pytest.mark.parametrize(
    ("status", "message"),
    [(500, "dry-run failed: no"), (403, "dry-run failed (Forbidden): no"), (404, "not found: no")],
)
def test_a_dry_run_names_the_reason(status: int, message: str) -> None:
    ref = ObjectRef("v1", "ConfigMap", "shop", "web")

    assert dry_run_error(ref, Refused(status, (FieldError("", "", "no"),))) == f"ConfigMap/shop/web {message}"


def test_owners_and_status_are_no_drift() -> None:
    live = config()

    assert not has_drifted({**live, "status": {"a": 1}}, config(managedFields=[entry("a", APPLY, {})]))
    assert has_drifted(live, config({"a": "2"}))


def test_a_metric_that_an_autoscaler_has_twice_is_no_drift() -> None:
    live: JsonObject = {"kind": "HorizontalPodAutoscaler", "spec": {"metrics": [{"type": "Resource"}]}}

    assert not has_drifted(live, {**live, "spec": {"metrics": [{"type": "Resource"}, {"type": "Resource"}]}})
