"""A change of manifests: the earlier ones are applied to an empty cluster, and the later ones to the result.

No live state is read: the earlier manifests are applied until nothing changes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.appliers.last_applied import annotate, annotation_of
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict, Write
from kubectl_applylint.core.paths import leaves, render
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import (
    LAST_APPLIED,
    NO_CLUSTER,
    UNSEEN,
    Absent,
    ClusterView,
    Identity,
    Knowledge,
    ObjectRef,
    Present,
    Unknown,
    ref_of,
)
from kubectl_applylint.core.values import dig, equal, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.engine.deletion import consequences
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.engine.set_apply import SetApply, apply_set
from kubectl_applylint.engine.set_policies import program_policy
from kubectl_applylint.engine.stability import apply_until_stable
from kubectl_applylint.schema.types import Schema

MIN_LIKENESS: Final = 0.6
"""The share of equal fields from which a removed and an added object count as one that was renamed."""
_DELETE_OPTIONS: Final = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}


@dataclass(frozen=True, slots=True)
class EarlierRevision:
    """An earlier revision of the manifests, and the cluster after its apply."""

    documents: Mapping[Identity, Document] = field(repr=False)
    """The documents by object; of two documents of one object the later one."""
    cluster: ClusterModel
    otherwise: Knowledge = Absent()
    """The manifest of any other object."""

    def manifest(self, ref: ObjectRef) -> Knowledge:
        """Return the manifest of an object in the earlier revision; unknown if the revision may have others."""
        document = self.document(ref)
        return self.otherwise if document is None else Present(document.object)

    def document(self, ref: ObjectRef) -> Document | None:
        """Return the document of an object in the earlier revision."""
        return self.documents.get(ref.identity)


def earlier_revision(
    documents: Sequence[Document],
    *,
    origin: str,
    schema: Schema,
    predict: Predict,
    policy: Policy | None = None,
    unselected: Sequence[Document] = (),
    doubt: str = "",
    cluster_view: ClusterView = UNSEEN,
) -> EarlierRevision:
    """Return the cluster after applying ``documents`` to an empty one until nothing changes.

    An object that is applied before its namespace is rejected. Claims count as bound, and a Job that the cluster
    deletes after it finished is unknown. ``origin`` names the revision, ``doubt`` is why other objects may exist.
    """
    otherwise = Unknown(doubt) if doubt else Absent()
    nothing = ClusterModel(otherwise=otherwise, origin=origin, simulated=True, schema=schema)
    apply = partial(
        apply_set,
        documents,
        schema=schema,
        predict=predict,
        policy=policy,
        unselected=unselected,
        cluster_view=cluster_view,
        is_one_by_one=program_policy(policy) is not None,
    )
    whole = apply(nothing)
    if any(whole.is_unserved(document.ref) for document in whole.documents.every):
        whole = apply(whole.after)
    settled = apply_until_stable(whole)
    known = (
        _unknown_after_rejection(whole, origin),
        _with_last_applied(settled, documents),
        _expiring_jobs(settled),
        _bound_claims(settled),
    )
    cluster = settled.with_states(dict(chain.from_iterable(known)))
    return EarlierRevision({document.ref.identity: document for document in documents}, cluster, otherwise)


def _with_last_applied(cluster: ClusterModel, documents: Iterable[Document]) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield objects whose last-applied annotation needs a version that servers have dropped, as they were written."""
    for document in documents:
        live = cluster.state(document.ref).live
        if document.written is None or not isinstance(live, Present) or annotation_of(live.object) is None:
            continue
        namespace = {"namespace": document.ref.namespace} if document.ref.namespace else {}
        metadata = {**mapping(document.written.get("metadata")), **namespace}
        text = annotation_of(annotate({**document.written, "metadata": metadata}))
        kept = mapping(live.object.get("metadata"))
        annotations = {**mapping(kept.get("annotations")), LAST_APPLIED: text}
        yield document.ref.identity, Present({**live.object, "metadata": {**kept, "annotations": annotations}})


