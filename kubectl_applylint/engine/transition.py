"""What a change of manifests does: the earlier ones are applied to nothing, and the later ones to what comes of that.

Nobody has seen the cluster then: what the earlier manifests make of it is predicted, until nothing more changes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final

from kubectl_applylint.appliers.flags import Policy
from kubectl_applylint.appliers.last_applied import annotated, annotation_of
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Confidence, Level, Outcome, Verdict, Write
from kubectl_applylint.core.paths import leaves, render
from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import (
    LAST_APPLIED,
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
from kubectl_applylint.engine.set_policies import of_program
from kubectl_applylint.engine.stability import apply_until_stable
from kubectl_applylint.schema.types import Schema

ALIKE: Final = 0.6
"""The share of equal fields from which on an object that goes and one that comes are taken for the same."""
_DELETE_OPTIONS: Final = {"kind": "DeleteOptions", "apiVersion": "v1", "propagationPolicy": "Background"}


@dataclass(frozen=True, slots=True)
class Before:
    """An earlier revision of the manifests, and the cluster as it leaves it."""

    documents: Mapping[Identity, Document] = field(repr=False)
    """Of two that describe one object the later."""
    cluster: ClusterModel

    def manifest(self, ref: ObjectRef) -> Knowledge:
        """Return what the earlier revision says of an object."""
        document = self.document(ref)
        return Absent() if document is None else Present(document.object)

    def document(self, ref: ObjectRef) -> Document | None:
        """Return where the earlier revision has an object."""
        return self.documents.get(ref.identity)


def before(
    documents: Sequence[Document],
    *,
    origin: str,
    schema: Schema,
    predict: Predict,
    policy: Policy | None = None,
    unselected: Sequence[Document] = (),
    doubt: str = "",
    cluster_view: ClusterView = UNSEEN,
) -> Before:
    """Return what applying ``documents`` to nothing makes until nothing more changes; they name their namespaces.

    What comes too early, before its namespace, is refused and not there. Custom resources find their kind the second
    time. ``origin`` names the revision for people, ``unselected`` are its documents that ``-l`` leaves out, and
    ``doubt`` is why an object that is not among them may exist all the same. ``cluster_view`` is what is known of
    other objects. Claims count as bound. Of a Job that the cluster deletes once it has finished it is not known whether
    it is still there.
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
        is_one_by_one=of_program(policy) is not None,
    )
    whole = apply(nothing)
    if any(whole.is_unserved(document.ref) for document in whole.documents.every):
        whole = apply(whole.after)
    settled = apply_until_stable(whole)
    known = (_refused(whole, origin), _remembered(settled, documents), _passing(settled), _bound(settled))
    cluster = settled.changed(dict(chain.from_iterable(known)))
    return Before({document.ref.identity: document for document in documents}, cluster)


def _remembered(cluster: ClusterModel, documents: Iterable[Document]) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield the objects whose last-applied annotation holds a version that servers have lost, as they were written."""
    for document in documents:
        live = cluster.state(document.ref).live
        if document.written is None or not isinstance(live, Present) or annotation_of(live.object) is None:
            continue
        namespace = {"namespace": document.ref.namespace} if document.ref.namespace else {}
        metadata = {**mapping(document.written.get("metadata")), **namespace}
        text = annotation_of(annotated({**document.written, "metadata": metadata}))
        kept = mapping(live.object.get("metadata"))
        annotations = {**mapping(kept.get("annotations")), LAST_APPLIED: text}
        yield document.ref.identity, Present({**live.object, "metadata": {**kept, "annotations": annotations}})


def _refused(whole: SetApply, origin: str) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield what is known of objects that cannot be applied as they are written: an earlier form may be there."""
    for document, outcome in whole.every:
        if outcome.refused and outcome.result is None:
            why = "; ".join(cause.message for cause in outcome.causes) or "unknown reason"
            yield document.ref.identity, Unknown(f"{origin} has it in a form that the server rejects: {why}")


def _passing(cluster: ClusterModel) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield what is known of the Jobs that may be gone by themselves; a suspended one never finishes."""
    for item in cluster.objects:
        ref = ref_of(item)
        ttl = dig(item, "spec", "ttlSecondsAfterFinished")
        if (ref.group, ref.kind) == ("batch", "Job") and isinstance(ttl, int) and not dig(item, "spec", "suspend"):
            why = f"with ttlSecondsAfterFinished: {ttl} the cluster deletes it {ttl} seconds after it has finished"
            yield ref.identity, Unknown(f"{ref} may or may not exist: {why}")


def _bound(cluster: ClusterModel) -> Iterator[tuple[Identity, Knowledge]]:
    """Yield the claims as bound: those that have been there for a while have their volume, and so can grow."""
    for item in cluster.objects:
        ref = ref_of(item)
        if (ref.group, ref.kind) == ("", "PersistentVolumeClaim"):
            capacity = mapping(dig(item, "spec", "resources", "requests"))
            status = {**mapping(item.get("status")), "phase": "Bound", "capacity": capacity}
            yield ref.identity, Present({**item, "status": status})


def left(whole: SetApply, documents: Iterable[Document]) -> Iterator[tuple[Document, Outcome]]:
    """Yield what becomes of those of ``documents`` whose objects are there and are not applied: pruned, or kept."""
    applied = {document.ref.identity for document in whole.documents.every}
    pruned = {ref.identity for ref in whole.pruned}
    origin = whole.cluster.origin
    doubt = Confidence(Level.MEDIUM, (unseen(origin),)) if whole.cluster.simulated else Confidence()
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


def unseen(origin: str) -> str:
    """Return why what is told of a cluster that nobody looked at is not certain."""
    return f"no cluster was read: {origin} is assumed to be applied"


def renames(gone: Sequence[Document], come: Sequence[Document]) -> Mapping[Identity, ObjectRef]:
    """Return what the objects that come were called, for those that are one that goes under another name.

    An object counts as renamed where it has the kind of one that goes and most of its fields; the likeliest pair first.
    """
    pairs = sorted(
        ((_likeness(old, new), old.ref, new.ref) for new in come for old in gone if _is_kin(old.ref, new.ref)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    taken: dict[ObjectRef, ObjectRef] = {}
    for likeness, old, new in pairs:
        if likeness >= ALIKE and new not in taken and old not in taken.values():
            taken[new] = old
    return {new.identity: old for new, old in taken.items()}


def _is_kin(old: ObjectRef, new: ObjectRef) -> bool:
    return (old.group, old.kind) == (new.group, new.kind)


_NAMES = {"apiVersion", "kind", "metadata.name", "metadata.namespace"}


def _likeness(old: Document, new: Document) -> float:
    """Return the share of the fields that both have with the same value, its name and kind aside."""
    sides = [{render(path): value for path, value in leaves(one.object)} for one in (old, new)]
    here, there = ({path: value for path, value in side.items() if path not in _NAMES} for side in sides)
    same = sum(path in there and equal(value, there[path]) for path, value in here.items())
    return same / max(len(here), len(there), 1)
