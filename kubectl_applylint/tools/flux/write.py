"""The requests of Flux for one object: a dry run, the cleanup of kubectl's traces, and an apply if needed.

Mirrors the behaviour of ``ApplyAll`` in ``manager_apply.go`` of ``github.com/fluxcd/pkg/ssa`` 0.77. Flux checks all
objects of a stage before it applies the first one; ``FluxWrite.only_checks`` predicts only the checks.
"""

from typing import Final

from kubectl_applylint.appliers.attempt import Ask, Attempt, is_being_deleted
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Verdict, Write
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import ObjectRef, annotations_of, labels_of
from kubectl_applylint.core.values import JsonObject, dig, equal, mapping
from kubectl_applylint.merge.json_patch import apply_operations
from kubectl_applylint.server.write import APPLY_PATCH, JSON_BODY, Answer, Refused, Stored
from kubectl_applylint.tools.flux.cleanup import cleanup
from kubectl_applylint.tools.flux.ignore_rules import ignored_paths, missing_path, settled_operations, without_paths
from kubectl_applylint.tools.flux.kustomization import (
    FORCED,
    IF_NOT_PRESENT,
    MERGED,
    SKIPPED,
    FluxKustomization,
    FluxWrite,
    is_marked,
)

_NOT_FOUND: Final = 404
_REASONS: Final = {400: "BadRequest", 403: "Forbidden", 409: "Conflict", 415: "UnsupportedMediaType", 422: "Invalid"}
"""The reasons of the API server for HTTP statuses."""
_RECREATED: Final = frozenset({409, 422})
_IMMUTABLE: Final = ("is immutable", "immutable field")
_RECREATING: Final = "it is deleted and recreated, because the server rejects the change (force)"
_LOST: Final = "it is deleted to be recreated, which then fails (force)"
_NO_SUCH_PATH: Final = "the server could not find the requested resource"


@dataclass(frozen=True, slots=True)
class _CheckResult:
    """The result of the check of one object; ``live`` is the object afterwards."""

    live: JsonObject | None
    requests: tuple[Write, ...] = ()
    is_applied: bool = True
    """Whether an apply follows; Flux skips it if it would change nothing."""
    settled: tuple[JsonObject, ...] = ()
    """The operations on the manifest that leave ignored fields as they are."""


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of Flux to write one object; ``request.tool`` is a ``FluxWrite``.

    ``error`` of a rejected attempt is Flux's message, which ends the reconciliation.
    """
    how = request.tool
    if not isinstance(how, FluxWrite):
        raise ValueError("Flux applies the objects of a Kustomization: which one is not known")
    if is_skipped(request.manifest, live):
        return Attempt(Verdict.UNCHANGED, stored=live)
    checked = _check(request, how.source, live, ask)
    if isinstance(checked, Attempt):
        return checked
    if how.only_checks or not checked.is_applied:
        verdict = Verdict.CONFIGURED if checked.requests else Verdict.UNCHANGED
        return Attempt(verdict, checked.requests, checked.live)
    return _send_apply(request, checked, ask)


def is_skipped(manifest: JsonObject, live: JsonObject | None) -> bool:
    """Return whether Flux does not touch an object, regardless of its kind."""
    is_ignored = is_marked(manifest, SKIPPED) or is_marked(live, SKIPPED)
    return is_ignored or (live is not None and is_marked(manifest, IF_NOT_PRESENT))


def _check(
    request: ApplyRequest, source: FluxKustomization, live: JsonObject | None, ask: Ask
) -> _CheckResult | Attempt:
    """Return the result of dry run and cleanup, or the failed attempt."""
    dry = _dry_run(request, live, ask)
    deletions: tuple[Write, ...] = ()
    if isinstance(dry, Refused) and live is not None and _is_recreated(request, source, live, dry):
        deletions = (Write("DELETE", JSON_BODY, {"propagationPolicy": "Background"}),)
        if is_being_deleted(live) or mapping(live.get("metadata")).get("finalizers"):
            words = "immutable field detected, failed to wait for object to be deleted: context deadline exceeded"
            return _with_lost_object(_failure(request, deletions, words))
        dry = _dry_run(request, None, ask)
    if isinstance(dry, Refused):
        refused = Attempt(_verdict(dry), deletions, refusal=dry, error=dry_run_error(request.ref, dry))
        return _with_lost_object(refused) if deletions else refused
    patch = None if live is None or _is_kept(request.manifest, live) else cleanup(live, request.manager)
    if live is None or (deletions and patch is None):
        return _CheckResult(None, deletions)
    if deletions:
        return _cleanup_failure(request, deletions)
    if patch is None:
        return _comparison(_CheckResult(live), source, dry.object, request.manager)
    cleaned = _clean_up(request, live, patch, ask)
    return cleaned if isinstance(cleaned, Attempt) else _comparison(cleaned, source, dry.object, request.manager)


def _comparison(checked: _CheckResult, source: FluxKustomization, dry: JsonObject, manager: str) -> _CheckResult:
    """Return the result after the comparison of the live object with the dry run, except for ignored fields."""
    live = checked.live or {}
    paths = ignored_paths(source.ignored, dry) if source.ignored else ()
    drifted = has_drifted(without_paths(live, paths), without_paths(dry, paths))
    return replace(
        checked,
        is_applied=bool(checked.requests) or drifted,
        settled=settled_operations(live, dry, paths, manager),
    )


def _dry_run(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Answer:
    """Return the server's answer to the dry run."""
    if request.kind is not None and request.kind.namespaced and not request.ref.namespace:
        where = f" (patch {request.kind.resource}.{request.ref.group} {request.ref.name})" * request.kind.custom
        return Refused(_NOT_FOUND, (FieldError("", "NotFound", _NO_SUCH_PATH + where),))
    return ask(_patch(request), live)


