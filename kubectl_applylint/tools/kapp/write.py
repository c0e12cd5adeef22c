"""The requests of kapp for one object: none, or a create or PUT followed by a PUT that stores the history.

Mirrors ``add_or_update_change.go`` in ``pkg/kapp/clusterapply`` of kapp 0.64.
"""

from functools import partial
from typing import Final, Literal

from kubectl_applylint.appliers.attempt import Ask, Attempt, is_being_deleted, send
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Verdict, Write
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.write import JSON_BODY, Refused
from kubectl_applylint.tools.kapp.app import KappWrite, with_identity
from kubectl_applylint.tools.kapp.defaults import GROUP
from kubectl_applylint.tools.kapp.memory import KappChange, change, with_history
from kubectl_applylint.tools.kapp.paths import PathError, annotations_of
from kubectl_applylint.tools.kapp.rules import description

NOOP: Final = f"{GROUP}/noop"
EXISTS: Final = f"{GROUP}/exists"
WAITED_FOR: Final = "NotExisting"
"""The reason of a timeout: kapp waits for an object that does not exist."""
_CREATES: Final = ("", "fallback-on-update", "fallback-on-update-or-noop")
_FALLS_BACK: Final = "fallback-on-replace"
_REPLACES: Final = "always-replace"
_SKIPS: Final = "skip"
_CONFLICT: Final = 409
_INVALID: Final = 422
_REASONS: Final = {400: "BadRequest", 403: "Forbidden", 404: "NotFound", 409: "Conflict", 422: "Invalid"}
"""The reasons of the API server for HTTP statuses."""
_RECREATING: Final = "it is deleted and recreated, because the server rejects the change (fallback-on-replace)"
_REPLACING: Final = "it is deleted and recreated at every change (always-replace)"
_LOST: Final = "it is deleted to be recreated, which then fails"


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of kapp to write one object; ``request.tool`` is a ``KappWrite``.

    ``error`` of a rejected attempt is kapp's message, which ends the deploy.
    """
    how = request.tool
    if not isinstance(how, KappWrite):
        raise ValueError("kapp writes the objects of an app: which one is not known")
    try:
        return _attempt(request, how, live, ask)
    except PathError as fault:
        return _failure(f"{description(request.manifest)}: {fault}")


def _attempt(request: ApplyRequest, how: KappWrite, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt; raise ``PathError`` if a rule cannot be applied."""
    marks = annotations_of(request.manifest)
    if NOOP in marks:
        return Attempt(Verdict.UNCHANGED, stored=live)
    if live is None and EXISTS in marks:
        return _missing(request)
    if live is None or how.is_new_version:
        return _create(request, how, live, ask)
    found = change(live, request.manifest, how.app, how.rules, by_memory=how.by_memory)
    if found.is_empty or EXISTS in marks:
        return Attempt(Verdict.UNCHANGED, stored=live)
    return _update(request, how, found, live, ask)


def _missing(request: ApplyRequest) -> Attempt:
    """Return the timeout for an object that must exist and does not."""
    last = f"exists {description(request.manifest)}: External resource doesn't exists"
    words = f"Timed out waiting after 15m0s: Last error: {last}"
    return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", WAITED_FOR, words),)), error=words)


