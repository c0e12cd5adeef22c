"""Other ways: what a revert does not undo, what a second apply still changes, what a way over many commits leaves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Cause, Change, Outcome, Verdict, Why
from kubectl_applylint.core.paths import Path, get
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Identity, Knowledge, ObjectRef, Present
from kubectl_applylint.core.values import Json, JsonObject, Missing, equal
from kubectl_applylint.engine.changes import changes_of
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import SetApply, rebased


@dataclass(frozen=True, slots=True)
class Stage:
    """A commit: its name, and what applies its manifests to a cluster."""

    name: str
    apply: Callable[[ClusterModel], SetApply]


Told = tuple[tuple[Document, Outcome], ...]
"""Objects that are not as they should be, each with the place where it stands and with what is wrong."""

States: TypeAlias = Sequence[tuple[str, ClusterModel]]
"""The cluster after each stage, with its name; the first one is how it was before all."""


def not_undone(whole: SetApply, past: Sequence[Document]) -> Told:
    """Return the objects that are not as they were when the earlier documents are applied after the later ones.

    ``whole`` is the apply of the later ones to what the earlier ones made. Of an object, ``changes`` lead from what it
    was to what it is then; one that the change made, and that stays, is ``kept``.
    """
    back = rebased(whole, past, whole.after)
    return (*_changed(whole, back), *_left_behind(whole, back))


def _changed(whole: SetApply, back: SetApply) -> Iterator[tuple[Document, Outcome]]:
    latest = {document.ref.identity: position for position, document in enumerate(back.documents.every)}
    told = back.placed
    for position in (place for place in latest.values() if place in told):
        document, outcome = back.documents.every[position], told[position]
        was = whole.cluster.state(document.ref).live
        if not isinstance(was, Present) or outcome.result is None:
            continue
        lasting = Cause(Why.LEFT_BY_REVERT)
        differences = _differences(was.object, outcome.result, document, back)
        changes = tuple(replace(change, cause=lasting) for change in differences)
        if changes or outcome.refused:
            yield document, replace(outcome, changes=changes, restarts=None)


def _differences(was: JsonObject, now: JsonObject, document: Document, back: SetApply) -> Iterator[Change]:
    kind = back.schema.kind(document.ref.api_version, document.ref.kind)
    for change in changes_of(was, now, document.object, kind=kind, manager=""):
        if change.cause.why is not Why.ANNOTATED and not equal(change.before, change.after):
            yield change


def _left_behind(whole: SetApply, back: SetApply) -> Iterator[tuple[Document, Outcome]]:
    earlier = {document.ref.identity for document in back.documents.every}
    made = {document.ref.identity: document for document in whole.documents.every}
    for name, document in made.items():
        is_new = not isinstance(whole.cluster.state(document.ref).live, Present)
        live = back.after.state(document.ref).live
        if is_new and name not in earlier and isinstance(live, Present):
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object)


def not_settled(whole: SetApply) -> Told:
    """Return the objects that a second apply of the same set changes, or says to have changed."""
    documents = whole.documents.every
    again = rebased(whole, documents, whole.after)
    first, second = whole.placed, again.placed
    both = [place for place in first if place in second]
    return tuple((documents[place], second[place]) for place in both if _moves(first[place], second[place]))


def _moves(first: Outcome, second: Outcome) -> bool:
    if first.refused:
        return False
    return second.refused or second.verdict is Verdict.CONFIGURED or not equal(first.result, second.result)


def passed(whole: SetApply, stages: Sequence[Stage]) -> Told:
    """Return the objects that are not the same when every stage was applied in turn before the last one.

    ``whole`` is the apply of the last one alone. Of an object, ``changes`` lead from what that makes of it to what the
    long way makes of it, each with the stage since which it is so. One that only the long way makes is ``kept``.
    """
    cluster, states, seen = whole.cluster, [("", whole.cluster)], dict[Identity, Document]()
    for stage in stages:
        step = stage.apply(cluster)
        cluster = step.after
        states.append((stage.name, cluster))
        seen |= {document.ref.identity: document for document in step.documents.every}
    last = rebased(whole, whole.documents.every, cluster)
    return (*_parted(whole, last, states), *_stayed(whole, last, seen, states))


def _parted(whole: SetApply, last: SetApply, states: States) -> Iterator[tuple[Document, Outcome]]:
    latest = {document.ref.identity: position for position, document in enumerate(last.documents.every)}
    first, told = whole.placed, last.placed
    for position in (place for place in latest.values() if place in first and place in told):
        document, outcome, alone = last.documents.every[position], told[position], first[position]
        changes = tuple(_apart(whole, last, document, states))
        if changes or outcome.refused != alone.refused:
            yield document, replace(outcome, changes=changes, restarts=None)


def _stayed(
    whole: SetApply, last: SetApply, seen: Mapping[Identity, Document], states: States
) -> Iterator[tuple[Document, Outcome]]:
    """Yield what the last one does not speak of, and what the long way leaves of it."""
    own = {document.ref.identity for document in whole.documents.every}
    for name, document in seen.items():
        live = last.after.state(document.ref).live
        if name in own or not isinstance(live, Present):
            continue
        changes = tuple(_apart(whole, last, document, states))
        if changes or not isinstance(whole.after.state(document.ref).live, Present):
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object, changes=changes)


def _apart(whole: SetApply, last: SetApply, document: Document, states: States) -> Iterator[Change]:
    here, there = (one.after.state(document.ref).live for one in (whole, last))
    if isinstance(here, Present) and isinstance(there, Present):
        for change in _differences(here.object, there.object, document, last):
            since = _since(document.ref, change.path, get(there.object, change.path), states)
            yield replace(change, cause=Cause(Why.LEFT_BY_COMMIT, f"({since})"))


def _since(ref: ObjectRef, path: Path, value: Json | Missing, states: States) -> str:
    """Return the stage since which a field has had the value that it ends with; all of them where it is not one."""
    having = takewhile(lambda state: _has(state[1].state(ref).live, path, value), reversed(states))
    names = [name for name, _ in having]
    return names[-1] if names and names[-1] else "all commits"


def _has(live: Knowledge, path: Path, value: Json | Missing) -> bool:
    return isinstance(live, Present) and equal(get(live.object, path), value)
