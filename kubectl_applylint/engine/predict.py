"""Predicts what one apply does to one object."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Final, assert_never

from kubectl_applylint.appliers import create_only, kubectl_client, kubectl_replace, kubectl_server, subresource
from kubectl_applylint.appliers.addressing import unaddressable
from kubectl_applylint.appliers.attempt import Attempt, mapping_failure, undecodable
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.outcome import Change, Confidence, Level, Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.changes import changes_of, dynamic_changes, replace_changes, restarts_of
from kubectl_applylint.engine.explanations import explain_by, explain_server_side
from kubectl_applylint.engine.owners import owner_changes
from kubectl_applylint.engine.program import Writer, program_of
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.served import Standing, standing_in
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.conflicts import conflicts
from kubectl_applylint.server.ownership import context_of
from kubectl_applylint.server.write import Server, answer
from kubectl_applylint.tools.metacontroller import write as metacontroller

_WRITERS: Final[Mapping[Applier, Writer]] = {
    Applier.KUBECTL_CLIENT: Writer(kubectl_client.apply, explain_by(changes_of)),
    Applier.KUBECTL_SERVER: Writer(kubectl_server.apply, explain_server_side),
    Applier.KUBECTL_REPLACE: Writer(kubectl_replace.apply, explain_by(replace_changes)),
    Applier.METACONTROLLER: Writer(
        metacontroller.apply, explain_by(dynamic_changes), sent=lambda request: request, reads_as_kubectl=False
    ),
}
"""The writers of kubectl and Metacontroller; other tools define theirs in their own modules."""
RECORDED: Final = ("1.30", "1.33", "1.34", "1.35", "1.36", "1.37")
"""The Kubernetes versions that predictions were compared with, oldest first."""


def predict(request: ApplyRequest) -> Outcome:
    """Return the outcome of the apply; raise ``PredictionError`` if a known limit prevents a prediction."""
    # An unknown live object is predicted as absent, with low confidence.
    writer = _WRITERS.get(request.applier) or program_of(request.applier).writer
    request = writer.sent(request)
    live, kind, codec = _live_object(request), request.kind, ManagedFieldsCodec()
    is_tracked, subresource = request.tracks_owners, request.subresource
    server = Server(
        kind,
        request.schema.version,
        context=context_of(kind, request.schema, request.ref.api_version, subresource) if is_tracked else None,
        disabled_admission=request.disabled_admission,
        cluster_view=request.cluster_view,
        subresource=subresource,
        codec=codec,
    )
    ask = partial(answer, server=server)
    unstored = _failure_before_sending(request, writer, kind, live) or create_only.attempt(
        request, ask, exists=live is not None
    )
    attempt = unstored or writer.apply(request, live, ask)
    refusal = attempt.refusal
    after = attempt.stored if refusal is None else refusal.intended
    return Outcome(
        ref=request.ref,
        verdict=attempt.verdict,
        requests=attempt.requests,
        result=attempt.stored or (None if attempt.is_gone else live) if refusal else attempt.stored,
        intended=refusal.intended if refusal else None,
        changes=Deferred(partial(_changes, request, writer, live, after, codec)) if after is not None else (),
        errors=refusal.causes if refusal else (),
        status=refusal.status or None if refusal else None,
        conflicts=conflicts(refusal.clashes) if refusal else (),
        owner_changes=owner_changes(live, after, codec) if live is not None and after is not None else (),
        error=attempt.error,
        warnings=attempt.warnings,
        restarts=_restarts(live, after, attempt) if after is not None else None,
        confidence=_confidence(request, kind, attempt.confidence),
        validated=kind is not None or refusal is not None,
    )


def _failure_before_sending(
    request: ApplyRequest, writer: Writer, kind: Kind | None, live: JsonObject | None
) -> Attempt | None:
    """Return the failure of an applier that sends nothing, or ``None``."""
    if writer.is_skipped(request.manifest, live):
        return None
    custom = kind is not None and kind.custom
    unknown = None if custom else mapping_failure(request.schema, (request.ref.api_version, request.ref.kind))
    if unknown is not None or not writer.reads_as_kubectl:
        return unknown
    return undecodable(request.manifest) or unaddressable(request) or subresource.rejection(request)


def _restarts(live: JsonObject | None, after: JsonObject, attempt: Attempt) -> bool | None:
    """Return whether pods restart: always if their owner is deleted and created again."""
    restarts = restarts_of(live, after)
    return restarts if restarts is None else restarts or any(write.method == "DELETE" for write in attempt.requests)


def _live_object(request: ApplyRequest) -> JsonObject | None:
    match request.state.live:
        case Present(live):
            return live
        case Absent() | Unknown():
            return None
        case _:
            assert_never(request.state.live)


def _changes(
    request: ApplyRequest, writer: Writer, live: JsonObject | None, after: JsonObject, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    explain = explain_server_side if request.subresource else writer.explain
    return explain(request, live, after, request.kind, codec)


def _confidence(request: ApplyRequest, kind: Kind | None, answered: Confidence) -> Confidence:
    """Return the confidence in the server's answer, lowered by doubts about the request and the kind."""
    gvk = (request.ref.api_version, request.ref.kind)
    found = Standing.UNKNOWN if kind is not None and kind.custom else standing_in(request.schema, gvk)
    if found.is_refused:
        return answered
    grave, slight = list(_grave_doubts(request)), list(_slight_doubts(request, found))
    if not grave and not slight:
        return answered
    reasons = (*grave, *slight, *answered.reasons)
    if grave or answered.level is Level.LOW:
        return replace(answered, level=Level.LOW, reasons=reasons)
    return replace(answered, level=Level.MEDIUM if slight else answered.level, reasons=reasons)


def _grave_doubts(request: ApplyRequest) -> Iterator[str]:
    if isinstance(request.state.live, Unknown):
        yield f"the live object is unknown ({request.state.live.reason}): this is the result of a fresh install"
    if isinstance(request.state.live, Present) and request.state.live.converted_from:
        earlier = request.state.live.converted_from
        yield f"the conversion of the object from {earlier} is assumed to change nothing but the version"
    if request.schema.version != request.schema.asked:
        yield f"no schema for Kubernetes {request.schema.asked}: using {request.schema.version}"


def _slight_doubts(request: ApplyRequest, found: Standing) -> Iterator[str]:
    ref, state = request.ref, request.state
    is_seen = not state.simulated and (isinstance(state.live, Present) or bool(state.origin))
    if found is Standing.OPTIONAL and not is_seen:
        yield f"a server serves {ref.kind} in {ref.api_version} only if --runtime-config enables it"
    if request.schema.version == request.schema.asked and request.schema.version not in RECORDED:
        yield f"the behavior of Kubernetes {request.schema.version} is derived from its sources, not recorded"