def _patch(request: ApplyRequest) -> Write:
    """Return the server-side apply request."""
    query = (("fieldManager", request.manager), ("fieldValidation", "Warn"), ("force", "true"))
    return Write("PATCH", APPLY_PATCH, request.manifest, query)


def _is_recreated(request: ApplyRequest, source: FluxKustomization, live: JsonObject, refusal: Refused) -> bool:
    """Return whether Flux deletes an object after this error; any invalid field counts, not only immutable ones."""
    message = server_message(refusal, request.ref)
    is_immutable = refusal.status in _RECREATED or any(words in message for words in _IMMUTABLE)
    return is_immutable and (source.is_forced or is_marked(request.manifest, FORCED) or is_marked(live, FORCED))


def _is_kept(manifest: JsonObject, live: JsonObject) -> bool:
    """Return whether the annotation ``ssa: Merge`` disables the cleanup."""
    return is_marked(manifest, MERGED) or is_marked(live, MERGED)


def _cleanup_failure(request: ApplyRequest, deletions: tuple[Write, ...]) -> Attempt:
    """Return the failed cleanup of an object that Flux has just deleted; the next reconciliation creates it."""
    kind = request.kind
    resource = kind.resource if kind else request.ref.kind.lower()
    error = f'{".".join(filter(None, (resource, request.ref.group)))} "{request.ref.name}" not found'
    return _with_lost_object(_failure(request, deletions, f"metadata.managedFields cleanup failed: {error}"))


def _with_lost_object(attempt: Attempt) -> Attempt:
    """Return the attempt after which the object is deleted and not recreated."""
    return replace(attempt, is_gone=True, warnings=(_LOST,))


def _failure(request: ApplyRequest, requests: tuple[Write, ...], words: str) -> Attempt:
    """Return a rejected attempt with Flux's message."""
    refusal = Refused(0, (FieldError("", "", words),))
    return Attempt(Verdict.REJECTED, requests, refusal=refusal, error=f"{subject(request.ref)} {words}")


