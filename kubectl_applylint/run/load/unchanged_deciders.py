"""Finds unchanged objects that decide about changed ones: the inputs of admission in unchanged files."""

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


def unchanged_admission_inputs(
    base: Base, changed: Sequence[Document], schema: Schema, flags: Flags, namespace: str
) -> ClusterView:
    """Return the objects of unchanged files that admission of the ``changed`` documents reads.

    ``namespace`` is that of objects without one. ServiceAccounts are searched only if there are pods.
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
    """Return the query for kinds: the words that a file of each may contain, the kind or a namespace."""
    return {f"{kind}.{group}": places | {kind} for group, kind in kinds}
