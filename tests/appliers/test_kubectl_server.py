"""The requests of ``kubectl apply --server-side``, as kubectl 1.36.3 sends them; ``answers`` plays the server."""

from collections.abc import Iterator

import pytest

from kubectl_applylint.appliers.attempt import Ask, Attempt
from kubectl_applylint.appliers.kubectl_server import apply, is_migrated, migration_patch
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Verdict, Write
from kubectl_applylint.core.state import LAST_APPLIED, Absent, State
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.fieldset import of_paths
from kubectl_applylint.merge.server_side import APPLY, UPDATE, Identity, Owned
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.write import APPLY_PATCH, JSON_PATCH, Answer, Refused, Stored

SCHEMA = load("1.36")
MANIFEST: JsonObject = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m", "namespace": "shop"}}
ANNOTATION: JsonObject = {"f:metadata": {"f:annotations": {f"f:{LAST_APPLIED}": {}}}}
DATA: JsonObject = {"f:data": {"f:a": {}}}
INVALID = Refused(422, (FieldError("data", "FieldValueInvalid", "bad"),))
QUERY = (("fieldManager", "kubectl"), ("fieldValidation", "Strict"), ("force", "false"))


def entry(manager: str, operation: str, fields: JsonObject, version: str = "v1", **rest: Json) -> JsonObject:
    return {
        "manager": manager,
        "operation": operation,
        "apiVersion": version,
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
        **rest,
    }


def stored_object(*managers: JsonObject, text: str | None = None, version: Json = "7") -> JsonObject:
    annotations = {} if text is None else {"annotations": {LAST_APPLIED: text}}
    metadata = {**MANIFEST["metadata"], **annotations, "managedFields": [*managers], "resourceVersion": version}
    return {**MANIFEST, "metadata": metadata}


def request(manager: str | None = None, *, force: bool = False) -> ApplyRequest:
    return ApplyRequest(MANIFEST, State(Absent()), SCHEMA, Applier.KUBECTL_SERVER, manager, force_conflicts=force)


def asking(answers: Iterator[Answer]) -> Ask:
    def ask(write: Write, live: JsonObject | None, /, *, settled: bool = False) -> Answer:
        return next(answers)

    return ask


def attempt_with(*answers: Answer, manager: str | None = None, live: JsonObject | None = None) -> Attempt:
    """Return the result of an apply if the server gives these answers; each answer must be used."""
    left = iter(answers)
    attempt = apply(request(manager), live, asking(left))
    assert next(left, None) is None
    return attempt


CLIENT = entry("kubectl-client-side-apply", UPDATE, {**ANNOTATION, **DATA})
SERVER = entry("kubectl", APPLY, DATA)
BARE = stored_object(SERVER)


@pytest.mark.parametrize(
    ("manager", "force", "query"),
    [
        pytest.param(None, False, QUERY, id="as usual"),
        pytest.param("ci", True, (("fieldManager", "ci"), QUERY[1], ("force", "true")), id="as someone, by force"),
    ],
)
def test_one_patch_with_the_whole_manifest_is_sent(
    manager: str | None, force: bool, query: tuple[tuple[str, str], ...]
) -> None:
    attempt = apply(request(manager, force=force), None, asking(iter([Stored(BARE, warnings=("w",))])))

    assert attempt.requests == (Write("PATCH", APPLY_PATCH, MANIFEST, query),)
    assert (attempt.verdict, attempt.stored, attempt.warnings) == (Verdict.SERVERSIDE_APPLIED, BARE, ("w",))


def test_a_rejection_is_a_conflict_only_with_status_409() -> None:
    conflict, invalid = attempt_with(Refused(409, ())), attempt_with(INVALID)

    assert (conflict.verdict, conflict.error.splitlines()[1][:29]) == (
        Verdict.CONFLICT,
        "Please review the fields abov",
    )
    assert (invalid.verdict, invalid.refusal, invalid.error) == (Verdict.REJECTED, INVALID, "")


def test_last_applied_gets_a_manager_of_its_own() -> None:
    attempt = attempt_with(Stored(stored_object(SERVER, text="{}")), Stored(BARE))
    annotated = {"name": "m", "namespace": "shop", "annotations": {LAST_APPLIED: "{}"}}

    assert attempt.requests[1] == Write(
        "PATCH",
        APPLY_PATCH,
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": annotated},
        (("fieldManager", "kubectl-last-applied"), ("fieldValidation", "Strict")),
    )
    assert attempt.stored == BARE


@pytest.mark.parametrize(
    ("live", "manager"),
    [
        pytest.param(
            stored_object(entry("k", APPLY, ANNOTATION), text="{}"), None, id="someone applies the annotation"
        ),
        pytest.param(stored_object(SERVER, text="{}"), "ci", id="another manager applies"),
        pytest.param(stored_object(SERVER), None, id="no annotation"),
    ],
)
def test_the_last_applied_annotation_is_not_updated_for_other_writers(live: JsonObject, manager: str | None) -> None:
    assert len(attempt_with(Stored(live), manager=manager).requests) == 1


