"""Argo CD as a program: predicts a sync of several objects and their order."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.appliers.addressing import with_scope
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, FieldError
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.changes import changes_of, replace_changes
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.explanations import explain_by, explain_server_side
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.program import Program, Writer
from kubectl_applylint.engine.set_refusals import NOT_REACHED, known_object
from kubectl_applylint.engine.tool_predictions import prediction_as
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.tools.argocd import write
from kubectl_applylint.tools.argocd.application import ArgoSync, ArgoWrite
from kubectl_applylint.tools.argocd.options import FAIL_ON_SHARED, hook_phases, is_hook, is_never_synced
from kubectl_applylint.tools.argocd.order import tasks
from kubectl_applylint.tools.argocd.waves import NAME, NOT_PERMITTED, SHARED, waves_of


def predicting(
    policy: ArgoSync, schema: Schema, *, only_checks: bool = False, disabled_admission: Iterable[str] = ()
) -> Predict:
    """Return the function that predicts how Argo CD handles one object.

    With ``only_checks`` it predicts the checks that precede all writes.
    """
    how = ArgoWrite(policy.application, only_checks=only_checks)
    return prediction_as(
        Applier.ARGOCD, schema, lambda request: replace(request, tool=how), disabled_admission=disabled_admission
    )


def sorted_documents(policy: ArgoSync, documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents in apply order, without excluded kinds and what no sync applies; the last of each name."""
    unique = {document.ref.identity: document for document in documents}.values()
    followed = (each for each in unique if not policy.excludes(each.ref))
    synced = [each for each in followed if _is_synced(each.object)]
    ordered = tasks([document.object for document in synced], policy.application.namespace)
    return tuple(synced[task.place] for task in ordered)


def _is_synced(item: JsonObject) -> bool:
    return bool(hook_phases(item)) if is_hook(item) else not is_never_synced(item)


def blocking_error(policy: ArgoSync, documents: Sequence[Document], cluster: ClusterModel) -> FieldError | None:
    """Return why the sync writes nothing, or ``None``: a project, a shared object, or an object that is unreadable."""
    forbidden = policy.permissions.application_error
    if forbidden:
        return FieldError("", NOT_PERMITTED, forbidden)
    shared = _shared_object(policy, documents, cluster) if FAIL_ON_SHARED in policy.application.options else ""
    if shared:
        return FieldError("", SHARED, shared)
    stop = policy.unreadable
    return FieldError("", NOT_REACHED, f"not reached: {NAME} stops at {stop}, which it cannot read") if stop else None


def _shared_object(policy: ArgoSync, documents: Iterable[Document], cluster: ClusterModel) -> str:
    """Return the message of Argo CD about the first object that another Application tracks, empty without one."""
    application, wanted = policy.application, policy.permissions.wanted
    own = f"{wanted.namespace}/{application.name}" if wanted else application.name
    for document in documents:
        live = known_object(cluster.state(document.ref).live)
        other = application.tracked_by(live) if live else ""
        if other not in ("", application.name):
            ref = document.ref
            return f"Shared resource found: {ref.kind}/{ref.name} is part of applications {own} and {other}"
    return ""


def _request_as_sent(request: ApplyRequest) -> ApplyRequest:
    """Return the request with the tracked manifest."""
    within = with_scope(request)
    if not isinstance(request.tool, ArgoWrite):
        return within
    return replace(within, manifest=request.tool.application.with_tracking(within.manifest))


def _explain(
    request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    """Return the explained changes of one object."""
    assert isinstance(request.tool, ArgoWrite)
    application = request.tool.application
    if application.replaces(request.manifest, live):
        return explain_by(replace_changes)(request, live, after, kind, codec)
    is_applied = application.applies_server_side(request.manifest)
    explain = explain_server_side if is_applied else explain_by(changes_of)
    return explain(request, live, after, kind, codec)


PROGRAM: Final[Program[ArgoSync]] = Program(
    NAME,
    Writer(write.apply, _explain, _request_as_sent, reads_as_kubectl=False),
    predicting,
    checking=partial(predicting, only_checks=True),
    process=waves_of,
    blocked=lambda policy, documents, cluster, _: blocking_error(policy, documents, cluster),
)
