"""One sync by Argo CD of a set of objects: what is predicted of each, in which order, and what it says."""

from collections.abc import Iterable, Sequence

from kubectl_applylint.appliers.argocd.application import ArgoSync
from kubectl_applylint.appliers.argocd.comparison import INCOMPARABLE
from kubectl_applylint.appliers.argocd.method import ArgoWrite
from kubectl_applylint.appliers.argocd.options import is_hook, is_never_synced
from kubectl_applylint.appliers.argocd.order import tasks
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.engine.tool_predictions import predicting_as
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.server.write import Refused


def predicting(
    policy: ArgoSync, schema: Schema, *, only_checks: bool = False, disabled_admission: Iterable[str] = ()
) -> Predict:
    """Return what predicts what Argo CD does to one object, or what it looks at before it writes the first one."""
    how = ArgoWrite(policy.application, only_checks=only_checks)
    return predicting_as(
        Applier.ARGOCD,
        schema,
        lambda request: replace(request, argocd=how),
        disabled_admission=disabled_admission,
    )


def in_order(policy: ArgoSync, documents: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents of a set as Argo CD applies them, of several of one name the last, and without hooks."""
    unique = {document.ref.identity: document for document in documents}.values()
    synced = [each for each in unique if not is_hook(each.object) and not is_never_synced(each.object)]
    ordered = tasks([document.object for document in synced], policy.application.namespace)
    return tuple(synced[task.place] for task in ordered)


def message(outcomes: Sequence[Outcome]) -> str:
    """Return what Argo CD says of the objects at which a sync fails, a line each; empty where it succeeds."""
    failed = [outcome for outcome in outcomes if outcome.refused]
    own = [outcome for outcome in failed if not _is_left_out(outcome)]
    return "\n".join(_said(outcome) for outcome in own or failed)


def _is_left_out(outcome: Outcome) -> bool:
    return any(cause.reason == NOT_REACHED for cause in outcome.causes)


def _said(outcome: Outcome) -> str:
    if any(cause.reason == INCOMPARABLE for cause in outcome.causes):
        return f"{INCOMPARABLE}: {outcome.causes[0].message}"
    return outcome.error or server_message(Refused(outcome.status or 0, outcome.causes), outcome.ref)
