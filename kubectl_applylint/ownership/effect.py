"""The effect of an apply or a replace on the values and owners of one object, beyond its manifest."""

from collections.abc import Iterable, Iterator
from shlex import quote

from kubectl_applylint.core.outcome import Change, Outcome, OwnerChange, Verdict
from kubectl_applylint.core.paths import Path, fields, render
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import LAST_APPLIED, Present, Unknown, last_applied
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, equal, mapping
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.ownership.address import address
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode, apply_outcome
from kubectl_applylint.ownership.commands import apply_command, own_command
from kubectl_applylint.ownership.field_history import owners_at
from kubectl_applylint.ownership.field_ownership import FieldOwnership, Manager, ObjectOwnership, ownership_of
from kubectl_applylint.ownership.object_state import changes_of
from kubectl_applylint.ownership.step import Effect, Reset, Step, StepKind
from kubectl_applylint.schema.types import Node
from kubectl_applylint.server.defaults.explain import with_defaults
from kubectl_applylint.server.faults import DecodeError

_FORCE_REASON = (
    "takes over the conflicting fields by force; to leave them to their owners instead, remove their lines from the"
    " manifest, or write the live values"
)
ANNOTATION = fields("metadata", "annotations", LAST_APPLIED)
"""The path of the last-applied annotation."""


def effect_of(
    subject: Subject, mode: ApplyMode, live: JsonObject | None = None, manifest: JsonObject | None = None
) -> Effect:
    """Return the effect of applying ``manifest`` to ``live``, by default the subject's own."""
    return effect_from(subject, mode, apply_outcome(subject, mode, live, manifest), live)


def effect_from(
    subject: Subject, mode: ApplyMode, outcome: Outcome, live: JsonObject | None, sent: JsonObject | None = None
) -> Effect:
    """Return the effect of an outcome on ``live``; ``sent`` replaces the subject's manifest if another one was sent."""
    owners = None if outcome.refused or outcome.result is None else ownership_of(outcome.result, subject.kind)
    orphans = [*_orphans(outcome, owners)] if owners else []
    usual = _with_defaults(subject)
    changed = [change for change in changes_of(outcome.changes) if change.before is not MISSING]
    return Effect(
        mode=mode,
        outcome=outcome,
        owners=owners,
        taken=tuple(each for each in outcome.owner_changes if _is_taken(each, mode)),
        orphans=tuple(each for each in orphans if not _is_default(each, usual, subject)),
        defaults=sum(_is_default(each, usual, subject) for each in orphans),
        resets=tuple(
            _reset(subject, live or {}, each) for each in changed if _is_reset(each, subject, live or {}, mode)
        ),
        deletes=tuple(change for change in changed if change.after is MISSING and not _is_last_applied(change)),
        stays=tuple(_unmanaged_fields(subject, outcome.after, sent))
        if live is not None and outcome.after is not None
        else (),
    )


def forced_step(
    subject: Subject, live: JsonObject | None, step: Step, manifest: JsonObject | None = None
) -> Step | None:
    """Return a server-side apply with a conflict as a step by force, ``None`` for any other step."""
    effect = step.effect
    if effect is None or effect.outcome.verdict is not Verdict.CONFLICT or not effect.mode.is_server_side:
        return None
    mode = replace(effect.mode, force=True)
    return Step(StepKind.RUN, apply_command(mode, [subject]), _FORCE_REASON, effect_of(subject, mode, live, manifest))


def root_of(subject: Subject) -> Node:
    """Return the schema of the subject's kind; types are deduced if it is unknown."""
    return subject.kind.root if subject.kind else DEDUCED


def _is_last_applied(change: Change) -> bool:
    """Return whether a change only removes the last-applied annotation, alone or with the map around it."""
    return change.path == ANNOTATION or (
        change.path == ANNOTATION[:-1] and set(mapping(change.before)) == {LAST_APPLIED}
    )


