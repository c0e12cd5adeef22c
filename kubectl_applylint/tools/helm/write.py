"""The requests of Helm for one object: create, patch, apply or replace.

Mirrors the behaviour of ``pkg/kube/client.go`` of Helm 3.18 and 4.1.
"""

import json
from typing import Final, assert_never

from kubectl_applylint.appliers.attempt import Ask, Attempt, send, with_live_version, without_resource_version
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.manager_migration import migration_operations
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Verdict, Write
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge import json_merge
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.three_way import three_way
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.write import (
    APPLY_PATCH,
    JSON_BODY,
    JSON_PATCH,
    MERGE_PATCH,
    STRATEGIC_PATCH,
    Refused,
    Stored,
)
from kubectl_applylint.tools.flux.normalize import normalize_manifest
from kubectl_applylint.tools.helm.drift import DriftDetection, correction, is_excluded
from kubectl_applylint.tools.helm.method import HelmWrite, Method

_OUTSIDE_THE_SCHEME: Final = frozenset({"APIService"})
"""Built-in kinds without Go types in Helm, which patches them like custom resources."""
_CONFLICT: Final = 409
_INVALID: Final = 422
CREATING: Final = "failed to create resource: "
"""The prefix of Helm's error for an object that an upgrade could not create; installs have none."""


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of Helm to write one object; ``request.tool`` is a ``HelmWrite``.

    ``error`` of a rejected attempt is Helm's message for the object.
    """
    how = request.tool
    if not isinstance(how, HelmWrite):
        raise ValueError("Helm writes objects of a release: which one is not known")
    if how.method is Method.CORRECT:
        return _correct(request, how.drift, live, ask)
    if live is None:
        return _create(request, how, ask)
    match how.method:
        case Method.LEAVE:
            return Attempt(Verdict.UNCHANGED, stored=live)
        case Method.CREATE:
            return _create_again(request, how, live, ask)
        case Method.APPLY:
            return _apply_server_side(request, live, ask, migrates=how.migrates)
        case Method.REPLACE:
            return _replace(request, how, live, ask)
        case Method.PATCH:
            return _send_patch(request, how, live, ask)
        case _:
            assert_never(how.method)


def error_prefix(method: Method, ref: ObjectRef) -> str:
    """Return the prefix of Helm's error for a rejected write of an existing object."""
    match method:
        case Method.CREATE:
            return CREATING
        case Method.PATCH:
            return f'cannot patch "{ref.name}" with kind {ref.kind}: '
        case Method.REPLACE:
            return "failed to replace object: "
        case Method.APPLY | Method.LEAVE | Method.CORRECT:
            return ""
        case _:
            assert_never(method)


def _query(request: ApplyRequest, *, is_strict: bool) -> tuple[tuple[str, str], ...]:
    """Return the query parameters of a write."""
    return (("fieldManager", request.manager), ("fieldValidation", "Strict" if is_strict else "Warn"))


def _create(request: ApplyRequest, how: HelmWrite, ask: Ask) -> Attempt:
    write = _apply_patch(request) if how.creates_by_apply else _post(request)
    return _with_message(_send(write, None, ask, Verdict.CREATED), request, CREATING)


def _post(request: ApplyRequest) -> Write:
    return Write("POST", JSON_BODY, without_resource_version(request.manifest), _query(request, is_strict=False))


def _create_again(request: ApplyRequest, how: HelmWrite, live: JsonObject, ask: Ask) -> Attempt:
    """Return the create of an object that exists: server-side apply updates it, a POST fails."""
    if how.creates_by_apply:
        return _with_message(_send(_apply_patch(request), live, ask), request, CREATING)
    ref = request.ref
    resource = f"{_plural(ref.kind)}.{ref.group}".rstrip(".")
    words = f"{resource} {json.dumps(ref.name, ensure_ascii=False)} already exists"
    refusal = Refused(_CONFLICT, (FieldError("", "AlreadyExists", words),))
    return _with_message(_rejected_attempt(_post(request), refusal), request, CREATING)


def _plural(kind: str) -> str:
    """Return the resource name of a kind, as ``UnsafeGuessKindToResource`` of apimachinery guesses it."""
    name = kind.lower()
    if name.endswith("y"):
        return f"{name[:-1]}ies"
    if name == "endpoints":
        return name
    return f"{name}es" if name.endswith("s") else f"{name}s"


def _apply_server_side(request: ApplyRequest, live: JsonObject, ask: Ask, *, migrates: bool) -> Attempt:
    """Return a server-side apply after moving fields; the move stays even if the apply is rejected."""
    migration = migration_operations(live, (request.manager,), request.manager) if migrates else None
    if migration is None:
        return _with_message(_send(_apply_patch(request), live, ask), request)
    match ask(migration, live):
        case Refused() as refusal:
            ref = request.ref
            words = f"failed to patch object to upgrade CSA field manager {ref.namespace}/{ref.name} {_gvk(request)}: "
            return _with_message(_rejected_attempt(migration, refusal), request, words)
        case Stored(stored):
            attempt = _send(_apply_patch(request), stored, ask)
            verdict = Verdict.CONFIGURED if attempt.verdict is Verdict.UNCHANGED else attempt.verdict
            kept = attempt.stored or stored
            done = replace(attempt, verdict=verdict, requests=(migration, *attempt.requests), stored=kept)
            return _with_message(done, request)


def _apply_patch(request: ApplyRequest) -> Write:
    """Return the server-side apply request."""
    forced = str(request.force_conflicts).lower()
    query = (*_query(request, is_strict=True), ("force", forced))
    return Write("PATCH", APPLY_PATCH, request.manifest, query)