def _unknown_after_rejection(whole: SetApply, origin: str) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield the states of rejected objects: unknown, because an earlier form may exist."""
    for document, outcome in whole.every:
        if outcome.refused and outcome.result is None:
            why = "; ".join(cause.message for cause in outcome.errors) or "unknown reason"
            yield document.ref.identity, Unknown(f"{origin} contains it in a form that the server rejects: {why}")


def _expiring_jobs(cluster: ClusterModel) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield the states of Jobs that the cluster may have deleted: unknown. A suspended Job never finishes."""
    for item in cluster.objects:
        ref = ref_of(item)
        ttl = dig(item, "spec", "ttlSecondsAfterFinished")
        if (ref.group, ref.kind) == ("batch", "Job") and isinstance(ttl, int) and not dig(item, "spec", "suspend"):
            why = f"with ttlSecondsAfterFinished: {ttl} the cluster deletes it {ttl} seconds after it has finished"
            yield ref.identity, Unknown(f"{ref} may or may not exist: {why}")


def _bound_claims(cluster: ClusterModel) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield the claims as bound, so that they can grow."""
    for item in cluster.objects:
        ref = ref_of(item)
        if (ref.group, ref.kind) == ("", "PersistentVolumeClaim"):
            capacity = mapping(dig(item, "spec", "resources", "requests"))
            status = {**mapping(item.get("status")), "phase": "Bound", "capacity": capacity}
            yield ref.identity, Present({**item, "status": status})


def outcomes_of_unapplied(whole: SetApply, documents: Iterable[Document]) -> Iterator[tuple[Document, Outcome]]:
    """Yield the outcomes of ``documents`` whose objects exist and are not applied: pruned, or kept."""
    applied = {document.ref.identity for document in whole.documents.every}
    pruned = {ref.identity for ref in whole.pruned}
    origin = whole.cluster.origin
    doubt = Confidence(Level.MEDIUM, (unseen_reason(origin),)) if whole.cluster.simulated else Confidence()
    for document in {document.ref.identity: document for document in documents}.values():
        live = whole.cluster.state(document.ref).live
        if document.ref.identity in applied or not isinstance(live, Present):
            continue
        if document.ref.identity in pruned:
            delete = Write("DELETE", "application/json", _DELETE_OPTIONS)
            along = tuple(consequences(live.object, whole.applied))
            yield document, Outcome(document.ref, Verdict.PRUNED, (delete,), warnings=along, confidence=doubt)
        else:
            yield document, Outcome(document.ref, Verdict.KEPT, result=live.object, confidence=doubt)


def unseen_reason(origin: str) -> str:
    """Return why a prediction without live state is not certain."""
    return f"{NO_CLUSTER}; {origin} is assumed to be applied"


def renames(gone: Sequence[Document], come: Sequence[Document]) -> Mapping[Identity, ObjectRef]:
    """Return the earlier names of added objects that count as renamed ones of ``gone``.

    A renamed object has the same kind and most fields in common; the most similar pair counts first.
    """
    pairs = sorted(
        ((_likeness(old, new), old.ref, new.ref) for new in come for old in gone if _has_same_kind(old.ref, new.ref)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    taken: dict[ObjectRef, ObjectRef] = {}
    for likeness, old, new in pairs:
        if likeness >= MIN_LIKENESS and new not in taken and old not in taken.values():
            taken[new] = old
    return {new.identity: old for new, old in taken.items()}


def _has_same_kind(old: ObjectRef, new: ObjectRef) -> bool:
    return (old.group, old.kind) == (new.group, new.kind)


_NAMES = {"apiVersion", "kind", "metadata.name", "metadata.namespace"}


def _likeness(old: Document, new: Document) -> float:
    """Return the share of equal fields of two objects, without their names and kind."""
    sides = [{render(path): value for path, value in leaves(one.object)} for one in (old, new)]
    here, there = ({path: value for path, value in side.items() if path not in _NAMES} for side in sides)
    same = sum(path in there and equal(value, there[path]) for path, value in here.items())
    return same / max(len(here), len(there), 1)
