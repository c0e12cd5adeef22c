"""From client-side apply to server-side apply and back: what each step does to an object and to its owners."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from kubectl_applylint.appliers.kubectl_server import migration_patch
from kubectl_applylint.core.outcome import Change, Outcome, OwnerChange, Verdict, Why
from kubectl_applylint.core.state import Present, last_applied
from kubectl_applylint.core.values import MISSING, JsonObject, equal
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.server_side import UPDATE
from kubectl_applylint.merge.typed import DEDUCED
from kubectl_applylint.ownership.address import address
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, ApplyMode, applied, appliers_of, mode_of
from kubectl_applylint.ownership.commands import apply_command, diff_command
from kubectl_applylint.ownership.field_ownership import FieldOwnership, ObjectOwnership, ownership_of
from kubectl_applylint.server.defaults.explain import with_defaults
from kubectl_applylint.server.faults import DecodeError
from kubectl_applylint.server.ownership import without_managed_fields


class Side(StrEnum):
    """Where the merge happens."""

    SERVER = "server"
    CLIENT = "client"


class Stage(StrEnum):
    """How far an object has come."""

    ABSENT = "does not exist yet"
    UNTOUCHED = "was never applied"
    CLIENT = "is applied client-side"
    SERVER = "is applied server-side"
    MIXED = "is applied both ways"


@dataclass(frozen=True, slots=True)
class Move:
    """One command and what it does to the object."""

    mode: ApplyMode
    command: str
    outcome: Outcome
    owners: ObjectOwnership | None
    """Who owns what afterwards; ``None`` where the command is refused."""
    orphans: tuple[FieldOwnership, ...]
    """What becomes nobody's although somebody set it: no apply removes it any more by leaving it out."""
    defaults: int
    """How many defaults of the server become nobody's, as they should."""
    unasked: tuple[Change, ...]
    """What changes or goes although the manifest does not say so."""
    taken: tuple[OwnerChange, ...]
    """What others than the applier lose."""


@dataclass(frozen=True, slots=True)
class Migration:
    """The plan for one object."""

    subject: Subject
    to: Side
    stage: Stage
    moves: tuple[Move, ...]
    """In order; after one that is refused there is none."""
    forced: Move | None
    """The last move by force, where it meets a conflict."""
    leftovers: tuple[FieldOwnership, ...]
    """What commands typed by hand still own of the manifest: it stays when its line goes."""
    back: tuple[str, ...]

    @property
    def is_blocked(self) -> bool:
        """Whether a step would be refused."""
        return any(move.outcome.refused for move in self.moves)


def migration(subject: Subject, live: JsonObject | None, to: Side) -> Migration:
    """Return the steps that bring the object of a subject to a side, each foretold on what the last one left."""
    stage = stage_of(live)
    moves = tuple(_moves(subject, live, to, stage))
    last = moves[-1] if moves else None
    forced = None
    if last is not None and last.outcome.verdict is Verdict.CONFLICT and last.mode.is_server_side:
        forced = _move(subject, _reached(moves[:-1], live), replace(last.mode, force=True))
    final = _reached((*moves, *((forced,) if forced else ())), live)
    return Migration(
        subject=subject,
        to=to,
        stage=stage,
        moves=moves,
        forced=forced,
        leftovers=tuple(_leftovers(subject, final)) if final is not None and to is Side.SERVER else (),
        back=tuple(_back(subject, final, to)),
    )


def stage_of(live: JsonObject | None) -> Stage:
    """Return how the object has been applied; an applier of server-side apply counts only if it is no keeper."""
    if live is None:
        return Stage.ABSENT
    is_server_side = bool(appliers_of(live))
    is_client_side = isinstance(last_applied(Present(live)), Present)
    if not is_server_side:
        return Stage.CLIENT if is_client_side else Stage.UNTOUCHED
    mode = mode_of(live)
    manager = mode.manager if mode.is_server_side else SERVER_SIDE.manager
    return Stage.MIXED if migration_patch(live, manager) else Stage.SERVER


def _moves(subject: Subject, live: JsonObject | None, to: Side, stage: Stage) -> Iterator[Move]:
    if to is Side.SERVER:
        if stage is not Stage.SERVER:
            yield _move(subject, live, SERVER_SIDE)
        return
    if stage in (Stage.SERVER, Stage.MIXED) and live is not None:
        # What has left the manifest goes while its owner is still known: client-side apply would not know of it.
        first = _move(subject, live, mode_of(live))
        if not first.outcome.refused and _differs(first.outcome.result, live):
            yield first
            live = first.outcome.result
    if stage is not Stage.CLIENT:
        yield _move(subject, live, CLIENT_SIDE)


