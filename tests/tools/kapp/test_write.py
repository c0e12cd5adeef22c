"""The requests of kapp for one object, as kapp 0.64.2 sends them to a 1.36.3 server."""

from collections.abc import Iterator

import pytest

from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict, Write
from kubectl_applylint.core.state import Absent, Present, State, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.engine.predict import predict
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import Answer, Refused, Stored
from kubectl_applylint.tools.kapp.app import IDENTITY, KappApp, KappWrite
from kubectl_applylint.tools.kapp.memory import CHECKSUM, ORIGINAL
from kubectl_applylint.tools.kapp.rules import KappRules
from kubectl_applylint.tools.kapp.write import apply, rejection_message

SCHEMA = load("1.36")
APP = KappApp("app", "shop", "7")
HOW = KappWrite(APP)
BAD = {"a b": "1"}
ANSWER = Refused(0, ())


def config(
    data: Json = None, annotations: JsonObject | None = None, kind: str = "ConfigMap", **more: Json
) -> JsonObject:
    metadata = {"name": "web", "namespace": "shop", **({"annotations": annotations} if annotations else {})}
    item = {"apiVersion": "v1", "kind": kind, "metadata": metadata, "data": data or {"a": "1"}, **more}
    return APP.with_app_labels(item, KappRules())


def config_with(name: str, value: str = "", data: Json = None) -> JsonObject:
    return config(data, {f"kapp.k14s.io/{name}": value})


def written(manifest: JsonObject, live: JsonObject | None, how: KappWrite = HOW) -> Outcome:
    state = State(Absent() if live is None else Present(live))
    return predict(ApplyRequest(manifest, state, SCHEMA, Applier.KAPP, tool=how))


def stored_object(manifest: JsonObject) -> JsonObject:
    """Return the object as kapp leaves it."""
    found = written(manifest, None).result
    assert found is not None
    return {**found, "metadata": {**found["metadata"], "resourceVersion": "7", "uid": "u"}}


def methods(outcome: Outcome) -> list[str]:
    return [write.method for write in outcome.requests]


def test_an_object_is_created_and_remembered() -> None:
    outcome = written(config(), None)
    assert outcome.result is not None
    metadata = outcome.result["metadata"]

    assert (outcome.verdict, methods(outcome)) == (Verdict.CREATED, ["POST", "PUT"])
    assert metadata["annotations"].keys() == {IDENTITY, ORIGINAL, CHECKSUM}
    assert {entry["manager"] for entry in metadata["managedFields"]} == {"kapp"}


def test_nothing_is_sent_for_what_has_not_changed() -> None:
    outcome = written(config(), stored_object(config()))

    assert (outcome.verdict, methods(outcome)) == (Verdict.UNCHANGED, [])


def test_an_unknown_checksum_of_addresses_is_no_change() -> None:
    service = config(kind="Service", spec={"ports": [{"port": 80}]})
    manifest = {key: value for key, value in service.items() if key != "data"}
    live = stored_object(manifest)

    assert isinstance(live["metadata"]["annotations"][CHECKSUM], Unknown)
    assert written(manifest, live).verdict is Verdict.UNCHANGED


def test_an_update_removes_what_others_have_added() -> None:
    live = stored_object(config())
    changed = {**live, "data": {"a": "1", "hand": "x"}}
    outcome = written(config(), changed)
    assert outcome.result is not None

    assert (outcome.verdict, methods(outcome)) == (Verdict.CONFIGURED, ["PUT", "PUT"])
    assert outcome.result["data"] == {"a": "1"}


def test_no_history_is_stored_if_an_annotation_disables_it() -> None:
    assert methods(written(config_with("disable-original"), None)) == ["POST"]


@pytest.mark.parametrize(
    ("name", "verdict", "sent"),
    [
        ("noop", Verdict.UNCHANGED, []),
        ("exists", Verdict.UNCHANGED, []),
        ("update-strategy=skip", Verdict.UNCHANGED, []),
        ("update-strategy=always-replace", Verdict.CONFIGURED, ["DELETE", "POST", "PUT"]),
        ("update-strategy=fallback-on-replace", Verdict.CONFIGURED, ["PUT", "PUT"]),
        ("update-strategy=recreate", Verdict.REJECTED, []),
    ],
)
def test_annotations_say_how_an_object_is_updated(name: str, verdict: Verdict, sent: list[str]) -> None:
    mark, _, value = name.partition("=")
    outcome = written(config_with(mark, value, {"a": "2"}), stored_object(config()))

    assert (outcome.verdict, methods(outcome)) == (verdict, sent)


