"""Flux as a program: predicts a reconciliation of several objects and their order.

Mirrors ``ApplyAllStaged`` and ``errors.go`` of ``github.com/fluxcd/pkg/ssa`` 0.77.
"""

from collections.abc import Iterable
from functools import partial
from typing import Final

from kubectl_applylint.appliers.addressing import with_scope
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.explanations import explain_server_side
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.program import Program, Writer
from kubectl_applylint.engine.tool_predictions import prediction_as
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.tools.flux import write
from kubectl_applylint.tools.flux.kustomization import FluxWrite, Reconciliation
from kubectl_applylint.tools.flux.normalize import normalize_manifest
from kubectl_applylint.tools.flux.order import place
from kubectl_applylint.tools.flux.stages import NAME, Stages


def predicting(
    policy: Reconciliation, schema: Schema, *, only_checks: bool = False, disabled_admission: Iterable[str] = ()
) -> Predict:
    """Return the function that predicts how Flux handles one object, or only the checks before a stage."""
    how = FluxWrite(policy.source, only_checks=only_checks)
    return prediction_as(
        Applier.FLUX, schema, lambda request: replace(request, tool=how), disabled_admission=disabled_admission
    )


def sorted_documents(documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents in apply order."""
    return tuple(sorted(documents, key=lambda document: place(document.ref)))


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
