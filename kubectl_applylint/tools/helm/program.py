"""Helm as a program: predicts one call for several objects and where it stops.

Mirrors ``update`` and ``Create`` in ``pkg/kube/client.go`` of Helm 3.18 and 4.1: failed updates are collected and the
rest continues, the first failed creation of an upgrade ends it, and after a failure nothing is deleted.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final, assert_never

from kubectl_applylint.appliers import object_meta
from kubectl_applylint.appliers.addressing import with_scope
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, FieldError, Outcome, PredictionError, Verdict
from kubectl_applylint.core.records import replace
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
from kubectl_applylint.tools.helm import write
from kubectl_applylint.tools.helm.method import HelmWrite, Method
from kubectl_applylint.tools.helm.release import Release, is_in_crds
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUpgrade

NOT_IN_RELEASE: Final = "NotInRelease"
"""The reason of a rejection: an object exists and is not in the release."""
_UNABLE: Final = "unable to build kubernetes objects from"


def predicting(policy: HelmUpgrade, schema: Schema, *, disabled_admission: Iterable[str] = ()) -> Predict:
    """Return the function that predicts how this call of Helm handles one object."""
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
            cluster_view=state.cluster_view(),
        )
        return engine.predict(request)

    return predict


def _stopped_at(policy: HelmUpgrade, ref: ObjectRef, live: JsonObject | None) -> Outcome:
    """Return the outcome of an existing object outside the release, at which Helm stops."""
    words = f'{ref.kind} with the name "{ref.name}"'
    message = f"original object {words} not found" if policy.is_helm4 else f"no {words} found"
    cause = FieldError("", NOT_IN_RELEASE, message)
    return Outcome(ref, Verdict.REJECTED, result=live, errors=(cause,), error=message)


def with_existing_objects(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> HelmUpgrade:
    """Return the call with the objects that exist; an install that adopts any continues like an upgrade.

    Existing definitions in ``crds`` are not touched. With an earlier revision their existence is unknown, and they
    count as objects of the release.
    """
    present = [one for one in documents if known_object(cluster.state(one.ref).live) is not None]
    left = {one.ref.identity for one in present if _is_installed_once(one) and not cluster.simulated}
    new = {one.ref.identity for one in present if policy.original(one.ref) is None}
    return replace(policy, adopted=frozenset(new - left), left=frozenset(left))


def _is_installed_once(document: Document) -> bool:
    """Return whether a document is a CustomResourceDefinition in the ``crds`` directory."""
    return is_definition(document.ref) and is_in_crds(document.file)


def blocking_error(
    policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel, is_unserved: Callable[[ObjectRef], bool]
) -> FieldError | None:
    """Return why Helm writes nothing, or ``None``.

    ``is_unserved``: whether the server does not have a kind.
    """
    faults = (*_build_faults(policy, documents, is_unserved), *_import_faults(policy, documents, cluster))
    message = policy.refusal or next(iter(faults), "") or policy.option_fault
    return FieldError("", "", message) if message else None


def _build_faults(
    policy: HelmUpgrade, documents: Sequence[Document], is_unserved: Callable[[ObjectRef], bool]
) -> Iterator[str]:
    """Yield the errors with which Helm fails to read its manifests."""
    faults = [_unreadable(document, policy.release, is_unserved) for document in documents]
    new = _aggregate(filter(None, faults))
    unserved = (ref_of(item) for item in policy.originals if is_unserved(ref_of(item)))
    current = _aggregate(_mapping_error(ref, policy.release) for ref in unserved)
    if current and not new:
        yield f"{_UNABLE} current release manifest: {current}"
    if new:
        yield f"{_UNABLE} release manifest: {new}" if policy.action is HelmAction.INSTALL else new


def _unreadable(document: Document, release: Release, is_unserved: Callable[[ObjectRef], bool]) -> str:
    """Return why Helm cannot read a manifest, or ``""``."""
    fault = object_meta.fault(document.object)
    if fault is not None:
        return f'unable to decode "": {fault.message}'
    return _mapping_error(document.ref, release) if is_unserved(document.ref) else ""


def _mapping_error(ref: ObjectRef, release: Release) -> str:
    """Return Helm's error for a kind that is not served."""
    namespace = "" if ref.namespace == release.namespace else ref.namespace
    return (
        f'resource mapping not found for name: "{ref.name}" namespace: "{namespace}" from "": no matches for kind'
        f' "{ref.kind}" in version "{ref.api_version}"\nensure CRDs are installed first'
    )


def _aggregate(faults: Iterable[str]) -> str:
    """Return several errors formatted as by apimachinery."""
    found = tuple(dict.fromkeys(faults))
    return found[0] if len(found) == 1 else f"[{', '.join(found)}]" if found else ""


def _import_faults(policy: HelmUpgrade, documents: Sequence[Document], cluster: ClusterModel) -> Iterator[str]:
    """Yield the errors about existing objects that Helm does not adopt."""
    for document in documents:
        live = known_object(cluster.state(document.ref).live)
        is_seen = live is not None and document.ref.identity not in policy.left
        if live is not None and is_seen and (complaint := policy.import_fault(document.ref, live)):
            yield complaint


def stops(policy: HelmUpgrade, outcome: Outcome) -> bool:
    """Return whether Helm stops after an object: it could not be created, or is not in the release."""
    if not outcome.refused or not policy.is_update or policy.action is HelmAction.DRIFT:
        return False
    return outcome.result is None or any(cause.reason == NOT_IN_RELEASE for cause in outcome.errors)


def cleanup_targets(policy: HelmUpgrade, outcomes: Iterable[Outcome]) -> Iterator[ObjectRef]:
    """Yield the objects that a failed call deletes: those it created, with ``--cleanup-on-fail``."""
    if policy.flags.cleanup_on_fail and policy.action is not HelmAction.INSTALL:
        yield from (outcome.ref for outcome in outcomes if outcome.verdict is Verdict.CREATED)


def _stopping_object(policy: HelmUpgrade, _: ObjectRef, earlier: Iterable[Outcome]) -> ObjectRef | None:
    """Return the object at which Helm stops before another one, or ``None``."""
    return next((found.ref for found in earlier if stops(policy, found)), None)


def _request_as_sent(request: ApplyRequest) -> ApplyRequest:
    """Return the request with the manifest of the release."""
    within = with_scope(request)
    if not isinstance(request.tool, HelmWrite):
        return within
    if not request.tool.is_marked:
        return within
    return replace(within, manifest=request.tool.release.with_release_marks(within.manifest))


def _explain(
    request: ApplyRequest, live: JsonObject | None, after: JsonObject, kind: Kind | None, codec: ManagedFieldsCodec
) -> tuple[Change, ...]:
    """Return the explained changes of one object."""
    how = request.tool
    assert isinstance(how, HelmWrite)
    match how.method:
        case Method.APPLY:
            return explain_server_side(request, live, after, kind, codec)
        case Method.REPLACE | Method.CORRECT:
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
    stop=_stopping_object,
    deleted=lambda policy, _, outcomes: cleanup_targets(policy, outcomes),
)
