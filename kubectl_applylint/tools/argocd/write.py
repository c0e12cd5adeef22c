"""The requests of Argo CD for one object: a client-side or server-side apply, a replace, or a create.

Mirrors ``applyObject`` in ``pkg/sync/sync_context.go`` and ``pkg/utils/kube/resource_ops.go`` of gitops-engine. Before
the first write, each object is compared and then applied with ``--dry-run=client``; ``ArgoWrite.only_checks`` predicts
only these checks.
"""

import re
from typing import Final

from kubectl_applylint.appliers import kubectl_client, kubectl_server
from kubectl_applylint.appliers.addressing import unaddressable
from kubectl_applylint.appliers.attempt import (
    Ask,
    Attempt,
    send,
    undecodable,
    with_live_version,
    without_resource_version,
)
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.kubectl_client import NO_ANNOTATION
from kubectl_applylint.appliers.last_applied import annotate, annotation_of
from kubectl_applylint.appliers.manager_migration import migration_operations
from kubectl_applylint.appliers.request import ARGOCD_AGENT, ApplyRequest, Validation
from kubectl_applylint.core.outcome import FieldError, Level, Verdict, Write
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import JsonObject, dig, items, mapping, text_at
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.server.write import JSON_BODY, Refused, Stored
from kubectl_applylint.tools.argocd import comparison, ignores, rbac
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoWrite
from kubectl_applylint.tools.argocd.hooks import hook_words, with_finalizer, without_finalizer
from kubectl_applylint.tools.argocd.ignores import ComparedPair
from kubectl_applylint.tools.argocd.options import (
    AFTER_FAILURE,
    BEFORE_CREATION,
    NO_MIGRATION,
    delete_policies,
    hook_phases,
    is_new_in_each_sync,
)

_UPDATED: Final = (("apiextensions.k8s.io", "CustomResourceDefinition"), ("", "Namespace"))
"""Kinds that a replace updates and never deletes."""
_FORCED_APPLY: Final = "error validating options: --force cannot be used with --server-side"
_RECONCILE: Final = "error running kubectl auth reconcile: "
_BAD_REQUEST: Final = 400
_UNREADABLE: Final = regex(r"\S+ in version \S+ cannot be handled as a \S+: (?P<why>.*)", re.DOTALL)
"""The server's error for an object that does not fit its Go type, as kubectl reads it before it reconciles."""
_UNMERGED: Final = "Failed to normalize target resources: "
_DELETION: Final = Write("DELETE", JSON_BODY, {"propagationPolicy": "Foreground"})
_RECREATED: Final = "it is deleted and recreated (Force=true, Replace=true)"


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of Argo CD to write one object; ``request.tool`` is an ``ArgoWrite``."""
    how = request.tool
    if not isinstance(how, ArgoWrite):
        raise ValueError("Argo CD applies the objects of an Application: which one is not known")
    application = how.application
    if hook_phases(request.manifest):
        return _apply_hook(with_finalizer(request), how, live, ask)
    left = _compared_pair(request, application, live)
    if how.only_checks:
        wrong = _fault(request, application, left, ask)
        if wrong:
            return _failure(wrong, comparison.INCOMPARABLE)
    unread = undecodable(request.manifest) or (None if _is_named_by_server(request, how) else unaddressable(request))
    if unread is not None:
        return unread
    try:
        compared = _without_ignored(request, application, live, left)
    except MergeError as error:
        return _failure(f"{_UNMERGED}{error.message}", comparison.UNRESPECTED)
    if application.skips_synced and _is_synced(compared, application, left, live, ask):
        return Attempt(Verdict.UNCHANGED, stored=live)
    sent = compared if application.respects_ignored else request
    if how.only_checks:
        return _dry_run(sent, application, live, ask) or Attempt(Verdict.UNCHANGED, stored=live)
    return _with_doubts(_with_verdict(_write(sent, application, live, ask), live), request.manifest, application)


def _is_named_by_server(request: ApplyRequest, how: ArgoWrite) -> bool:
    """Return whether an object is sent without a name: one with ``generateName`` that is created or replaced."""
    has_prefix = not request.ref.name and bool(text_at(request.manifest, "metadata", "generateName"))
    return has_prefix and how.application.replaces(request.manifest, None)


def _apply_hook(request: ApplyRequest, how: ArgoWrite, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt to write a hook, which is not compared; it loses its finalizer once it has succeeded."""
    unread = undecodable(request.manifest) or unaddressable(request)
    if unread is not None:
        return unread
    if how.only_checks:
        return _dry_run(request, how.application, live, ask) or Attempt(Verdict.UNCHANGED, stored=live)
    policies = delete_policies(request.manifest)
    is_recreated = live is not None and BEFORE_CREATION in policies
    written = _write(request, how.application, None if is_recreated else live, ask)
    attempt = replace(_with_verdict(written, live), warnings=(*written.warnings, hook_words(request.manifest)))
    if attempt.refusal is None and _is_same_hook(request, how.application, live, ask):
        return Attempt(Verdict.UNCHANGED, stored=live, warnings=written.warnings)
    if is_recreated:
        attempt = replace(attempt, requests=(_DELETION, *attempt.requests))
    if attempt.refusal is None:
        return replace(attempt, stored=without_finalizer(attempt.stored or {}))
    if live is not None and not is_recreated and AFTER_FAILURE in policies:
        return replace(attempt, requests=(*attempt.requests, _DELETION), is_gone=True)
    return replace(attempt, is_gone=is_recreated)