def _clean_up(request: ApplyRequest, live: JsonObject, patch: Write, ask: Ask) -> _CheckResult | Attempt:
    """Return the check result after the cleanup patch, or the failed attempt."""
    match ask(patch, live):
        case Stored(stored):
            return _CheckResult(stored, (patch,))
        case Refused() as refusal:
            words = f"{subject(request.ref)} metadata.managedFields cleanup failed: "
            message = words + server_message(refusal, request.ref)
            return Attempt(_verdict(refusal), (patch,), refusal=refusal, error=message)


def has_drifted(live: JsonObject, dry: JsonObject) -> bool:
    """Return whether Flux sees a difference in labels, annotations, or fields outside metadata and status.

    Other metadata, such as owner references, is ignored.
    """
    if not equal(labels_of(live), labels_of(dry)) or not equal(annotations_of(live), annotations_of(dry)):
        return True
    return not equal(_comparable_fields(live), _comparable_fields(dry))


def _comparable_fields(item: JsonObject) -> JsonObject:
    """Return the fields that Flux compares."""
    compared = {key: value for key, value in item.items() if key not in ("metadata", "status")}
    metrics = dig(item, "spec", "metrics")
    if item.get("kind") != "HorizontalPodAutoscaler" or not isinstance(metrics, list):
        return compared
    # Of autoscalers Flux compares each metric once.
    different = [each for place, each in enumerate(metrics) if each not in metrics[:place]]
    return {**compared, "spec": {**item["spec"], "metrics": different}}


def _send_apply(request: ApplyRequest, checked: _CheckResult, ask: Ask) -> Attempt:
    """Return the attempt of the apply after the check."""
    fault = _unsendable(request, checked.settled)
    if fault:
        refusal = Refused(0, (FieldError("", "", fault),))
        return Attempt(Verdict.REJECTED, checked.requests, checked.live, refusal, error=fault)
    write = _patch(replace(request, manifest=mapping(apply_operations(request.manifest, checked.settled))))
    requests = (*checked.requests, write)
    match ask(write, checked.live):
        case Stored(stored, confidence, warnings):
            verdict = Verdict.CONFIGURED if checked.live or checked.requests else Verdict.CREATED
            all_warnings = warnings if checked.live or not checked.requests else (*warnings, _RECREATING)
            return Attempt(verdict, requests, stored, warnings=all_warnings, confidence=confidence)
        case Refused() as refusal:
            words = f"{subject(request.ref)} apply failed: {server_message(refusal, request.ref)}"
            return Attempt(
                _verdict(refusal), requests, checked.live, refusal, error=words, is_gone=checked.live is None
            )


def _unsendable(request: ApplyRequest, settled: tuple[JsonObject, ...]) -> str:
    """Return Flux's message if a manifest cannot get the live values of ignored fields, else an empty text.

    The value of the empty path is the whole live object, with its managed fields, which the server rejects.
    """
    if any(not operation["path"] for operation in settled):
        return f"{subject(request.ref)} apply failed: metadata.managedFields must be nil"
    path = missing_path(request.manifest, settled)
    return f"replace operation does not apply: doc is missing key: {path}: missing value" if path else ""


def _verdict(refusal: Refused) -> Verdict:
    """Return the verdict for a rejection."""
    return Verdict.CONFLICT if refusal.status == 409 else Verdict.REJECTED


def subject(ref: ObjectRef) -> str:
    """Return Flux's name for an object: ``Deployment/shop/web``."""
    return "/".join(filter(None, (ref.kind, ref.namespace, ref.name)))


def dry_run_error(ref: ObjectRef, refusal: Refused) -> str:
    """Return Flux's message for a dry run that the server rejects."""
    message = server_message(refusal, ref)
    if refusal.status == _NOT_FOUND:
        return f"{subject(ref)} {'not found' if ref.namespace else 'namespace not specified'}: {message}"
    reason = _REASONS.get(refusal.status, "")
    return f"{subject(ref)} dry-run failed{f' ({reason})' if reason else ''}: {message}"