def test_client_side_managers_are_migrated_and_the_manifest_is_applied_again() -> None:
    attempt = attempt_with(Stored(stored_object(CLIENT)), Stored(stored_object(SERVER)), Stored(BARE))

    assert [write.content_type for write in attempt.requests] == [APPLY_PATCH, JSON_PATCH, APPLY_PATCH]
    assert attempt.requests[2] == attempt.requests[0]
    assert (attempt.verdict, attempt.warnings) == (Verdict.SERVERSIDE_APPLIED, ())


@pytest.mark.parametrize(
    ("answers", "count", "complaint"),
    [
        pytest.param(
            (Stored(stored_object(CLIENT, text="{}")), INVALID),
            2,
            f"failed to migrate {LAST_APPLIED} for Server-Side Apply.",
            id="the annotation",
        ),
        pytest.param(
            (Stored(stored_object(CLIENT)), INVALID),
            2,
            "server rejected managed fields migration to Server-Side Apply.",
            id="the managers",
        ),
        pytest.param(
            (Stored(stored_object(CLIENT)), Stored(BARE), INVALID),
            3,
            "failed to re-apply configuration after performing Server-Side Apply migration.",
            id="the second apply",
        ),
    ],
)
def test_a_failed_migration_ends_with_a_warning(answers: tuple[Answer, ...], count: int, complaint: str) -> None:
    attempt = attempt_with(*answers)
    error = 'This is non-fatal and will be retried next time you apply. Error: ConfigMap "m" is invalid: data: bad'

    assert (attempt.verdict, len(attempt.requests)) == (Verdict.SERVERSIDE_APPLIED, count)
    assert attempt.warnings == (f"{complaint} {error}",)


def test_an_object_that_is_being_deleted_is_warned_about_last() -> None:
    live = {**MANIFEST, "metadata": {"deletionTimestamp": "2026-01-01T00:00:00Z"}}

    assert attempt_with(Stored(BARE, warnings=("w",)), live=live).warnings == (
        "w",
        "Detected changes to resource m which is currently being deleted.",
    )


def patched_managers(*managers: JsonObject, manager: str = "kubectl") -> Json:
    write = migration_patch(stored_object(*managers), manager)
    return write and write.body[0]["value"]


def test_the_migration_replaces_the_managers_of_one_version_of_the_object() -> None:
    write = migration_patch(stored_object(CLIENT), "kubectl")

    assert write == Write(
        "PATCH",
        JSON_PATCH,
        [
            {
                "op": "replace",
                "path": "/metadata/managedFields",
                "value": [{**CLIENT, "manager": "kubectl", "operation": APPLY}],
            },
            {"op": "replace", "path": "/metadata/resourceVersion", "value": "7"},
        ],
        QUERY[:2],
    )


@pytest.mark.parametrize(
    ("managers", "after"),
    [
        pytest.param((SERVER,), None, id="none"),
        pytest.param(
            (entry("kubectl-client-side-apply", UPDATE, DATA),), None, id="no annotation, no client-side apply"
        ),
        pytest.param((entry("ci", UPDATE, ANNOTATION),), [entry("kubectl", APPLY, ANNOTATION)], id="by any name"),
        pytest.param(
            (entry("kubectl", APPLY, {"f:data": {"f:b": {}}}), CLIENT),
            [entry("kubectl", APPLY, {**ANNOTATION, "f:data": {"f:a": {}, "f:b": {}}})],
            id="added to the applier",
        ),
        pytest.param((SERVER, entry("ci", UPDATE, ANNOTATION, "v2")), [SERVER], id="of another version: forgotten"),
        pytest.param(
            (entry("ci", UPDATE, ANNOTATION), entry("ci", UPDATE, DATA, subresource="status")),
            [entry("kubectl", APPLY, ANNOTATION), entry("ci", UPDATE, DATA, subresource="status")],
            id="what it wrote to a subresource stays",
        ),
    ],
)
def test_managers_of_client_side_apply_are_migrated(managers: tuple[JsonObject, ...], after: Json) -> None:
    assert patched_managers(*managers) == after


def test_a_migrated_manager_updates_and_owns_the_annotation() -> None:
    annotation = of_paths([("f:metadata", "f:annotations", f"f:{LAST_APPLIED}")])

    assert is_migrated(Identity("x", UPDATE, "v1"), Owned(annotation, "v1"))
    assert not is_migrated(Identity("x", APPLY, "v1"), Owned(annotation, "v1"))
    assert not is_migrated(Identity("x", UPDATE, "v1"), Owned(of_paths([("f:data",)]), "v1"))