def _is_same_hook(request: ApplyRequest, application: ArgoApplication, live: JsonObject | None, ask: Ask) -> bool:
    """Return whether a sync only runs a hook again: it is as live, or whether it is new cannot be seen.

    A hook that each sync creates is not in a cluster between two syncs.
    """
    if live is None:
        return application.is_live and is_new_in_each_sync(request.manifest)
    present = with_finalizer(replace(request, manifest=live)).manifest
    return _is_synced(request, application, ComparedPair(request.manifest, present), present, ask)


def _compared_pair(request: ApplyRequest, application: ArgoApplication, live: JsonObject | None) -> ComparedPair | None:
    """Return manifest and live object as they are compared, or ``None`` for a new object."""
    if live is None:
        return None
    if not (application.ignored or application.respects_ignored):
        return ComparedPair(request.manifest, live)
    return ignores.without_ignored(request.manifest, live, application.ignored, request.kind)


def _fault(request: ApplyRequest, application: ArgoApplication, left: ComparedPair | None, ask: Ask) -> str:
    """Return why an object cannot be compared, or ``""``."""
    if left is None:
        return ""
    is_server_side = application.compares_server_side(left.manifest)
    compared = replace(request, manifest=left.manifest)
    return comparison.fault(compared, left.live, ask, is_server_side=is_server_side)


def _without_ignored(
    request: ApplyRequest, application: ArgoApplication, live: JsonObject | None, left: ComparedPair | None
) -> ApplyRequest:
    """Return the request with the live values of ignored fields.

    Raises ``MergeError`` if they cannot be merged and the Application respects them.
    """
    if live is None or left is None or (left.live is live and left.manifest is request.manifest):
        return request
    try:
        return replace(request, manifest=ignores.with_live_values(request.manifest, live, left, request.kind))
    except MergeError:
        if application.respects_ignored:
            raise
        return request


def _with_doubts(attempt: Attempt, manifest: JsonObject, application: ArgoApplication) -> Attempt:
    """Return the attempt with low confidence if an ignored field is not predicted."""
    rules = application.ignored if application.respects_ignored else ()
    unread = [each for rule in rules if rule.matches(manifest) for each in rule.unread]
    if not unread:
        return attempt
    reasons = (*attempt.confidence.reasons, f"fields that Argo CD ignores are not known: {', '.join(unread)}")
    return replace(attempt, confidence=replace(attempt.confidence, level=Level.LOW, reasons=reasons))


