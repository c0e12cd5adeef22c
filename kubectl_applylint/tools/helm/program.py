"""One call of Helm on a set of objects: what is predicted of each, where it stops, what it says.

Mirrors ``update`` and ``Create`` in ``pkg/kube/client.go`` of Helm 3.18 and 4.1: failed updates are collected and the
others go on, the first failed creation of an update ends it, and after a failure nothing is deleted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, assert_never

from kubectl_applylint.appliers import object_meta
from kubectl_applylint.appliers.addressing import with_scope
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, FieldError, Outcome, PredictionError, Verdict
from kubectl_applylint.core.state import ObjectRef, State, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import predict as engine
from kubectl_applylint.engine.changes import helm_changes, replace_changes
from kubectl_applylint.engine.cluster_model import ClusterModel, is_definition
from kubectl_applylint.engine.explanations import explain_by, explain_server_side
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.program import Program, Writer
from kubectl_applylint.engine.set_refusals import known_object
from kubectl_applylint.merge.managed_fields import ManagedFieldsCodec
from kubectl_applylint.schema.types import Kind, Schema
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.helm import write
from kubectl_applylint.tools.helm.method import HelmWrite, Method
from kubectl_applylint.tools.helm.release import Release, is_in_crds
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUpgrade
from kubectl_applylint.tools.helm.write import CREATING, error_prefix

NOT_IN_RELEASE: Final = "NotInRelease"
"""The reason why Helm stops at an object that exists and that no manifest it goes by has."""
_UNABLE: Final = "unable to build kubernetes objects from"


def predicting(policy: HelmUpgrade, schema: Schema, *, disabled_admission: Iterable[str] = ()) -> Predict:
    """Return what predicts what this call of Helm does to one object."""
    disabled = frozenset(disabled_admission)

    def predict(manifest: JsonObject, state: State) -> Outcome:
        if policy.unknown:
            raise PredictionError(policy.unknown)
        live = known_object(state.live)
        how = policy.write(manifest, live)
        if how is None:
            return _stopped_at(policy, ref_of(manifest), live)
        request = ApplyRequest(
            manifest,
            state,
            schema,
            policy.applier,
            force_conflicts=policy.flags.force_conflicts,
            tool=how,
            disabled_admission=disabled,
            surroundings=state.cluster_view(),
        )
        return engine.predict(request)

    return predict


def _stopped_at(policy: HelmUpgrade, ref: ObjectRef, live: JsonObject | None) -> Outcome:
    words = f'{ref.kind} with the name "{ref.name}"'
    message = f"original object {words} not found" if policy.is_helm4 else f"no {words} found"
    cause = FieldError("", NOT_IN_RELEASE, message)
    return Outcome(ref, Verdict.REJECTED, result=live, causes=(cause,), error=message)


def with_existing_objects(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> HelmUpgrade:
    """Return the call once Helm has looked at what exists: an install that adopts anything is done like an upgrade.

    Definitions in ``crds`` that exist are left as they are. Of an earlier revision nobody knows whether they do; they
    are taken for objects of the release there.
    """
    present = [one for one in documents if known_object(cluster.state(one.ref).live) is not None]
    left = {one.ref.identity for one in present if _is_installed_once(one) and not cluster.simulated}
    new = {one.ref.identity for one in present if policy.original(one.ref) is None}
    return replace(policy, adopted=frozenset(new - left), left=frozenset(left))


def _is_installed_once(document: Document) -> bool:
    return is_definition(document.ref) and is_in_crds(document.file)


def blocking_error(
    policy: HelmUpgrade,
    documents: Sequence[Document],
    cluster: ClusterModel,
    is_unserved: Callable[[ObjectRef], bool],
) -> FieldError | None:
    """Return why Helm writes nothing at all, ``None`` where it begins.

    ``is_unserved`` tells whether the server has no such kind.
    """
    faults = (*_build_faults(policy, documents, is_unserved), *_import_faults(policy, documents, cluster))
    said = policy.refusal or next(iter(faults), "") or policy.option_fault
    return FieldError("", "", said) if said else None


def _build_faults(
    policy: HelmUpgrade, documents: Sequence[Document], is_unserved: Callable[[ObjectRef], bool]
) -> Iterator[str]:
    """Yield why Helm cannot read its manifests: those of the chart first."""
    faults = [_unreadable(document, policy.release, is_unserved) for document in documents]
    new = _aggregate(filter(None, faults))
    unserved = (ref_of(item) for item in policy.originals if is_unserved(ref_of(item)))
    current = _aggregate(_mapping_error(ref, policy.release) for ref in unserved)
    if current and not new:
        yield f"{_UNABLE} current release manifest: {current}"
    if new:
        yield f"{_UNABLE} release manifest: {new}" if policy.action is HelmAction.INSTALL else new


def _unreadable(document: Document, release: Release, is_unserved: Callable[[ObjectRef], bool]) -> str:
    fault = object_meta.fault(document.object)
    if fault is not None:
        return f'unable to decode "": {fault.message}'
    return _mapping_error(document.ref, release) if is_unserved(document.ref) else ""


def _mapping_error(ref: ObjectRef, release: Release) -> str:
    namespace = "" if ref.namespace == release.namespace else ref.namespace
    return (
        f'resource mapping not found for name: "{ref.name}" namespace: "{namespace}" from "": no matches for kind'
        f' "{ref.kind}" in version "{ref.api_version}"\nensure CRDs are installed first'
    )


def _aggregate(faults: Iterable[str]) -> str:
    """Return several errors as apimachinery prints them."""
    found = tuple(dict.fromkeys(faults))
    return found[0] if len(found) == 1 else f"[{', '.join(found)}]" if found else ""


def _import_faults(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> Iterator[str]:
    for document in documents:
        live = known_object(cluster.state(document.ref).live)
        is_seen = live is not None and document.ref.identity not in policy.left
        if live is not None and is_seen and (complaint := policy.import_fault(document.ref, live)):
            yield complaint


def stops(policy: HelmUpgrade, outcome: Outcome) -> bool:
    """Return whether Helm does not go on after this object: it could not be created, or is none of the release's."""
    if not outcome.refused or not policy.is_update:
        return False
    return outcome.result is None or any(cause.reason == NOT_IN_RELEASE for cause in outcome.causes)


