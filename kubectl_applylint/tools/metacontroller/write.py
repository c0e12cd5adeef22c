"""The requests of Metacontroller for one wanted child: create, update, recreate, or none.

Mirrors the behaviour of Metacontroller's ``pkg/controller/common/manage_children.go`` with its dynamic apply.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final, assert_never

from kubectl_applylint.appliers.attempt import Ask, Attempt, is_being_deleted, send
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier, ApplyRequest
from kubectl_applylint.core import gotext
from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.outcome import Confidence, FieldError, Level, Verdict, Write
from kubectl_applylint.core.paths import Path, fields, leaves, render
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.server_fields import METADATA
from kubectl_applylint.core.values import MISSING, Json, JsonObject, dig, equal, items, mapping, objects_at
from kubectl_applylint.merge import dynamic
from kubectl_applylint.merge.errors import MergeError
from kubectl_applylint.server.write import JSON_BODY, Refused
from kubectl_applylint.tools.metacontroller.children import Sync, UpdateMethod, controller_of

MANAGER: Final = DEFAULT_MANAGERS[Applier.METACONTROLLER]
ANNOTATION: Final = "metacontroller.k8s.io/last-applied-configuration"
"""The annotation with the last manifest that the hook wanted; it is not kubectl's."""
_SYSTEM_FIELDS: Final = (*METADATA, "deletionTimestamp", "deletionGracePeriodSeconds")
"""Metadata that the server sets; the values of a hook are ignored."""
_ANNOTATION_PATH: Final = fields("metadata", "annotations", ANNOTATION)
_FEW: Final = 3
"""The maximum number of differing fields in a message."""
_QUERY: Final = (("fieldManager", MANAGER), ("fieldValidation", "Warn"))
"""Metacontroller does not set fieldValidation: unknown fields are dropped with a warning."""
_STAYS: Final = "creating it fails, and it does not change"
_LATER: Final = "the next sync writes it again, and the server rejects that"
_MOST_SYNCS: Final = 8
"""The number of predicted syncs; children that still change count as changing forever."""
_OWNERLESS: Final = "the owner reference to the parent, which Metacontroller adds, is not shown"


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of the syncs for one wanted child, until nothing more changes.

    ``live`` is the observed child, or ``None``. A sync that stops only adopts or releases it. If the server rejects a
    later sync, the attempt is rejected and has the stored object.
    """
    if request.sync.is_stopped:
        return _claim(request.sync, live, ask)
    *_, last = islice(_syncs(request, live, ask), _MOST_SYNCS)
    return last


def _syncs(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Iterator[Attempt]:
    """Yield the attempt after each sync that changes something."""
    attempt: Attempt | None = _sync_once(request, live, ask)
    while attempt is not None:
        yield attempt
        attempt = _next(request, attempt, ask)


def _next(request: ApplyRequest, earlier: Attempt, ask: Ask) -> Attempt | None:
    """Return the attempt after one more sync, or ``None`` if it changes nothing visible.

    A child that is recreated at every sync counts as final, and so does one whose updates are always undone.
    """
    before, method = earlier.stored, request.sync.method(request.ref, request.kind)
    is_over = earlier.refusal is not None or earlier.verdict is Verdict.UNCHANGED
    if is_over or before is None or not method.is_in_place:
        return None
    then = _sync_once(request, before, partial(ask, settled=True))
    if then.verdict is Verdict.UNCHANGED or (then.refusal is None and equal(then.stored, before)):
        return None
    verdict = then.verdict if then.refusal else earlier.verdict
    warnings = (*earlier.warnings, *(_LATER for _ in [then.refusal] if then.refusal), *then.warnings)
    requests = (*earlier.requests, *then.requests)
    unique = tuple(dict.fromkeys(warnings))
    return replace(then, verdict=verdict, requests=requests, stored=then.stored or before, warnings=unique)


def _sync_once(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of one sync; a deleted child is created again as by the next sync."""
    sync = request.sync
    wanted = sync.with_controller_marks(_without_annotation(request.manifest), live)
    if live is None:
        return _create(wanted, ask, owner=sync.owner)
    stranger = sync.disowns(live)
    if stranger:
        return _not_created(stranger, live, ask, is_released=sync.releases(live))
    if sync.owner is not None and sync.adopts(live):
        return _adopt(request, live, ask, sync.owner)
    try:
        new = merge_child(live, wanted)
    except MergeError as error:
        return Attempt(Verdict.REJECTED, refusal=Refused(0, (FieldError("", "", error.message),)))
    if equal(new, live):
        return Attempt(Verdict.UNCHANGED, stored=live)
    if is_being_deleted(live):
        return Attempt(Verdict.UNCHANGED, stored=live, warnings=("it is being deleted: it does not change until then",))
    method = sync.method(request.ref, request.kind)
    return _update(method, live, new, lambda: _create(wanted, ask, live, owner=sync.owner), ask=ask)


