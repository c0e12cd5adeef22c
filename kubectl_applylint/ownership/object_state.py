"""The management state of a live object: the command that created it, and its last apply."""

from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from kubectl_applylint.appliers.kubectl_server import migration_patch
from kubectl_applylint.core.outcome import Change, Outcome, Why
from kubectl_applylint.core.state import Present, Unknown, last_applied
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.merge.managed_fields import read
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, SERVER_SIDE, appliers_of, apply_outcome, mode_of

_BY_COMMAND: Final = {"kubectl-run", "kubectl-expose", "kubectl-autoscale"}
_BY_FILE: Final = {"kubectl-create", "kubectl-replace"}
_NO_CHANGE: Final = (Why.KEPT, Why.SHARED, Why.ANNOTATED)


class ObjectState(StrEnum):
    """The management state of an object; the values complete a sentence about it."""

    ABSENT = "does not exist yet"
    IMPERATIVE = "was created by an imperative command"
    CREATED = "was created by kubectl create or replace, which write no last-applied annotation"
    FOREIGN = "was created without kubectl apply, and has no last-applied annotation"
    LOST = "was applied and has lost its last-applied annotation, as kubectl replace leaves it"
    UNREADABLE = "has a last-applied annotation that kubectl cannot read"
    SAVED = "was saved with its last-applied annotation, and not applied since"
    STALE = "differs from its last-applied annotation"
    CLIENT_SIDE = "is managed by kubectl apply"
    SERVER_SIDE = "is managed by kubectl apply --server-side"
    MIXED = "is applied both client-side and server-side"

    @property
    def key(self) -> str:
        """The word in JSON, such as ``client_side``."""
        return self.name.lower()

    @property
    def is_client_side(self) -> bool:
        """Whether the next client-side apply knows the last one, with no server-side apply in between."""
        return self in (ObjectState.SAVED, ObjectState.STALE, ObjectState.CLIENT_SIDE)

    @property
    def has_no_annotation(self) -> bool:
        """Whether no apply left a last-applied annotation."""
        return self in (ObjectState.IMPERATIVE, ObjectState.CREATED, ObjectState.FOREIGN, ObjectState.LOST)


def state_of(subject: Subject, live: JsonObject | None) -> ObjectState:
    """Return the state of ``live``; ``subject`` has its kind and version."""
    if live is None:
        return ObjectState.ABSENT
    if not appliers_of(live):
        return _client_side_state(subject, live)
    mode = mode_of(live)
    manager = mode.manager if mode.is_server_side else SERVER_SIDE.manager
    return ObjectState.MIXED if migration_patch(live, manager) else ObjectState.SERVER_SIDE


def _client_side_state(subject: Subject, live: JsonObject) -> ObjectState:
    """Return the state of an object that is not applied server-side."""
    names = {each.name for each in read(live)}
    match last_applied(Present(live)):
        case Unknown():
            return ObjectState.UNREADABLE
        case Present(applied_last):
            if has_changes(apply_outcome(subject, CLIENT_SIDE, live, applied_last)):
                return ObjectState.STALE
            return ObjectState.CLIENT_SIDE if not names or CLIENT_SIDE.manager in names else ObjectState.SAVED
        case _:
            if CLIENT_SIDE.manager in names:
                return ObjectState.LOST
            if names & _BY_COMMAND:
                return ObjectState.IMPERATIVE
            return ObjectState.CREATED if names & _BY_FILE else ObjectState.FOREIGN


def has_changes(outcome: Outcome) -> bool:
    """Return whether an apply is rejected or changes a value."""
    return outcome.refused or any(True for _ in changes_of(outcome.changes))


def changes_of(changes: Iterable[Change]) -> Iterable[Change]:
    """Return the changes of values, without those of the annotation that kubectl writes."""
    return (change for change in changes if change.provenance.why not in _NO_CHANGE)
