"""The engine's one question: what does this apply do to this object?"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Final, assert_never

from kubectl_applylint.appliers import (
    create_only,
    kubectl_client,
    kubectl_replace,
    kubectl_server,
    metacontroller,
    subresource,
)
from kubectl_applylint.appliers.addressing import scoped, unaddressable
from kubectl_applylint.appliers.argocd import write as argocd_write
from kubectl_applylint.appliers.attempt import Ask, Attempt, undecodable, unmapped
from kubectl_applylint.appliers.flux import write as flux_write
from kubectl_applylint.appliers.flux.normalize import normalized
from kubectl_applylint.appliers.helm import write as helm_write
from kubectl_applylint.appliers.helm.method import HelmWrite, Method
from kubectl_applylint.appliers.kapp import write as kapp_write
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.deferred import Deferred
from kubectl_applylint.core.outcome import Change, Confidence, Level, Outcome
from kubectl_applylint.core.state import Absent, Present, Unknown
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.changes import (
    changes_of,
    dynamic_changes,
    helm_changes,
    kapp_changes,
    replace_changes,
    restarts_of,
    server_side_changes,
)
from kubectl_applylint.engine.owners import owner_changes
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.served import Standing, standing_in
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.conflicts import conflicts
from kubectl_applylint.server.ownership import context_of
from kubectl_applylint.server.write import Server, answer

_APPLIERS: Mapping[Applier, Callable[[ApplyRequest, JsonObject | None, Ask], Attempt]] = {
    Applier.KUBECTL_CLIENT: kubectl_client.apply,
    Applier.KUBECTL_SERVER: kubectl_server.apply,
    Applier.KUBECTL_REPLACE: kubectl_replace.apply,
    Applier.METACONTROLLER: metacontroller.apply,
    Applier.HELM3: helm_write.apply,
    Applier.HELM4: helm_write.apply,
    Applier.FLUX: flux_write.apply,
    Applier.KAPP: kapp_write.apply,
    Applier.ARGOCD: argocd_write.apply,
}

_EXPLAINERS: Mapping[Applier, Callable[..., tuple[Change, ...]]] = {
    Applier.KUBECTL_CLIENT: changes_of,
    Applier.KUBECTL_REPLACE: replace_changes,
    Applier.KAPP: kapp_changes,
    Applier.METACONTROLLER: dynamic_changes,
    Applier.ARGOCD: changes_of,
}


RECORDED: Final = ("1.30", "1.33", "1.34", "1.35", "1.36", "1.37")
"""The versions of Kubernetes that predictions were compared with, oldest first."""


def predict(request: ApplyRequest) -> Outcome:
    """Return what the apply does; where the live object is unknown, what a fresh install does, with low confidence.

    Raises ``PredictionError`` where a known bound keeps it from telling.
    """
    request = _as_sent(request)
    live, kind, codec = _live_object(request), request.kind, ManagedFieldsCodec()
    server = Server(
        kind,
        request.schema.version,
        context=context_of(kind, request.schema, request.ref.api_version, request.subresource),
        disabled_admission=request.disabled_admission,
        surroundings=request.surroundings,
        subresource=request.subresource,
        codec=codec,
    )
    ask = partial(answer, server=server)
    unstored = _unsent(request, kind, live) or create_only.attempt(request, ask, exists=live is not None)
    attempt = unstored or _APPLIERS[request.applier](request, live, ask)
    refusal = attempt.refusal
    after = attempt.stored if refusal is None else refusal.intended
    return Outcome(
        ref=request.ref,
        verdict=attempt.verdict,
        requests=attempt.requests,
        result=attempt.stored or (None if attempt.is_gone else live) if refusal else attempt.stored,
        intended=refusal.intended if refusal else None,
        changes=Deferred(partial(_changes, request, live, after, kind, codec)) if after is not None else (),
        causes=refusal.causes if refusal else (),
        status=refusal.status or None if refusal else None,
        conflicts=conflicts(refusal.clashes) if refusal else (),
        owner_changes=owner_changes(live, after, codec) if live is not None and after is not None else (),
        error=attempt.error,
        warnings=attempt.warnings,
        restarts=_restarts(live, after, attempt) if after is not None else None,
        confidence=_confidence(request, kind, attempt.confidence),
    )


def _as_sent(request: ApplyRequest) -> ApplyRequest:
    """Return the request with the manifest as the applier sends it."""
    if request.applier is Applier.METACONTROLLER:
        return request
    within = scoped(request)
    if request.flux is not None:
        labelled = request.flux.source.labelled(within.manifest)
        return replace(within, manifest=normalized(labelled, request.kind))
    if request.argocd is not None:
        return replace(within, manifest=request.argocd.application.tracked(within.manifest))
    return replace(within, manifest=request.helm.release.marked(within.manifest)) if request.helm else within


def _unsent(request: ApplyRequest, kind: Kind | None, live: JsonObject | None) -> Attempt | None:
    """Return how the applier fails before it sends anything, ``None`` where it does not."""
    if request.flux is not None and flux_write.is_skipped(request.manifest, live):
        return None
    by_kubectl = request.applier not in (Applier.METACONTROLLER, Applier.FLUX, Applier.KAPP)
    custom = kind is not None and kind.custom
    unknown = None if custom else unmapped(request.schema, (request.ref.api_version, request.ref.kind))
    if unknown is not None or not by_kubectl:
        return unknown
    return undecodable(request.manifest) or unaddressable(request) or subresource.refused(request)


def _restarts(live: JsonObject | None, after: JsonObject, attempt: Attempt) -> bool | None:
    """Return whether pods restart: they do where their owner is made anew, whatever its template says."""
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
    request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    sides, manager, subresource = (live, after, request.manifest), request.manager, request.subresource
    is_applied = request.helm is not None and request.helm.method is Method.APPLY
    if request.argocd is not None:
        application = request.argocd.application
        is_applied = application.applies_server_side(request.manifest)
        if application.replaces(request.manifest, live):
            return replace_changes(*sides, kind=kind, manager=manager)
    if subresource or is_applied or request.applier in (Applier.KUBECTL_SERVER, Applier.FLUX):
        return server_side_changes(*sides, kind=kind, manager=manager, codec=codec, subresource=subresource)
    if request.helm is not None:
        return _helm_changes(request.helm, sides, kind, manager)
    return _EXPLAINERS[request.applier](*sides, kind=kind, manager=manager)


def _helm_changes(
    helm: HelmWrite, sides: tuple[JsonObject | None, JsonObject, JsonObject], kind: Kind | None, manager: str
) -> tuple[Change, ...]:
    if helm.method is Method.REPLACE:
        return replace_changes(*sides, kind=kind, manager=manager)
    return helm_changes(*sides, original=helm.original or {}, kind=kind)


def _confidence(request: ApplyRequest, kind: Kind | None, answered: Confidence) -> Confidence:
    gvk = (request.ref.api_version, request.ref.kind)
    found = Standing.UNKNOWN if kind is not None and kind.custom else standing_in(request.schema, gvk)
    if found.is_refused:
        return answered
    grave, slight = list(_grave_doubts(request, kind)), list(_slight_doubts(request, found))
    if not grave and not slight:
        return answered
    reasons = (*grave, *slight, *answered.reasons)
    if grave or answered.level is Level.LOW:
        return replace(answered, level=Level.LOW, reasons=reasons)
    return replace(answered, level=Level.MEDIUM if slight else answered.level, reasons=reasons)


def _grave_doubts(request: ApplyRequest, kind: Kind | None) -> Iterator[str]:
    if isinstance(request.state.live, Unknown):
        yield f"the live object is unknown ({request.state.live.reason}): this is the result of a fresh install"
    if kind is None:
        yield f"no schema for {request.ref.kind} in {request.ref.api_version}: treated as a custom resource"
    if request.schema.version != request.schema.asked:
        yield f"no schema for Kubernetes {request.schema.asked}: using {request.schema.version}"


def _slight_doubts(request: ApplyRequest, found: Standing) -> Iterator[str]:
    ref, state = request.ref, request.state
    is_seen = not state.simulated and (isinstance(state.live, Present) or bool(state.origin))
    if found is Standing.OPTIONAL and not is_seen:
        yield f"a server serves {ref.kind} in {ref.api_version} only if --runtime-config enables it"
    if request.schema.version == request.schema.asked and request.schema.version not in RECORDED:
        yield f"the behavior of Kubernetes {request.schema.version} is derived from its sources, not recorded"