def merge_child(observed: JsonObject, wanted: JsonObject) -> dict[str, Json]:
    """Return the observed child merged with the wanted one; raise ``MergeError`` for an unreadable annotation."""
    last = last_applied_of(observed)
    merged = dynamic.merge(observed, last, wanted)
    theirs, ours = mapping(observed.get("metadata")), mapping(merged.get("metadata"))
    metadata = {
        **{key: value for key, value in ours.items() if key not in _SYSTEM_FIELDS},
        **{key: theirs[key] for key in _SYSTEM_FIELDS if key in theirs},
    }
    rest = {key: value for key, value in merged.items() if key != "status"}
    status = {"status": observed["status"]} if "status" in observed else {}
    return _with_annotation({**rest, "metadata": metadata, **status}, _manifest_to_record(wanted, last))


def _manifest_to_record(wanted: JsonObject, last: JsonObject) -> JsonObject:
    """Return the wanted manifest to record: without namespace if the recorded one has none.

    Since 4.10.3 Metacontroller adds the parent's namespace; its version is only visible in the recorded manifest.
    """
    before = last.get("metadata")
    if not isinstance(before, dict) or "namespace" in before:
        return wanted
    metadata = {key: value for key, value in mapping(wanted.get("metadata")).items() if key != "namespace"}
    return {**wanted, "metadata": metadata}


def last_applied_of(observed: JsonObject) -> JsonObject:
    """Return the recorded manifest, or ``{}``; raise ``MergeError`` if it is unreadable."""
    text = dig(observed, "metadata", "annotations", ANNOTATION)
    if not isinstance(text, str) or not text:
        return {}
    try:
        kept = gotext.decode(text)
    except (ValueError, RecursionError):
        kept = MISSING
    if kept is None:
        return {}
    if not isinstance(kept, dict):
        raise MergeError(f'can\'t unmarshal "{ANNOTATION}" annotation: it is not a JSON object')
    return kept