def _orphans(outcome: Outcome, owners: ObjectOwnership) -> Iterator[FieldOwnership]:
    """Yield the fields that lose their last owner."""
    lost = {change.path for change in outcome.owner_changes if change.is_orphaned}
    return (field for field in owners.unowned if field.path in lost)


def _with_defaults(subject: Subject) -> JsonObject:
    """Return the manifest with the server's defaults; unchanged if it cannot be decoded."""
    if subject.kind is None:
        return subject.manifest
    try:
        return with_defaults(subject.manifest, subject.kind, subject.schema.version).object
    except DecodeError:
        return subject.manifest


def _is_default(field: FieldOwnership, usual: JsonObject, subject: Subject) -> bool:
    """Return whether a fresh install would have the same value; empty maps and lists count as equal."""
    if field.value in ({}, []):
        return True
    value = address(field.path, root_of(subject), usual).value
    return value is not MISSING and equal(value, field.value)


def _is_taken(change: OwnerChange, mode: ApplyMode) -> bool:
    """Return whether a manager other than the applier and client-side apply loses the field.

    The last-applied annotation belongs to kubectl, even with another recorded owner.
    """
    own = {mode.manager, CLIENT_SIDE.manager, SERVER_SIDE.manager, "kubectl-last-applied"}
    return any(owner.name not in own for owner in change.lost) and not change.is_orphaned and change.path != ANNOTATION


def _is_reset(change: Change, subject: Subject, live: JsonObject, mode: ApplyMode) -> bool:
    """Return whether a change goes beyond the changes in the file since the last apply."""
    if change.after is MISSING:
        return False
    root, known = root_of(subject), last_applied(Present(live))
    if address(change.path, root, subject.manifest).value is MISSING:
        return True
    last = address(change.path, root, known.object).value if isinstance(known, Present) else MISSING
    if equal(last, change.before):
        return False
    writers = owners_at(live, address(change.path, root, live))
    return not mode.is_server_side or any(writer.name != mode.manager for writer in writers)


def _reset(subject: Subject, live: JsonObject, change: Change) -> Reset:
    """Return a changed value with its writers and the command that hands it over to one."""
    root = root_of(subject)
    writers = owners_at(live, address(change.path, root, live))
    place = subject.document.origin(address(change.path, root, subject.manifest).positions)
    return Reset(change, writers, place, next(_handovers(subject, change.path, writers), ""))


def _handovers(subject: Subject, path: Path, writers: Iterable[Manager]) -> Iterator[str]:
    """Yield the commands that leave a field to a writer that continues to write it, such as a controller."""
    for writer in writers:
        if writer.subresource or not writer.name.startswith("kubectl"):
            where = f"{quote(str(subject.ref))} {quote(render(path))}"
            yield own_command(f"kubectl applylint handover {where} --to {quote(writer.name)}", subject)


def _unmanaged_fields(subject: Subject, after: JsonObject, sent: JsonObject | None) -> Iterator[FieldOwnership]:
    """Yield the live fields that neither the sent manifest nor a fresh install has."""
    root, fresh = root_of(subject), subject.predict(Scenario.FRESH).after or {}
    manifest = subject.manifest if sent is None else sent
    for field in ownership_of(after, subject.kind).fields:
        path = field.path
        is_content = path[:1] != fields("status") and path != ANNOTATION and field.value not in (MISSING, {}, [])
        if (
            is_content
            and address(path, root, manifest).value is MISSING
            and not _is_in_fresh_install(field, root, fresh)
        ):
            yield field


def _is_in_fresh_install(field: FieldOwnership, root: Node, fresh: JsonObject) -> bool:
    """Return whether a fresh install has the value, or one that the server chooses."""
    path = field.path
    values = (address(path[:length], root, fresh).value for length in range(1, len(path) + 1))
    return any(_is_server_chosen(value) or equal(value, field.value) for value in values)


def _is_server_chosen(value: Json | Unknown | Missing) -> bool:
    """Return whether only the server knows a value or the items of a list."""
    return isinstance(value, Unknown) or (isinstance(value, list) and any(map(_is_server_chosen, value)))
