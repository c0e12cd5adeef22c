"""Existing objects that a run does not apply, as subjects of the rules about objects that leave the files."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from kubectl_applylint.appliers.flags import NO_FLAGS, Flags
from kubectl_applylint.appliers.prune import ByLabels
from kubectl_applylint.core.documents import NO_BASE, Document, Documents, InCluster, Peers
from kubectl_applylint.core.outcome import Outcome, Verdict
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, Identity, Knowledge, ObjectRef, Present
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine import transition
from kubectl_applylint.engine.cluster_diff import ClusterDiff, Unapplied
from kubectl_applylint.engine.placeholders import is_unfinished
from kubectl_applylint.engine.set_apply import SetApply
from kubectl_applylint.lint.checks._selectors import pod_labels
from kubectl_applylint.lint.model import Scenario, Subject
from kubectl_applylint.lint.relations import kind_of, references


def cluster_diff(
    whole: SetApply, context: Sequence[Document] = (), renamed: Mapping[Identity, ObjectRef] = MappingProxyType({})
) -> ClusterDiff:
    """Return the effect of a run on any object; ``context`` are documents in unchanged files."""
    known = cache(lambda: {document.ref.identity: Present(document.object) for document in context})
    pruned = cache(lambda: {ref.identity for ref in whole.pruned})

    def state_before(ref: ObjectRef) -> Knowledge:
        return known().get(ref.identity) or whole.cluster.state(ref).live

    def state_after(ref: ObjectRef) -> Knowledge:
        if ref.identity in pruned():
            return Absent()
        return known().get(ref.identity) or whole.state_after(ref)

    every = (*whole.documents.every, *context)
    return ClusterDiff(
        state_before, state_after, renamed, _index(every, _names), _index(every, _labels), whole.is_refused
    )


def _index(
    documents: Sequence[Document], words_of: Callable[[Document], Iterable[tuple[str, str]]]
) -> Callable[[str, str], Collection[ObjectRef]]:
    """Return a function that returns the documents with a pair of words, each once, in their order."""

    @cache
    def found() -> Mapping[tuple[str, str], Collection[ObjectRef]]:
        pairs: dict[tuple[str, str], dict[ObjectRef, None]] = {}
        for document in documents:
            for pair in words_of(document):
                pairs.setdefault(pair, {})[document.ref] = None
        return pairs

    return lambda one, other: found().get((one, other), ())


def _names(document: Document) -> Iterator[tuple[str, str]]:
    """Yield kind and name of each object that a document refers to."""
    return ((one.kind, one.name) for one in references(kind_of(document), document.object))


def _labels(document: Document) -> Iterator[tuple[str, str]]:
    """Yield the pod labels of a document."""
    return ((key, value) for key, value in pod_labels(document.object).items() if isinstance(value, str))


def outcomes_of(whole: SetApply, others: Sequence[Document]) -> tuple[tuple[Document, Outcome], ...]:
    """Return the outcomes of existing objects that are not applied: ``others`` and pruned ones."""
    given = {document.ref.identity for document in others}
    unwritten = [unwritten_document(ref) for ref in whole.pruned if ref.identity not in given]
    beside = whole.process.beside(whole.pruned) if whole.process else ()
    written = ((unwritten_document(one.ref), one) for one in beside if one.ref.identity not in given)
    return (*transition.outcomes_of_unapplied(whole, (*others, *unwritten)), *written)


def subjects_of(
    whole: SetApply,
    others: Sequence[Document],
    unselected: Sequence[Document] = (),
    *,
    cluster_diff: ClusterDiff,
    context: Sequence[Document] = (),
    flags: Flags = NO_FLAGS,
) -> Iterator[Subject]:
    """Yield a subject for each existing object that is not applied, as in ``outcomes_of``.

    ``unselected`` are those of ``others`` whose manifests do not have the labels that the run selects; they are left
    out unless they are deleted. Objects whose name is completed before the apply are left out as well, since it is
    unknown. The peers of each subject are the objects that the run applies, and ``context``.
    """
    found = outcomes_of(whole, others)
    if not found:
        return
    documents = Documents((*whole.documents.every, *context))
    written = {document.ref.identity for document in unselected}
    why = _reason_function(whole)
    for document, outcome in found:
        if is_unfinished([document.ref.name, document.ref.namespace]) or outcome.verdict is Verdict.CONFIGURED:
            continue
        unapplied = why(document, outcome)
        if unapplied is Unapplied.STAYS and flags.unit_prunes:
            unapplied = Unapplied.SPARED if flags.unit_applier else Unapplied.OTHER_TOOL
        if document.ref.identity in written:
            if not unapplied.is_deletion:
                continue
            unapplied = Unapplied.PRUNED_UNSELECTED
        subject = _subject(document, outcome, whole, documents)
        yield replace(subject, cluster_diff=cluster_diff, flags=flags, unapplied=unapplied)


def _subject(document: Document, outcome: Outcome, whole: SetApply, documents: Documents) -> Subject:
    """Return the subject of an existing object with this outcome in every scenario."""

    def predict(scenario: Scenario) -> Outcome:
        return outcome

    ref = document.ref
    return Subject(
        document=document,
        state=whole.cluster.state(ref),
        kind=whole.schema.kind(ref.api_version, ref.kind),
        schema=whole.schema,
        peers=Peers(documents, len(documents.every), ref),
        predict=predict,
        base=Present(document.object) if document.has_manifest else NO_BASE,
    )


def _reason_function(whole: SetApply) -> Callable[[Document, Outcome], Unapplied]:
    """Return a function that returns why an object stays or is deleted."""
    prunable = frozenset(ref.identity for ref in whole.prunable)
    visited = {"", *(document.ref.namespace for document in whole.documents.every)}

    def why(document: Document, outcome: Outcome) -> Unapplied:
        if outcome.verdict is Verdict.PRUNED:
            return Unapplied.PRUNED
        if document.ref.identity in prunable:
            return Unapplied.FAILURE
        if isinstance(whole.policy, ByLabels):
            return _reason_by_policy(document.ref, whole.policy, visited)
        return Unapplied.STAYS

    return why


def _reason_by_policy(ref: ObjectRef, policy: ByLabels, visited: Collection[str]) -> Unapplied:
    """Return why a prune by labels does not delete an object."""
    if (ref.group, ref.kind) not in policy.kinds:
        return Unapplied.OTHER_KIND
    return Unapplied.STAYS if ref.namespace in (*visited, policy.namespace) else Unapplied.OTHER_NAMESPACE


def unwritten_document(ref: ObjectRef) -> Document:
    """Return a document for a live object without a manifest in the run."""
    names = {"name": ref.name, **({"namespace": ref.namespace} if ref.namespace else {})}
    return live_document(ref, {"apiVersion": ref.api_version, "kind": ref.kind, "metadata": names}, has_manifest=False)


def live_document(ref: ObjectRef, manifest: JsonObject, *, has_manifest: bool) -> Document:
    """Return a document for a live object, which has no file."""
    kind = f"{ref.kind.lower()}.{ref.group}".rstrip(".")
    name = "/".join(filter(None, (ref.namespace, kind, ref.name)))
    return Document(name, 0, manifest, ref, InCluster(), has_manifest)