def _correct(request: ApplyRequest, drift: DriftDetection, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the correction of what differs from a dry-run apply: the create of a missing object, or a JSON patch."""
    normal = replace(request, manifest=normalize_manifest(request.manifest, request.kind))
    ignored = drift.ignored_paths(normal.manifest)
    unchanged = Attempt(Verdict.UNCHANGED, stored=live)
    if not drift.compares or is_excluded((normal.manifest, live), ignored):
        return unchanged
    match ask(_apply_patch(normal), live):
        case Refused() as refusal:
            return _failed_comparison(normal, refusal)
        case Stored() if live is None:
            return send(_post(normal), None, ask, Verdict.CREATED) if drift.corrects else unchanged
        case Stored(wanted):
            operations = list(correction(live or {}, wanted, ignored)) if drift.corrects else []
            patch = Write("PATCH", JSON_PATCH, operations, _query(normal, is_strict=False))
            return _send(patch, live, ask) if operations else unchanged


def _failed_comparison(request: ApplyRequest, refusal: Refused) -> Attempt:
    """Return the attempt of helm-controller to compare an object whose dry-run apply is rejected."""
    ref, reason = request.ref, "Invalid" if refusal.status == _INVALID else ""
    subject = "/".join(filter(None, (ref.kind, ref.namespace, ref.name)))
    failure = f"{subject} dry-run failed{reason and f' ({reason})'}: {server_message(refusal, ref)}"
    return replace(_rejected_attempt(_apply_patch(request), refusal), error=failure)


def _replace(request: ApplyRequest, how: HelmWrite, live: JsonObject, ask: Ask) -> Attempt:
    """Return a PUT of the whole object."""
    body = with_live_version(request.manifest, live)
    write = Write("PUT", JSON_BODY, body, _query(request, is_strict=how.is_strict))
    return _with_message(_send(write, live, ask), request, error_prefix(how.method, request.ref))


def _send_patch(request: ApplyRequest, how: HelmWrite, live: JsonObject, ask: Ask) -> Attempt:
    """Return the patch of an object, ``UNCHANGED`` if it is empty."""
    try:
        content_type, patch = _patch(request, how, live)
    except MergeError as error:
        words = f"failed to create patch: {error.message}"
        refusal = Refused(0, (FieldError("", "", words),))
        return Attempt(Verdict.REJECTED, refusal=refusal, error=words)
    if not patch:
        return Attempt(Verdict.UNCHANGED, stored=live)
    write = Write("PATCH", content_type, patch, _query(request, is_strict=False))
    return _with_message(_send(write, live, ask), request, error_prefix(how.method, request.ref))


def _patch(request: ApplyRequest, how: HelmWrite, live: JsonObject) -> tuple[str, dict[str, Json]]:
    """Return content type and body of the patch, ``{}`` if nothing changes.

    Raises ``MergeError`` with Helm's text. Without a Go type the live object is ignored: changes by others stay.
    """
    original = how.original or {}
    kind = request.kind
    if kind is not None and _is_in_scheme(kind):
        return STRATEGIC_PATCH, three_way(original, request.manifest, live, kind.root)
    if how.merges_custom:
        return MERGE_PATCH, json_merge.three_way(original, request.manifest, live)
    return MERGE_PATCH, json_merge.two_way(original, request.manifest)


def _is_in_scheme(kind: Kind) -> bool:
    """Return whether Helm has the Go type of a kind."""
    return kind.strategic and kind.name not in _OUTSIDE_THE_SCHEME


def _send(write: Write, live: JsonObject | None, ask: Ask, verdict: Verdict = Verdict.CONFIGURED) -> Attempt:
    """Return the attempt of one write, ``UNCHANGED`` if the object stays the same."""
    attempt = send(write, live, ask, verdict)
    is_same = attempt.refusal is None and live is not None and attempt.stored is live
    return replace(attempt, verdict=Verdict.UNCHANGED) if is_same else attempt


def _rejected_attempt(write: Write, refusal: Refused) -> Attempt:
    verdict = Verdict.CONFLICT if refusal.status == _CONFLICT else Verdict.REJECTED
    return Attempt(verdict, (write,), refusal=refusal)


def _with_message(attempt: Attempt, request: ApplyRequest, before: str = "") -> Attempt:
    """Return the attempt with Helm's message for a rejection: ``before`` and the server's answer."""
    if attempt.refusal is None:
        return attempt
    message = server_message(attempt.refusal, request.ref)
    name = f"object {request.ref.namespace}/{request.ref.name} {_gvk(request)}"
    if attempt.refusal.clashes:
        message = f"conflict occurred while applying {name}: {message}"
    elif _names_object(attempt, request):
        message = f"server-side apply failed for {name}: {message}"
    return replace(attempt, error=f"{before}{message}")


def _names_object(attempt: Attempt, request: ApplyRequest) -> bool:
    """Return whether Helm names the object of a rejected server-side apply: since 4.2, which helm-controller uses."""
    is_applied = any(write.content_type == APPLY_PATCH for write in attempt.requests)
    return is_applied and request.applier is Applier.HELM_CONTROLLER


def _gvk(request: ApplyRequest) -> str:
    """Return group, version and kind as Go prints them: ``apps/v1, Kind=Deployment``."""
    version = request.ref.api_version
    return f"{version if '/' in version else f'/{version}'}, Kind={request.ref.kind}"
