"""Client-side ``kubectl apply``: create, patch or nothing.

Mirrors the behaviour of kubectl 1.36: ``pkg/cmd/apply`` (what is sent) and ``pkg/util/apply.go`` (the annotation).
"""

from collections.abc import Iterator

from kubectl_applylint.appliers.attempt import Ask, Attempt, deletion_warnings, send, without_resource_version
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.appliers.last_applied import annotate, annotation_of, as_created, original_of
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier, ApplyRequest
from kubectl_applylint.core import gotext
from kubectl_applylint.core.outcome import FieldError, Verdict, Write, plain
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import LAST_APPLIED
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, items, mapping
from kubectl_applylint.merge import json_merge
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.merge.three_way import three_way
from kubectl_applylint.schema.types import Kind
from kubectl_applylint.server.write import JSON_BODY, MERGE_PATCH, STRATEGIC_PATCH, Answer, Refused, Stored

MANAGER = DEFAULT_MANAGERS[Applier.KUBECTL_CLIENT]
_MAKES_ANEW = (409, 422)
"""Answers to a patch after which ``--force`` deletes the object (``Patch`` of kubectl's patcher)."""
_UNPROCESSABLE = 422
_LOST = (
    "An error occurred force-replacing the existing object with the newly provided one:\n\n{}.\n\n"
    "Additionally, an error occurred attempting to restore the original object:\n\n{}"
)
NEW_UID = "(the uid of the new Job)"
"""A placeholder for a uid that only the server knows."""
_OF_THE_SERVER = ("resourceVersion", "uid", "creationTimestamp", "generation", "managedFields")
_OUTSIDE_THE_SCHEME = {"CustomResourceDefinition", "APIService"}
"""Kinds without Go types in kubectl: without OpenAPI it sends a JSON merge patch for them."""
NO_ANNOTATION = f"is missing the {LAST_APPLIED} annotation"
"""The warning of kubectl about an object that was not applied client-side before."""


def was_applied(live: JsonObject) -> bool:
    """Return whether client-side apply wrote the object: it has the annotation, or kubectl is a manager."""
    owners = dig(live, "metadata", "managedFields")
    managers = [mapping(owner).get("manager") for owner in items(owners)]
    return annotation_of(live) is not None or MANAGER in managers


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of ``kubectl apply`` on one manifest; ``live`` is ``None`` if the object does not exist."""
    query = (("fieldManager", request.manager), ("fieldValidation", request.validation.value))
    if live is None:
        body = without_resource_version(as_created(request.manifest))
        return send(Write("POST", JSON_BODY, body, query), None, ask, Verdict.CREATED)
    try:
        content_type, patch = _patch(request, live)
    except MergeError as error:
        return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", "", error.message),)))
    warnings = tuple(_warnings(request, live))
    if not patch:
        return Attempt(Verdict.UNCHANGED, stored=live, warnings=warnings)
    attempt = send(Write("PATCH", content_type, patch, query), live, ask, Verdict.CONFIGURED, warnings)
    if request.force and attempt.refusal and attempt.refusal.status in _MAKES_ANEW:
        return _force(request, live, attempt, ask)
    return attempt


def _force(request: ApplyRequest, live: JsonObject, attempt: Attempt, ask: Ask) -> Attempt:
    """Return the attempt of ``--force`` after a rejected patch: delete the object and create it from the manifest.

    If the server rejects the creation as well, kubectl recreates the live object. A Job is lost then, because only the
    server may set its selector.
    """
    deletion = Write("DELETE", JSON_BODY, {"propagationPolicy": "Background"})
    body = without_resource_version(annotate(request.manifest))
    query = attempt.requests[0].query
    created = send(Write("POST", JSON_BODY, body, query), None, ask, Verdict.CONFIGURED, attempt.warnings)
    words = "it is deleted and recreated, because the server rejects the change (--force)"
    requests = (*attempt.requests, deletion, *created.requests)
    recreated = replace(created, requests=requests, warnings=(*created.warnings, words))
    if created.refusal is None:
        return recreated
    match _recreate(live, query, ask):
        case Stored(stored):
            return replace(recreated, stored=stored)
        case Refused() as refusal:
            error = _LOST.format(*(server_message(each, request.ref) for each in (created.refusal, refusal)))
            return replace(recreated, is_gone=True, error=error)


def _recreate(live: JsonObject, query: tuple[tuple[str, str], ...], ask: Ask) -> Answer:
    """Return the server's answer to the creation of the formerly live object."""
    if live.get("kind") == "Job" and dig(live, "spec", "manualSelector") is not True:
        return Refused(_UNPROCESSABLE, tuple(_faults_of_job(live)))
    metadata = {key: value for key, value in mapping(live.get("metadata")).items() if key not in _OF_THE_SERVER}
    return ask(Write("POST", JSON_BODY, {**live, "metadata": metadata}, query), None)