def test_an_object_is_recreated_where_the_server_rejects_the_update() -> None:
    live = stored_object(config(immutable=True))
    by_flag = KappWrite(APP, strategy="fallback-on-replace")
    outcome = written(config({"a": "2"}, immutable=True), live, by_flag)
    refused = written(config({"a": "2"}, immutable=True), live)

    assert (outcome.verdict, methods(outcome)) == (Verdict.CONFIGURED, ["PUT", "DELETE", "POST", "PUT"])
    assert "recreated" in outcome.warnings[-1]
    assert refused.verdict is Verdict.REJECTED
    assert refused.error.startswith("update configmap/web (v1) namespace: shop: Updating resource configmap/web")
    assert refused.error.endswith("(reason: Invalid)")


def test_an_object_is_lost_where_its_recreation_fails() -> None:
    outcome = written(config_with("update-strategy", "always-replace", BAD), stored_object(config()))

    assert (outcome.verdict, outcome.result) == (Verdict.REJECTED, None)
    assert outcome.error.startswith("update configmap/web (v1) namespace: shop: Creating resource")


def test_kapp_waits_for_an_object_with_finalizers() -> None:
    live = stored_object(config())
    live = {**live, "metadata": {**live["metadata"], "finalizers": ["example.com/x"]}}
    outcome = written(config_with("update-strategy", "always-replace", {"a": "2"}), live)

    assert (outcome.verdict, methods(outcome)) == (Verdict.REJECTED, ["DELETE"])
    assert "finalizers" in outcome.error


@pytest.mark.parametrize(
    ("mark", "said_of_it"),
    [
        ("exists", "Timed out waiting after 15m0s: Last error: exists configmap/web (v1) namespace: shop: External"),
        ("create-strategy", "Unknown create strategy: other"),
    ],
)
def test_an_object_may_not_be_created(mark: str, said_of_it: str) -> None:
    outcome = written(config_with(mark, "other"), None)

    assert (outcome.verdict, methods(outcome)) == (Verdict.REJECTED, [])
    assert outcome.error.startswith(said_of_it)


def test_a_new_version_under_a_taken_name_is_a_conflict() -> None:
    outcome = written(config(), stored_object(config()), KappWrite(APP, is_new_version=True))

    assert outcome.verdict is Verdict.CONFLICT
    assert outcome.error.endswith('configmaps "web" already exists (reason: AlreadyExists)')


def test_a_failure_after_the_write_leaves_the_object_written() -> None:
    account = config(kind="ServiceAccount", secrets=[{"name": ""}])
    account = {key: value for key, value in account.items() if key != "data"}
    outcome = written({**account, "secrets": [{}]}, None)

    assert outcome.verdict is Verdict.REJECTED
    assert "Calculating change after the save" in outcome.error
    assert outcome.result is not None


def test_a_rejected_record_is_a_rejection() -> None:
    answers: Iterator[Answer] = iter([Stored(stored_object(config())), Refused(422, (FieldError("", "", "no"),))])
    request = ApplyRequest(config(), State(Absent()), SCHEMA, Applier.KAPP, tool=HOW)

    def ask(_: Write, __: JsonObject | None, /, *, settled: bool = False) -> Answer:
        return next(answers)

    attempt = apply(request, None, ask)

    assert attempt.verdict is Verdict.REJECTED
    assert attempt.error.startswith("create configmap/web (v1) namespace: shop: Updating resource")


def test_kapp_writes_for_an_app() -> None:
    with pytest.raises(ValueError, match="which one is not known"):
        apply(
            ApplyRequest(config(), State(Absent()), SCHEMA, Applier.KAPP),
            None,
            lambda *_, settled=False: Refused(0, ()),
        )


def test_a_rejection_has_the_reason_of_the_server() -> None:
    assert rejection_message(config(), Refused(403, (FieldError("", "", "no"),)), "create", "POST") == (
        "create configmap/web (v1) namespace: shop: Creating resource configmap/web (v1) namespace: shop: API server"
        " says: no (reason: Forbidden)"
    )
    assert rejection_message(config(), Refused(418, ()), "create", "POST").endswith("(reason: Unknown)")


def test_metadata_that_is_no_map_is_a_failure() -> None:
    broken = {**config(), "metadata": {**config()["metadata"], "annotations": True}}
    outcome = written(broken, None)

    assert outcome.verdict is Verdict.REJECTED
    assert outcome.error == "configmap/web (v1) namespace: shop: Unexpected non-map found: bool"
