"""The way back, and the way once more: what a revert does not undo, and what a second apply still changes."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from kubectl_applylint.changes import changes_of
from kubectl_applylint.fold import Fold, fold
from kubectl_applylint.model import Document
from kubectl_applylint.outcome import Cause, Change, Outcome, Verdict, Why
from kubectl_applylint.state import Present
from kubectl_applylint.values import JsonObject, equal

Told = tuple[tuple[Document, Outcome], ...]
"""Objects that are not as they should be, each with the place where it stands and with what is wrong."""


def not_undone(whole: Fold, past: Sequence[Document]) -> Told:
    """Return the objects that are not as they were when the earlier documents are applied after the later ones.

    ``whole`` is the apply of the later ones to what the earlier ones made. Of an object, ``changes`` lead from what it
    was to what it is then; one that the change made, and that stays, is ``kept``.
    """
    back = fold(past, whole.after, schema=whole.schema, predict=whole.predict, policy=whole.policy)
    return (*_changed(whole, back), *_left_behind(whole, back))


def _changed(whole: Fold, back: Fold) -> Iterator[tuple[Document, Outcome]]:
    latest = {document.ref.identity: position for position, document in enumerate(back.documents.every)}
    for position in latest.values():
        document, outcome = back.documents.every[position], back.outcome(position)
        was = whole.cluster.state(document.ref).live
        if not isinstance(was, Present) or outcome.result is None:
            continue
        changes = tuple(_differences(was.object, outcome.result, document, back))
        if changes or outcome.refused:
            yield document, replace(outcome, changes=changes, restarts=None)


def _differences(was: JsonObject, now: JsonObject, document: Document, back: Fold) -> Iterator[Change]:
    kind = back.schema.kind(document.ref.api_version, document.ref.kind)
    for change in changes_of(was, now, document.object, kind=kind, manager=""):
        if change.cause.why is not Why.ANNOTATED and not equal(change.before, change.after):
            yield replace(change, cause=Cause(Why.LASTING))


def _left_behind(whole: Fold, back: Fold) -> Iterator[tuple[Document, Outcome]]:
    earlier = {document.ref.identity for document in back.documents.every}
    made = {document.ref.identity: document for document in whole.documents.every}
    for name, document in made.items():
        is_new = not isinstance(whole.cluster.state(document.ref).live, Present)
        live = back.after.state(document.ref).live
        if is_new and name not in earlier and isinstance(live, Present):
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object)


def not_settled(whole: Fold) -> Told:
    """Return the objects that a second apply of the same set changes, or says to have changed."""
    documents = whole.documents.every
    again = fold(documents, whole.after, schema=whole.schema, predict=whole.predict, policy=whole.policy)
    pairs = zip(documents, whole.outcomes, again.outcomes, strict=True)
    return tuple((document, second) for document, first, second in pairs if _moves(first, second))


def _moves(first: Outcome, second: Outcome) -> bool:
    if first.refused:
        return False
    return second.refused or second.verdict is Verdict.CONFIGURED or not equal(first.result, second.result)