def _claim(sync: Sync, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of a sync that stops after the parent has claimed its children."""
    if live is not None and sync.releases(live):
        return _release(live, ask)
    if live is not None and sync.owner is not None and sync.adopts(live):
        return _take_over(live, ask, sync.owner)
    return Attempt(Verdict.UNCHANGED, stored=live)


def _take_over(live: JsonObject, ask: Ask, owner: JsonObject) -> Attempt:
    """Return the write that makes the parent the owner of an object."""
    others = [each for each in objects_at(live, "metadata", "ownerReferences") if each.get("uid") != owner.get("uid")]
    body = _with_owner({**live, "metadata": {**live["metadata"], "ownerReferences": others}}, owner)
    return send(Write("PUT", JSON_BODY, body, _QUERY), live, ask, Verdict.CONFIGURED)


def _adopt(request: ApplyRequest, live: JsonObject, ask: Ask, owner: JsonObject) -> Attempt:
    """Return the attempt of a sync that adopts an object and then compares it with the wanted child."""
    taken = _take_over(live, ask, owner)
    if taken.refusal is not None or taken.stored is None:
        return taken
    then = _sync_once(request, taken.stored, partial(ask, settled=True))
    verdict = taken.verdict if then.verdict is Verdict.UNCHANGED else then.verdict
    kept = then.stored if then.is_gone else then.stored or taken.stored
    return replace(then, verdict=verdict, stored=kept, requests=(*taken.requests, *then.requests))


def _not_created(stranger: str, live: JsonObject, ask: Ask, *, is_released: bool) -> Attempt:
    """Return the failed create of an existing object that is not a child; a former child is released first."""
    then = "the parent releases (orphans) it, and creation fails" if is_released else _STAYS
    why = f"it already exists and is not a child: {stranger}; {then}"
    refusal = Refused(409, (FieldError("", "AlreadyExists", why),))
    released = _release(live, ask) if is_released else Attempt(Verdict.REJECTED)
    return replace(released, verdict=Verdict.REJECTED, stored=released.stored or live, refusal=refusal)


def _release(live: JsonObject, ask: Ask) -> Attempt:
    """Return the write that removes the parent from the owners of an object."""
    others = [owner for owner in objects_at(live, "metadata", "ownerReferences") if owner.get("controller") is not True]
    rest = {key: value for key, value in live["metadata"].items() if key != "ownerReferences"}
    metadata = {**rest, "ownerReferences": others} if others else rest
    return send(Write("PUT", JSON_BODY, {**live, "metadata": metadata}, _QUERY), live, ask, Verdict.CONFIGURED)


def _create(
    wanted: JsonObject, ask: Ask, live: JsonObject | None = None, *, owner: JsonObject | None = None
) -> Attempt:
    """Return the create of a child with a known owner, or in place of ``live``."""
    child = _with_annotation(wanted, _manifest_to_record(wanted, last_applied_of(live or {})))
    owner = owner or controller_of(live)
    if owner is not None:
        return send(Write("POST", JSON_BODY, _with_owner(child, owner), _QUERY), None, ask, Verdict.CREATED)
    attempt = send(Write("POST", JSON_BODY, child, _QUERY), None, ask, Verdict.CREATED)
    low = attempt.confidence.level is Level.LOW
    reasons = (*attempt.confidence.reasons, _OWNERLESS)
    return replace(attempt, confidence=Confidence(Level.LOW if low else Level.MEDIUM, reasons))


def _with_owner(child: JsonObject, owner: JsonObject) -> dict[str, Json]:
    """Return the child with an owner reference to its parent, which is not recorded."""
    others = dig(child, "metadata", "ownerReferences")
    references = [*items(others), {**owner, "blockOwnerDeletion": True}]
    return {**child, "metadata": {**child["metadata"], "ownerReferences": references}}


def _update(
    method: UpdateMethod, live: JsonObject, new: JsonObject, create: Callable[[], Attempt], *, ask: Ask
) -> Attempt:
    match method:
        case UpdateMethod.ON_DELETE:
            words = f"it differs from the desired state ({field_summary(differences(live, new))})"
            left = f"{words} and does not change until it is deleted (method OnDelete)"
            return Attempt(Verdict.UNCHANGED, stored=live, warnings=(left,))
        case UpdateMethod.IN_PLACE | UpdateMethod.ROLLING_IN_PLACE:
            return send(Write("PUT", JSON_BODY, new, _QUERY), live, ask, Verdict.CONFIGURED, _rolling_warning(method))
        case UpdateMethod.RECREATE | UpdateMethod.ROLLING_RECREATE:
            created = create()
            verdict = created.verdict if created.refusal else Verdict.CONFIGURED
            step = f"it is deleted, and recreated on the next sync (method {method})"
            requests = (_deletion(live), *created.requests)
            warnings = (step, *_finalizer_warning(live), *_rolling_warning(method), *created.warnings)
            is_gone = created.refusal is not None
            return replace(created, verdict=verdict, requests=requests, is_gone=is_gone, warnings=warnings)
        case _:
            assert_never(method)


def _finalizer_warning(live: JsonObject) -> tuple[str, ...]:
    """Return a warning if finalizers keep a deleted child, which then is not recreated."""
    finalizers = ", ".join(map(str, items(dig(live, "metadata", "finalizers"))))
    return (f"it stays, and is not recreated, until its finalizers are gone: {finalizers}",) if finalizers else ()


def _rolling_warning(method: UpdateMethod) -> tuple[str, ...]:
    """Return the warning that rolling updates wait for other children."""
    words = f"it waits: children are updated one at a time, each after the status checks of the one before ({method})"
    return (words,) if method.is_rolling else ()


def differences(live: JsonObject, new: JsonObject) -> tuple[Path, ...]:
    """Return the fields that an update from ``live`` to ``new`` changes, except the annotation."""
    before, after = dict(leaves(live)), dict(leaves(new))
    own = (path for path in dict.fromkeys((*before, *after)) if path != _ANNOTATION_PATH)
    return tuple(path for path in own if not equal(before.get(path, MISSING), after.get(path, MISSING)))


def field_summary(paths: Sequence[Path]) -> str:
    """Return the first few paths as text."""
    return first_names([*map(render, paths)], _FEW) or "only in its last-applied annotation"


def _deletion(live: JsonObject) -> Write:
    """Return the delete request of a child."""
    uid = dig(live, "metadata", "uid")
    conditions = {"preconditions": {"uid": uid}} if uid is not MISSING else {}
    return Write("DELETE", JSON_BODY, {**conditions, "propagationPolicy": "Background"})


def _without_annotation(manifest: JsonObject) -> JsonObject:
    """Return the wanted child without Metacontroller's own annotation, which a hook may send back."""
    annotations = dig(manifest, "metadata", "annotations")
    if not isinstance(annotations, dict) or ANNOTATION not in annotations:
        return manifest
    rest = {key: value for key, value in annotations.items() if key != ANNOTATION}
    return {**manifest, "metadata": {**manifest["metadata"], "annotations": rest}}


def _with_annotation(child: JsonObject, wanted: JsonObject) -> dict[str, Json]:
    """Return the child with the wanted manifest recorded; annotations that are not all strings are dropped.

    A null becomes an empty string (``NestedNullCoercingStringMap`` of apimachinery; before 0.33 it is not a string).
    """
    metadata = mapping(child.get("metadata"))
    found = {key: "" if text is None else text for key, text in mapping(metadata.get("annotations")).items()}
    kept = found if all(isinstance(text, str) for text in found.values()) else {}
    return {**child, "metadata": {**metadata, "annotations": {**kept, ANNOTATION: gotext.encode(wanted)}}}
