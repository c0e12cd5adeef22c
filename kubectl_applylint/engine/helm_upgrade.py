"""One call of Helm on a set of objects: what is predicted of each, where it stops, what it says.

Mirrors ``update`` and ``Create`` in ``pkg/kube/client.go`` of Helm 3.18 and 4.1: failed updates are collected and the
others go on, the first failed creation of an update ends it, and after a failure nothing is deleted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from kubectl_applylint.appliers.attempt import undecodable
from kubectl_applylint.appliers.helm.upgrade import HelmAction, HelmUpgrade
from kubectl_applylint.appliers.request import Applier, ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import FieldError, Outcome, Verdict
from kubectl_applylint.core.state import Knowledge, ObjectRef, Present, State, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.schema.types import Schema

NOT_IN_RELEASE: Final = "NotInRelease"
"""The reason why Helm stops at an object that exists and that no manifest it goes by has."""
_CREATING: Final = "failed to create resource: "


def predicting(policy: HelmUpgrade, schema: Schema, *, disabled_admission: Iterable[str] = ()) -> Predict:
    """Return what predicts what this call of Helm does to one object."""
    disabled = frozenset(disabled_admission)
    applier = Applier.HELM4 if policy.is_helm4 else Applier.HELM3

    def predict(manifest: JsonObject, state: State) -> Outcome:
        live = _object(state.live)
        how = policy.write(manifest, live)
        if how is None:
            return _stopped_at(policy, ref_of(manifest), live)
        request = ApplyRequest(
            manifest,
            state,
            schema,
            applier,
            force_conflicts=policy.flags.force_conflicts,
            helm=how,
            disabled_admission=disabled,
            surroundings=state.cluster_view(),
        )
        return engine.predict(request)

    return predict


def _object(known: Knowledge) -> JsonObject | None:
    return known.object if isinstance(known, Present) else None


def _stopped_at(policy: HelmUpgrade, ref: ObjectRef, live: JsonObject | None) -> Outcome:
    words = f'{ref.kind} with the name "{ref.name}"'
    message = f"original object {words} not found" if policy.is_helm4 else f"no {words} found"
    cause = FieldError("", NOT_IN_RELEASE, message)
    return Outcome(ref, Verdict.REJECTED, result=live, causes=(cause,), error=message)


def begun(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> HelmUpgrade:
    """Return the call once Helm has looked at what exists: an install that adopts anything is done like an upgrade."""
    live = (cluster.state(document.ref).live for document in documents)
    return replace(
        policy, adopts=policy.action is HelmAction.INSTALL and any(isinstance(each, Present) for each in live)
    )


def blocked(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> FieldError | None:
    """Return why Helm writes nothing at all, ``None`` where it begins."""
    said = policy.refusal or next(_set_faults(policy, documents, cluster), "") or policy.option_fault
    return FieldError("", "", said) if said else None


def _set_faults(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> Iterator[str]:
    for document in documents:
        attempt = undecodable(document.object)
        if attempt is not None and attempt.refusal is not None:
            yield attempt.refusal.causes[0].message
    for document in documents:
        live = _object(cluster.state(document.ref).live)
        if live is not None and (fault := policy.import_fault(document.ref, live)):
            yield fault


def stops(policy: HelmUpgrade, outcome: Outcome) -> bool:
    """Tell whether Helm does not go on after this object: it could not be created, or is none of the release's."""
    if not outcome.refused or not policy.is_update:
        return False
    return outcome.result is None or any(cause.reason == NOT_IN_RELEASE for cause in outcome.causes)


def cleaned_up(policy: HelmUpgrade, outcomes: Iterable[Outcome]) -> Iterator[ObjectRef]:
    """Yield what a call that has failed deletes: with ``--cleanup-on-fail`` what it has created."""
    if policy.flags.cleanup_on_fail and policy.action is not HelmAction.INSTALL:
        yield from (outcome.ref for outcome in outcomes if outcome.verdict is Verdict.CREATED)


def message(policy: HelmUpgrade, block: FieldError | None, outcomes: Sequence[Outcome]) -> str:
    """Return what Helm says of a call that fails, after ``UPGRADE FAILED: ``; empty for one that succeeds.

    ``block`` is that of ``blocked``. Where Helm stops at an object, it does not tell what failed before.
    """
    if block is not None:
        return block.message
    stop = next((outcome for outcome in outcomes if stops(policy, outcome)), None)
    if stop is not None:
        return stop.error
    said = [outcome.error for outcome in outcomes if outcome.refused]
    if policy.is_update:
        return " && ".join(said)
    return "\n".join(words.removeprefix(_CREATING) for words in said)