def cleanup_targets(policy: HelmUpgrade, outcomes: Iterable[Outcome]) -> Iterator[ObjectRef]:
    """Yield what a call that has failed deletes: with ``--cleanup-on-fail`` what it has created."""
    if policy.flags.cleanup_on_fail and policy.action is not HelmAction.INSTALL:
        yield from (outcome.ref for outcome in outcomes if outcome.verdict is Verdict.CREATED)


def message(policy: HelmUpgrade, block: FieldError | None, outcomes: Sequence[Outcome]) -> str:
    """Return what Helm says of a call that fails, after ``UPGRADE FAILED: ``; empty for one that succeeds.

    ``block`` is that of ``blocking_error``. Where Helm stops at an object, it does not tell what failed before.
    """
    if block is not None:
        return block.message
    stop = next((outcome for outcome in outcomes if stops(policy, outcome)), None)
    if stop is not None:
        return _message_of(policy, stop)
    said = [_message_of(policy, outcome) for outcome in outcomes if outcome.refused]
    if policy.is_update:
        return " && ".join(said)
    return "\n".join(words.removeprefix(CREATING) for words in said)


def _message_of(policy: HelmUpgrade, outcome: Outcome) -> str:
    """Return what Helm says of an object that is refused for itself, or for others of the chart."""
    if outcome.error:
        return outcome.error
    before = CREATING if outcome.result is None else error_prefix(policy.method, outcome.ref)
    return before + server_message(Refused(outcome.status or 0, outcome.causes), outcome.ref)


def _stop(policy: HelmUpgrade, _: ObjectRef, earlier: Iterable[Outcome]) -> ObjectRef | None:
    return next((found.ref for found in earlier if stops(policy, found)), None)


def _request_as_sent(request: ApplyRequest) -> ApplyRequest:
    within = with_scope(request)
    if not isinstance(request.tool, HelmWrite):
        return within
    return replace(within, manifest=request.tool.release.with_release_marks(within.manifest))


def _explain(
    request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    how = request.tool
    assert isinstance(how, HelmWrite)
    match how.method:
        case Method.APPLY:
            return explain_server_side(request, live, after, kind, codec)
        case Method.REPLACE:
            return explain_by(replace_changes)(request, live, after, kind, codec)
        case Method.LEAVE:
            return ()
        case Method.PATCH | Method.CREATE:
            return helm_changes(live, after, request.manifest, original=how.original or {}, kind=kind)
        case _:
            assert_never(how.method)


PROGRAM: Final[Program[HelmUpgrade]] = Program(
    "Helm",
    Writer(write.apply, _explain, _request_as_sent),
    predicting,
    begun=lambda policy, documents, cluster: (with_existing_objects(policy, documents, cluster), documents),
    blocked=blocking_error,
    remedy=lambda policy: policy.remedy,
    stop=_stop,
    deleted=lambda policy, _, outcomes: cleanup_targets(policy, outcomes),
)
