"""Flux as a program: predicts a reconciliation of several objects, their order, and its messages.

Mirrors ``ApplyAllStaged`` and ``errors.go`` of ``github.com/fluxcd/pkg/ssa`` 0.77.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from kubectl_applylint.appliers.addressing import with_scope
from kubectl_applylint.appliers.attempt import UNMAPPED
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.explanations import explain_server_side
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.process import is_unready
from kubectl_applylint.engine.program import Program, Writer
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.engine.tool_predictions import predicting_as
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.flux import write
from kubectl_applylint.tools.flux.kustomization import Reconciliation
from kubectl_applylint.tools.flux.method import FluxWrite
from kubectl_applylint.tools.flux.normalize import normalize_manifest
from kubectl_applylint.tools.flux.order import place, stage
from kubectl_applylint.tools.flux.stages import NAME, Stages, is_sent
from kubectl_applylint.tools.flux.write import dry_run_error, subject


def predicting(
    policy: Reconciliation, schema: Schema, *, only_checks: bool = False, disabled_admission: Iterable[str] = ()
) -> Predict:
    """Return the function that predicts how Flux handles one object, or only the checks before a stage."""
    how = FluxWrite(policy.source, only_checks=only_checks)
    return predicting_as(
        Applier.FLUX,
        schema,
        lambda request: replace(request, tool=how),
        disabled_admission=disabled_admission,
    )


def sorted_documents(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents in apply order."""
    return tuple(sorted(documents, key=lambda document: place(document.ref)))


def message(outcomes: Sequence[Outcome]) -> str:
    """Return Flux's message for a reconciliation with these outcomes; ``""`` if it succeeds."""
    failed = (each for each in outcomes if each.refused and not _is_left_out(each))
    first = next(failed, None)
    if first is not None:
        return first.error or _message_of(first)
    waiting = [each.ref for each in outcomes if is_unready(each) and stage(each.ref) < _LAST_STAGE]
    first_stage = [ref for ref in waiting if stage(ref) == stage(waiting[0])]
    listed = ", ".join(f"{subject(ref)} status: 'NotFound'" for ref in first_stage)
    return f"timeout waiting for: [{listed}]" if listed else ""


_LAST_STAGE: Final = 2
"""Flux does not wait after this stage; the health checks of a Kustomization follow later."""


def _is_left_out(outcome: Outcome) -> bool:
    """Return whether the reconciliation did not reach an object."""
    return any(cause.reason == NOT_REACHED for cause in outcome.errors)


def _message_of(outcome: Outcome) -> str:
    """Return Flux's message for an object that is rejected before anything is sent."""
    refusal = Refused(outcome.status or 0, outcome.errors)
    unmapped = next((cause for cause in outcome.errors if cause.reason == UNMAPPED), None)
    if unmapped is not None:
        return f"{subject(outcome.ref)} dry-run failed: {unmapped.message.removesuffix(_ADVICE)}"
    if is_sent(outcome):
        return f"{subject(outcome.ref)} apply failed: {server_message(refusal, outcome.ref)}"
    return dry_run_error(outcome.ref, refusal)


_ADVICE: Final = ": ensure CRDs are installed first"
"""The advice that kubectl appends."""


def _request_as_sent(request: ApplyRequest) -> ApplyRequest:
    """Return the request with the labels and the normalized manifest."""
    within = with_scope(request)
    if not isinstance(request.tool, FluxWrite):
        return replace(within, manifest=normalize_manifest(within.manifest, request.kind))
    source = request.tool.source
    return replace(
        within, manifest=source.with_common(normalize_manifest(source.with_owner_labels(within.manifest), request.kind))
    )


PROGRAM: Final[Program[Reconciliation]] = Program(
    NAME,
    Writer(write.apply, explain_server_side, _request_as_sent, is_skipped=write.is_skipped, reads_as_kubectl=False),
    predicting,
    checking=partial(predicting, only_checks=True),
    process=lambda _, parts: Stages(parts),
)