def _create(request: ApplyRequest, how: KappWrite, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the create of a new object or version."""
    strategy = annotations_of(request.manifest).get(f"{GROUP}/create-strategy", "")
    if strategy not in _CREATES:
        return _failure(f"Unknown create strategy: {strategy}")
    write = _write(request, "POST", request.manifest)
    if live is not None:
        words = (
            f'{request.kind.resource if request.kind else request.ref.kind.lower()} "{request.ref.name}" already exists'
        )
        return _rejection(request, (write,), Refused(_CONFLICT, (FieldError("", "AlreadyExists", words),)), "create")
    return _send(request, how, (write,), None, ask)


def _update(request: ApplyRequest, how: KappWrite, found: KappChange, live: JsonObject, ask: Ask) -> Attempt:
    """Return the update of an object by its strategy."""
    strategy = annotations_of(found.after).get(f"{GROUP}/update-strategy", how.strategy)
    if strategy == _SKIPS:
        return Attempt(Verdict.UNCHANGED, stored=live)
    if strategy == _REPLACES:
        return _recreate(request, how, found, live, ask)
    if strategy not in ("", _FALLS_BACK):
        return _failure(f"Unknown update strategy: {strategy}")
    write = _write(request, "PUT", found.after)
    attempt = _send(request, how, (write,), live, ask, applied=found.applied)
    is_invalid = attempt.refusal is not None and attempt.refusal.status == _INVALID and len(attempt.requests) == 1
    if strategy == _FALLS_BACK and is_invalid:
        return _recreate(request, how, found, live, ask, before=(write,))
    return attempt


def _recreate(
    request: ApplyRequest,
    how: KappWrite,
    found: KappChange,
    live: JsonObject,
    ask: Ask,
    *,
    before: tuple[Write, ...] = (),
) -> Attempt:
    """Return the deletion and creation of an object; kapp waits for finalizers without a timeout."""
    deletion = Write("DELETE", JSON_BODY, {"propagationPolicy": "Background"})
    if is_being_deleted(live) or mapping(live.get("metadata")).get("finalizers"):
        words = "kapp waits until the object is gone, which has finalizers"
        return replace(_failure(words), requests=(*before, deletion), is_gone=True, warnings=(_LOST,))
    creation = _write(request, "POST", found.applied)
    attempt = _send(request, how, (*before, deletion, creation), None, ask, applied=found.applied)
    if attempt.refusal is not None:
        return replace(attempt, is_gone=True, warnings=(_LOST,))
    warning = _RECREATING if before else _REPLACING
    return replace(attempt, verdict=Verdict.CONFIGURED, warnings=(*attempt.warnings, warning))


def _write(request: ApplyRequest, method: Literal["POST", "PUT"], body: JsonObject) -> Write:
    """Return the request for an object with its identity annotation."""
    return Write(
        method, JSON_BODY, with_identity(body), (("fieldManager", request.manager), ("fieldValidation", "Warn"))
    )


def _send(
    request: ApplyRequest,
    how: KappWrite,
    writes: tuple[Write, ...],
    live: JsonObject | None,
    ask: Ask,
    *,
    applied: JsonObject | None = None,
) -> Attempt:
    """Return the attempt of the last of ``writes``, followed by the PUT that stores ``applied``."""
    verdict = Verdict.CREATED if live is None else Verdict.CONFIGURED
    first = send(writes[-1], live, ask, verdict)
    doing = "update" if any(write.method != "POST" for write in writes) else "create"
    if first.refusal is not None:
        return _rejection(request, writes, first.refusal, doing)
    first = replace(first, requests=writes)
    stored = first.stored or {}
    try:
        kept = with_history(stored, applied or request.manifest, how.rules)
    except PathError as fault:
        words = f"{doing} {description(request.manifest)}: Calculating change after the save: {fault}"
        return replace(_failure(words), requests=writes, stored=stored)
    if kept is None:
        return first
    second = _write(request, "PUT", kept)
    answered = send(second, stored, partial(ask, settled=True), verdict)
    if answered.refusal is not None:
        return _rejection(request, (*writes, second), answered.refusal, doing)
    return replace(first, requests=(*writes, second), stored=answered.stored)


def _rejection(request: ApplyRequest, writes: tuple[Write, ...], refusal: Refused, doing: str) -> Attempt:
    """Return the attempt of a rejected write."""
    verdict = Verdict.CONFLICT if refusal.status == _CONFLICT else Verdict.REJECTED
    return Attempt(
        verdict, writes, refusal=refusal, error=rejection_message(request.manifest, refusal, doing, writes[-1].method)
    )


def rejection_message(item: JsonObject, refusal: Refused, doing: str, method: str) -> str:
    """Return kapp's message for a rejected object; ``doing`` is ``create`` or ``update``."""
    does = "Creating" if method == "POST" else "Updating"
    reason = next((cause.reason for cause in refusal.causes if cause.reason == "AlreadyExists"), "")
    reason = reason or _REASONS.get(refusal.status, "Unknown")
    words, which = server_message(refusal, ref_of(item)), description(item)
    return f"{doing} {which}: {does} resource {which}: API server says: {words} (reason: {reason})"


def _failure(words: str) -> Attempt:
    """Return a rejected attempt with kapp's message."""
    return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", "", words),)), error=words)
