"""Changes that a revert does not undo, that a second apply makes, and that intermediate commits leave."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import takewhile
from typing import TypeAlias

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Change, Outcome, Provenance, Verdict, Why
from kubectl_applylint.core.paths import Path, get
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import Identity, Knowledge, ObjectRef, Present
from kubectl_applylint.core.values import Json, JsonObject, Missing, equal
from kubectl_applylint.engine.changes import changes_of
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.set_apply import SetApply, apply_other


@dataclass(frozen=True, slots=True)
class Stage:
    """A commit: its name, and a function that applies its manifests to a cluster."""

    name: str
    apply: Callable[[ClusterModel], SetApply]


ChangedObjects = tuple[tuple[Document, Outcome], ...]
"""Objects that are not as expected, each with its document and the outcome that describes the difference."""

States: TypeAlias = Sequence[tuple[str, ClusterModel]]
"""The cluster after each stage, with the name of the stage; the first is the cluster before all stages."""


def not_restored_by_revert(whole: SetApply, past: Sequence[Document]) -> ChangedObjects:
    """Return the objects that differ after the earlier documents are applied again.

    ``whole`` is the apply of the later documents to the earlier ones. ``changes`` lead from the object before to the
    object after the revert; an object that the change created and that stays is ``kept``.
    """
    back = apply_other(whole, past, whole.after)
    return (*_not_restored(whole, back), *_not_removed(whole, back))


def _not_restored(whole: SetApply, back: SetApply) -> Iterator[tuple[Document, Outcome]]:
    """Yield the objects that a revert leaves changed."""
    latest = {document.ref.identity: position for position, document in enumerate(back.documents.every)}
    outcomes = back.placed
    for position in (place for place in latest.values() if place in outcomes):
        document, outcome = back.documents.every[position], outcomes[position]
        was = whole.cluster.state(document.ref).live
        if not isinstance(was, Present) or outcome.result is None:
            continue
        lasting = Provenance(Why.LEFT_BY_REVERT)
        differences = _differences(was.object, outcome.result, document, back)
        changes = tuple(replace(change, provenance=lasting) for change in differences)
        if changes or outcome.refused:
            yield document, replace(outcome, changes=changes, restarts=None)


def _differences(was: JsonObject, now: JsonObject, document: Document, back: SetApply) -> Iterator[Change]:
    kind = back.schema.kind(document.ref.api_version, document.ref.kind)
    for change in changes_of(was, now, document.object, kind=kind, manager=""):
        if change.provenance.why is not Why.ANNOTATED and not equal(change.before, change.after):
            yield change


def _not_removed(whole: SetApply, back: SetApply) -> Iterator[tuple[Document, Outcome]]:
    earlier = {document.ref.identity for document in back.documents.every}
    made = {document.ref.identity: document for document in whole.documents.every}
    for name, document in made.items():
        is_new = not isinstance(whole.cluster.state(document.ref).live, Present)
        live = back.after.state(document.ref).live
        if is_new and name not in earlier and isinstance(live, Present):
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object)


def changed_by_second_apply(whole: SetApply) -> ChangedObjects:
    """Return the objects that a second apply of the same set changes, or reports as changed."""
    documents = whole.documents.every
    again = apply_other(whole, documents, whole.after)
    first, second = whole.placed, again.placed
    both = [place for place in first if place in second]
    return tuple((documents[place], second[place]) for place in both if _changes_again(first[place], second[place]))


def _changes_again(first: Outcome, second: Outcome) -> bool:
    if first.refused:
        return False
    return second.refused or second.verdict is Verdict.CONFIGURED or not equal(first.result, second.result)


def changed_by_stages(whole: SetApply, stages: Sequence[Stage]) -> ChangedObjects:
    """Return the objects that differ if every stage is applied in turn before the last one.

    ``whole`` is the apply of the last stage alone. ``changes`` lead from its result to that of all stages, each with
    the stage that introduced it. An object that only the stages create is ``kept``.
    """
    cluster, states, seen = whole.cluster, [("", whole.cluster)], dict[Identity, Document]()
    for stage in stages:
        step = stage.apply(cluster)
        cluster = step.after
        states.append((stage.name, cluster))
        seen |= {document.ref.identity: document for document in step.documents.every}
    last = apply_other(whole, whole.documents.every, cluster)
    return (*_changed_objects(whole, last, states), *_remaining_objects(whole, last, seen, states))


def _changed_objects(whole: SetApply, last: SetApply, states: States) -> Iterator[tuple[Document, Outcome]]:
    latest = {document.ref.identity: position for position, document in enumerate(last.documents.every)}
    first, outcomes = whole.placed, last.placed
    for position in (place for place in latest.values() if place in first and place in outcomes):
        document, outcome, alone = last.documents.every[position], outcomes[position], first[position]
        changes = tuple(_differences_by_commit(whole, last, document, states))
        if changes or outcome.refused != alone.refused:
            yield document, replace(outcome, changes=changes, restarts=None)


def _remaining_objects(
    whole: SetApply, last: SetApply, seen: Mapping[Identity, Document], states: States
) -> Iterator[tuple[Document, Outcome]]:
    """Yield the objects that earlier stages leave and that are not in the last one."""
    own = {document.ref.identity for document in whole.documents.every}
    for name, document in seen.items():
        live = last.after.state(document.ref).live
        if name in own or not isinstance(live, Present):
            continue
        changes = tuple(_differences_by_commit(whole, last, document, states))
        if changes or not isinstance(whole.after.state(document.ref).live, Present):
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object, changes=changes)


def _differences_by_commit(whole: SetApply, last: SetApply, document: Document, states: States) -> Iterator[Change]:
    here, there = (one.after.state(document.ref).live for one in (whole, last))
    if isinstance(here, Present) and isinstance(there, Present):
        for change in _differences(here.object, there.object, document, last):
            since = _since(document.ref, change.path, get(there.object, change.path), states)
            yield replace(change, provenance=Provenance(Why.LEFT_BY_COMMIT, f"({since})"))


def _since(ref: ObjectRef, path: Path, value: Json | Missing, states: States) -> str:
    """Return the stage since which a field has its final value, or "all commits" if no single stage set it."""
    having = takewhile(lambda state: _has_value(state[1].state(ref).live, path, value), reversed(states))
    names = [name for name, _ in having]
    return names[-1] if names and names[-1] else "all commits"


def _has_value(live: Knowledge, path: Path, value: Json | Missing) -> bool:
    return isinstance(live, Present) and equal(get(live.object, path), value)