def _faults_of_job(live: JsonObject) -> Iterator[FieldError]:
    """Yield the server's errors about a Job with the selector and labels of another uid."""
    labels, selector = dig(live, "spec", "template", "metadata", "labels"), dig(live, "spec", "selector")
    shown, chosen = (gotext.encode(plain({} if each is MISSING else each)) for each in (labels, selector))
    for key in ("controller-uid", "batch.kubernetes.io/controller-uid"):
        place, words = f"spec.template.metadata.labels[{key}]", f"must be '{NEW_UID}'"
        yield FieldError(place, "FieldValueInvalid", f"Invalid value: {shown}: {words}")
    yield FieldError("spec.selector", "FieldValueInvalid", f"Invalid value: {chosen}: `selector` not auto-generated")


def _patch(request: ApplyRequest, live: JsonObject) -> tuple[str, Json]:
    """Return content type and body of the patch, ``{}`` for no change; raise ``MergeError`` with kubectl's text."""
    kind = request.kind
    if kind is None or not kind.strategic:
        return MERGE_PATCH, _json_patch(request.manifest, live)
    try:
        return STRATEGIC_PATCH, _strategic_patch(request, live, kind)
    except MergeError:
        if kind.name not in _OUTSIDE_THE_SCHEME:
            raise
        return MERGE_PATCH, _json_patch(request.manifest, live)


def _strategic_patch(request: ApplyRequest, live: JsonObject, kind: Kind) -> dict[str, Json]:
    modified = annotate(request.manifest)
    # --overwrite=false compares and prints the exact text of the annotation.
    original = _original(live, modified, custom=False) if request.overwrite else original_of(annotation_of(live))
    return three_way(original, modified, live, kind.root, overwrite=request.overwrite)


def _json_patch(manifest: JsonObject, live: JsonObject) -> dict[str, Json]:
    modified = annotate(manifest)
    patch = json_merge.three_way(_original(live, modified, custom=True), modified, live)
    fixed = {key for key in ("apiVersion", "kind") if key in patch}
    if fixed or "name" in mapping(patch.get("metadata")):
        raise MergeError("precondition failed for: apiVersion, kind and metadata.name must not change")
    return patch


def _original(live: JsonObject, modified: JsonObject, *, custom: bool) -> JsonObject:
    """Return the last-applied manifest: ``modified`` itself if the same is applied again, to save parsing."""
    text = annotation_of(live)
    return modified if text and text == annotation_of(modified) else original_of(text, custom=custom)


def _warnings(request: ApplyRequest, live: JsonObject) -> list[str]:
    """Return kubectl's warnings about a missing annotation and a pending deletion."""
    warnings = []
    name = f"{request.kind.resource if request.kind else request.ref.kind.lower()}/{request.ref.name}"
    if annotation_of(live) is None:
        warnings.append(
            f"resource {name} {NO_ANNOTATION} which is required by kubectl apply. kubectl "
            "apply should only be used on resources created declaratively by either kubectl create --save-config or "
            "kubectl apply. The missing annotation will be patched automatically."
        )
    return [*warnings, *deletion_warnings(request.ref, live)]