def _with_verdict(attempt: Attempt, live: JsonObject | None) -> Attempt:
    """Return the attempt with the verdict for the change of the object."""
    if attempt.refusal is not None or live is None:
        return attempt if attempt.refusal is not None else replace(attempt, verdict=Verdict.CREATED)
    return replace(attempt, verdict=Verdict.UNCHANGED if attempt.stored is live else Verdict.CONFIGURED)


def _is_synced(
    request: ApplyRequest, application: ArgoApplication, left: ComparedPair | None, live: JsonObject | None, ask: Ask
) -> bool:
    """Return whether Argo CD sees no difference between an object and the result of its apply."""
    if live is None or left is None:
        return False
    is_server_side = application.compares_server_side(left.manifest)
    target = comparison.typed_manifest(request.manifest, request.kind)
    merged = replace(request, manifest=target, force_conflicts=True, validation=Validation.WARN)
    attempt = (kubectl_server if is_server_side else kubectl_client).apply(merged, live, ask)
    if attempt.refusal is not None or attempt.stored is None:
        return False
    restored = any(comparison.deletes(write.body, live) for write in attempt.requests if not is_server_side)
    return not restored and comparison.is_synced(target, live, attempt.stored)


def _write(request: ApplyRequest, application: ArgoApplication, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt: first the move of fields to Argo CD's manager, then the write."""
    is_server_side = application.applies_server_side(request.manifest)
    migration = _migration(application, live, request.manager) if is_server_side else None
    if migration is None or live is None:
        return _send(request, application, live, ask)
    match ask(migration, live):
        case Refused() as refusal:
            return Attempt(Verdict.REJECTED, (migration,), refusal=refusal)
        case Stored(stored):
            attempt = _send(request, application, stored, ask)
            requests, kept = (migration, *attempt.requests), attempt.stored or stored
            return replace(attempt, requests=requests, stored=None if attempt.is_gone else kept)


def _migration(application: ArgoApplication, live: JsonObject | None, manager: str) -> Write | None:
    """Return the request that moves fields of the migrated manager, or ``None``."""
    owners = items(dig(live or {}, "metadata", "managedFields") or None)
    updaters = [mapping(each).get("manager") for each in owners if mapping(each).get("operation") == "Update"]
    if live is None or application.migrated not in updaters or NO_MIGRATION in application.options:
        return None
    return migration_operations(live, (application.migrated,), manager)


def _send(request: ApplyRequest, application: ArgoApplication, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt with the method that the options select."""
    forces = application.forces(request.manifest, live)
    if application.replaces(request.manifest, live):
        return _create(request, ask) if live is None else _replace(request, live, ask, forces=forces)
    if application.applies_server_side(request.manifest):
        if forces:
            return _failure(_FORCED_APPLY)
        return kubectl_server.apply(replace(request, force_conflicts=True), live, ask)
    client = replace(request, force=forces, validation=Validation.WARN)
    if not rbac.is_reconciled(request.manifest):
        return _without_hint(kubectl_client.apply(client, live, ask))
    reconciled = _reconcile(request, live, ask)
    if reconciled.refusal is not None:
        return replace(reconciled, error=_reconcile_error(request, reconciled.refusal))
    attempt = _without_hint(kubectl_client.apply(client, reconciled.stored, ask))
    kept = None if attempt.is_gone else attempt.stored or reconciled.stored
    return replace(attempt, requests=(*reconciled.requests, *attempt.requests), stored=kept)


def _without_hint(attempt: Attempt) -> Attempt:
    """Return an attempt without the warning of kubectl about a missing annotation, which Argo CD does not show."""
    return replace(attempt, warnings=tuple(one for one in attempt.warnings if NO_ANNOTATION not in one))


def _create(request: ApplyRequest, ask: Ask) -> Attempt:
    query = (("fieldManager", ARGOCD_AGENT), ("fieldValidation", "Warn"))
    body = without_resource_version(_with_new_annotation(request.manifest))
    return send(Write("POST", JSON_BODY, body, query), None, ask, Verdict.CREATED)


def _with_new_annotation(manifest: JsonObject) -> JsonObject:
    """Return a manifest for create and replace, with its last-applied annotation rewritten if it has one."""
    return annotate(manifest) if annotation_of(manifest) else manifest


def _replace(request: ApplyRequest, live: JsonObject, ask: Ask, *, forces: bool) -> Attempt:
    """Return a ``kubectl replace``, with force as delete and create."""
    query = (("fieldManager", ARGOCD_AGENT), ("fieldValidation", "Warn"))
    if _is_updated(request):
        return send(_put(request, live), live, ask, Verdict.CONFIGURED)
    request = replace(request, manifest=_with_new_annotation(request.manifest))
    if not forces:
        return send(_put(request, live), live, ask, Verdict.CONFIGURED)
    deletion = Write("DELETE", JSON_BODY, {"propagationPolicy": "Background"})
    body = without_resource_version(request.manifest)
    created = send(Write("POST", JSON_BODY, body, query), None, ask, Verdict.CONFIGURED)
    is_gone, requests = created.refusal is not None, (deletion, *created.requests)
    return replace(created, requests=requests, is_gone=is_gone, warnings=(*created.warnings, _RECREATED))


def _is_updated(request: ApplyRequest) -> bool:
    """Return whether a replace updates an object of this kind, even with force."""
    return (request.ref.group, request.ref.kind) in _UPDATED


def _put(request: ApplyRequest, live: JsonObject) -> Write:
    """Return the PUT of a replace."""
    query = (("fieldManager", ARGOCD_AGENT), ("fieldValidation", "Warn"))
    return Write("PUT", JSON_BODY, with_live_version(request.manifest, live), query)


def _reconcile(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of ``kubectl auth reconcile``, ``UNCHANGED`` if it writes nothing."""
    query = (("fieldManager", ARGOCD_AGENT), ("fieldValidation", "Ignore"))
    post = Write("POST", JSON_BODY, without_resource_version(request.manifest), query)
    if live is None:
        return send(post, None, ask, Verdict.CREATED)
    if rbac.is_recreated(request.manifest, live):
        created = send(post, None, ask, Verdict.CONFIGURED)
        deletion = Write("DELETE", JSON_BODY, {})
        return replace(created, requests=(deletion, *created.requests), is_gone=created.refusal is not None)
    body = rbac.replacement(request.manifest, live)
    if body is None:
        return Attempt(Verdict.UNCHANGED, stored=live)
    return send(Write("PUT", JSON_BODY, body, query), live, ask, Verdict.CONFIGURED)


def _reconcile_error(request: ApplyRequest, refusal: Refused) -> str:
    """Return Argo CD's message for a rejected role or binding; kubectl crashes over a rejected binding."""
    message = server_message(refusal, request.ref)
    unreadable = _UNREADABLE.match(message)
    if unreadable:
        message = f"unable to decode the manifest: {unreadable['why']}"
    elif request.ref.kind.endswith("Binding"):
        message = f"{_RECONCILE}runtime error: invalid memory address or nil pointer dereference"
    return f"{_RECONCILE}{message}"


def _failure(words: str, reason: str = "") -> Attempt:
    """Return a rejected attempt with Argo CD's message."""
    return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", reason, words),)))


def _dry_run(request: ApplyRequest, application: ArgoApplication, live: JsonObject | None, ask: Ask) -> Attempt | None:
    """Return the failed attempt of ``kubectl apply --dry-run=client``, or ``None``. It sends no writes."""
    if application.replaces(request.manifest, live):
        is_sent = live is not None and _is_updated(request)
        attempt = send(_put(request, live), live, ask, Verdict.CONFIGURED) if is_sent and live is not None else None
        return attempt if attempt is not None and attempt.refusal is not None else None
    if rbac.is_reconciled(request.manifest):
        decoded = _reconcile(request, None, ask).refusal
        if decoded is not None and decoded.status == _BAD_REQUEST:
            return Attempt(Verdict.REJECTED, refusal=decoded, error=_reconcile_error(request, decoded))
    if live is None:
        return None
    attempt = kubectl_client.apply(request, live, ask)
    is_own = attempt.refusal is not None and attempt.refusal.status == 0
    return attempt if is_own else None
