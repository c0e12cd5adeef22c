"""Objects that decide about others and whose files are as they were: what a change meets beside what it changes."""

from collections.abc import Iterable, Sequence

from kubectl_applylint.appliers.flags import Flags
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.state import UNSEEN, ClusterView
from kubectl_applylint.engine import transition
from kubectl_applylint.lint.relations import IndexQuery
from kubectl_applylint.lint.subjects import place
from kubectl_applylint.run.compare.base import Base
from kubectl_applylint.run.load.prediction import earlier_predictor
from kubectl_applylint.schema.types import Schema
from kubectl_applylint.server.admission_inputs import ACCOUNT, GroupKind, input_kinds


def unchanged_deciders(
    base: Base, changed: Sequence[Document], schema: Schema, flags: Flags, namespace: str
) -> ClusterView:
    """Return what is known around ``changed`` from files that are as they were; nothing where nothing changed.

    ``namespace`` is that of objects that name none. The accounts of pods are looked for only where there are pods.
    """
    if not changed:
        return UNSEEN
    kinds = input_kinds(document.object for document in changed)
    if not any(document.ref.identity[:2] == ("", "Pod") for document in changed):
        kinds -= {ACCOUNT}
    places = frozenset(document.ref.namespace for document in changed) - {""}
    found = base.context_of(_index_query(kinds, places)).documents
    more = input_kinds(document.object for document in found) - kinds - {ACCOUNT}
    if more:
        found = (*found, *base.context_of(_index_query(more, places)).documents)
    taken = {document.ref.identity for document in changed}
    placed = [place(document, schema, namespace) for document in found]
    others = [document for document in placed if document.ref.identity not in taken]
    made = transition.earlier_revision(
        others, origin=base.origin, schema=schema, predict=earlier_predictor(schema, flags)
    )
    return UNSEEN.with_objects(made.cluster.objects) if others else UNSEEN


def _index_query(kinds: Iterable[GroupKind], places: frozenset[str]) -> IndexQuery:
    """Return the words to look for: where a kind stands in very many files, those that name a namespace are left."""
    return {f"{kind}.{group}": places | {kind} for group, kind in kinds}