def _differs(result: JsonObject | None, live: JsonObject) -> bool:
    return result is not None and not equal(_content(result), _content(live))


def _content(stored: JsonObject) -> JsonObject:
    bare = without_managed_fields(stored)
    made = ("resourceVersion", "generation")
    return {**bare, "metadata": {key: value for key, value in bare["metadata"].items() if key not in made}}


def _reached(moves: Sequence[Move], live: JsonObject | None) -> JsonObject | None:
    """Return the object after some moves."""
    results = [move.outcome.result for move in moves if not move.outcome.refused]
    return results[-1] if results else live


def _move(subject: Subject, live: JsonObject | None, mode: ApplyMode) -> Move:
    outcome = applied(subject, mode, live)
    after = None if outcome.refused or outcome.result is None else outcome.result
    owners = ownership_of(after, subject.kind) if after is not None else None
    orphans = [*_orphans(outcome, owners)] if owners else []
    usual = _defaults(subject)
    return Move(
        mode=mode,
        command=apply_command(mode, [subject.document]),
        outcome=outcome,
        owners=owners,
        orphans=tuple(each for each in orphans if not _is_usual(each, usual, subject)),
        defaults=sum(_is_usual(each, usual, subject) for each in orphans),
        unasked=tuple(_unasked(outcome, subject)),
        taken=tuple(each for each in outcome.owner_changes if _is_taken(each, mode)),
    )


def _orphans(outcome: Outcome, owners: ObjectOwnership) -> Iterator[FieldOwnership]:
    lost = {change.path for change in outcome.owner_changes if change.is_orphaned}
    return (field for field in owners.unowned if field.path in lost)


def _defaults(subject: Subject) -> JsonObject:
    """Return the manifest with the server's defaults; as it is where it cannot be read."""
    if subject.kind is None:
        return subject.manifest
    try:
        return with_defaults(subject.manifest, subject.kind, subject.schema.version).object
    except DecodeError:
        return subject.manifest


def _is_usual(field: FieldOwnership, usual: JsonObject, subject: Subject) -> bool:
    """Tell whether a fresh install would have the same value there; empty maps and lists say nothing."""
    if field.value in ({}, []):
        return True
    root = subject.kind.root if subject.kind else DEDUCED
    value = address(field.path, root, usual).value
    return value is not MISSING and equal(value, field.value)


def _unasked(outcome: Outcome, subject: Subject) -> Iterator[Change]:
    root = subject.kind.root if subject.kind else DEDUCED
    for change in outcome.changes:
        is_told = change.cause.why in (Why.KEPT, Why.ANNOTATED) or change.before is MISSING
        if not is_told and address(change.path, root, subject.manifest).value is MISSING:
            yield change


def _is_taken(change: OwnerChange, mode: ApplyMode) -> bool:
    """Tell whether somebody who is neither the applier nor a client-side apply loses the field."""
    mine = {mode.manager, CLIENT_SIDE.manager, SERVER_SIDE.manager, "kubectl-last-applied"}
    return any(owner.name not in mine for owner in change.lost) and not change.is_orphaned


def _leftovers(subject: Subject, final: JsonObject) -> Iterator[FieldOwnership]:
    """Yield what writers by hand own beside the applier of what the manifest has."""
    for field in ownership_of(final, subject.kind).shared:
        if any(m.operation == UPDATE and m.name.startswith("kubectl") for m in field.managers):
            yield field


def _back(subject: Subject, final: JsonObject | None, to: Side) -> Iterable[str]:
    if final is None:
        return ()
    other = Side.CLIENT if to is Side.SERVER else Side.SERVER
    return [move.command for move in _moves(subject, final, other, stage_of(final))]


def ordered(plans: Sequence[Migration]) -> tuple[str, ...]:
    """Return the commands for all objects, one a file and way to apply: server-side applies come first."""
    steps = [(move.mode, plan.subject.document) for plan in plans for move in plan.moves]
    modes = sorted(dict.fromkeys(mode for mode, _ in steps), key=lambda mode: not mode.is_server_side)
    files = dict.fromkeys(document.file for _, document in steps)
    groups = ((mode, [d for each, d in steps if each == mode and d.file == file]) for mode in modes for file in files)
    return tuple(apply_command(mode, documents) for mode, documents in groups if documents)


def checks(plans: Sequence[Migration]) -> tuple[str, ...]:
    """Return the commands that print nothing once all is done, one a file."""
    documents = [plan.subject.document for plan in plans]
    files = dict.fromkeys(document.file for document in documents)
    mode = SERVER_SIDE if any(plan.to is Side.SERVER for plan in plans) else CLIENT_SIDE
    return tuple(diff_command(mode, [d for d in documents if d.file == file]) for file in files)
